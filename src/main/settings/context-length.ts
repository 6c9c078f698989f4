import type { ModelInfo } from '../../shared/model/settings/model-info'
import type { Disk } from '../disk/interface/disk'
import type { Endpoint } from './endpoint/endpoint'
import type { ModelCatalog } from './model-catalog'
import { openModelsCache } from './models/models-cache'

type Asked = Pick<Endpoint, 'model' | 'baseUrl'>

/**
 * Returns the context window of an endpoint's model in tokens, as its provider's list had it last; no request is
 * made. Never rejects.
 */
export async function knownContextLength(
  catalog: Pick<ModelCatalog, 'list'>,
  endpoint: Asked,
): Promise<number | undefined> {
  try {
    return lengthIn((await catalog.list(endpoint.baseUrl.value, 'kept')).models, endpoint)
  } catch {
    return undefined // An address that no list is kept of: nothing is known of its models.
  }
}

/**
 * Returns a lookup of context windows in the lists that the app window has cached below `cacheFolder`, for the
 * command line, which fetches none. It never rejects.
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
