import type { ModelInfo } from '../../shared/model/model-info'
import type { Endpoint } from './model-choice'
import type { ModelsCache } from './models-cache'
import type { ModelDesk } from './models-desk'

type Asked = Pick<Endpoint, 'model' | 'baseUrl'>

/** The window of an endpoint's model in tokens, as its provider's list told it last; asks nobody. Never rejects. */
export async function knownContextLength(
  desk: Pick<ModelDesk, 'list'>,
  endpoint: Asked,
): Promise<number | undefined> {
  try {
    return lengthIn((await desk.list(endpoint.baseUrl.value, 'kept')).models, endpoint)
  } catch {
    return undefined // An address that no list is kept of: nothing is known of its models.
  }
}

/** The same by what the window has kept on the disk, for who lists no models: the command line. Never rejects. */
export async function cachedContextLength(
  cache: Pick<ModelsCache, 'read'>,
  endpoint: Asked,
): Promise<number | undefined> {
  return lengthIn((await cache.read(endpoint.baseUrl.value))?.models ?? [], endpoint)
}

function lengthIn(models: readonly ModelInfo[], { model }: Asked): number | undefined {
  return models.find(({ id, alias }) => id === model.value || alias === model.value)?.contextLength
}
