import path from 'node:path'
import { nodeDisk } from '../../src/main/disk/node/node-disk'
import type { Library } from '../../src/main/library/library'
import { searchDecoders } from '../../src/main/library/sources/search-decoders'
import { openSearch, type Search } from '../../src/main/search/search'
import { threadWorkers } from '../../src/main/search/workers'
import { builtWorker } from './worker'

/** Opens a search over all that a library lists, with threads of its own. */
export async function withLibrarySearch<T>(
  library: Library,
  folder: string,
  work: (search: Search) => Promise<T>,
): Promise<T> {
  const workers = threadWorkers(builtWorker('src/main/search/search.worker.ts', folder), 2)
  const cacheFolder = path.join(folder, 'cache')
  const search = openSearch({ disk: nodeDisk, decoders: searchDecoders, cacheFolder, workers })
  try {
    await search.update(await library.searchables())
    return await work(search)
  } finally {
    await search.close()
  }
}
