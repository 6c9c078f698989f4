import type { ModelInfo } from '../../shared/model/settings/model-info'
import type { Disk } from '../disk/interface/disk'
import type { Endpoint } from './endpoint/endpoint'
import type { ModelCatalog } from './model-catalog'
import { openModelsCache } from './models/models-cache'

type Asked = Pick<Endpoint, 'model' | 'baseUrl'>

/** The window of an endpoint's model in tokens, as its provider's list told it last; asks nobody. Never rejects. */
export async function knownContextLength(
  desk: Pick<ModelCatalog, 'list'>,
  endpoint: Asked,
): Promise<number | undefined> {
  try {
    return lengthIn((await desk.list(endpoint.baseUrl.value, 'kept')).models, endpoint)
  } catch {
    return undefined // An address that no list is kept of: nothing is known of its models.
  }
}

/**
 * The same by the lists that the window of Skein has kept below `cacheFolder`, for the command line, which lists no models.
 * Never rejects.
 */
export function cachedContextLengths(
  disk: Disk,
  cacheFolder: string,
): (endpoint: Asked) => Promise<number | undefined> {
  const cache = openModelsCache(disk, cacheFolder)
  return async (endpoint) =>
    lengthIn((await cache.read(endpoint.baseUrl.value))?.models ?? [], endpoint)
}

function lengthIn(models: readonly ModelInfo[], { model }: Asked): number | undefined {
  return models.find(({ id, alias }) => id === model.value || alias === model.value)?.contextLength
}
