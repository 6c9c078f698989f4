import type { Api } from '../../../shared/ipc/contract'
import type { MapStore } from '../map/map'
import type { MapSearchStore } from '../map/map-search'

/** Searches the family that the map shows, and folds main's hits into that search. Returns a function that stops it. */
export function followMapSearch(
  api: Pick<Api, 'search'>,
  { map, mapSearch }: { readonly map: MapStore; readonly mapSearch: MapSearchStore },
): () => void {
  const ends = [
    map.subscribe((now, before) => {
      if (now.key === before.key && now.map === before.map) return
      mapSearch.getState().setFamily(now.key, now.map ?? undefined)
    }),
    mapSearch.subscribe((now, before) => {
      // Without a search there are no hits to show alone.
      if (now.text !== '' || before.text === '' || !map.getState().filter.hits) return
      map.getState().setFilter({ hits: false })
    }),
    api.search.onFound(({ searchId, hits }) => mapSearch.getState().foldFound(searchId, hits)),
    api.search.onProgress(({ searchId, segments }) =>
      mapSearch.getState().foldProgress(searchId, segments),
    ),
  ]
  return () => {
    for (const end of ends) end()
  }
}
