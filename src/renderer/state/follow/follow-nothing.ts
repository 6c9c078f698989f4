import type { NothingStore } from '../search/nothing'
import type { SearchStore } from '../search/search'

/** Looks for queries next to one that found nothing, while its view is open. Returns a function that stops it. */
export function followNothing(stores: {
  readonly search: SearchStore
  readonly nothing: NothingStore
}): () => void {
  const { search, nothing } = stores
  return search.subscribe((now, before) => {
    if (now.phase === before.phase && now.isOpen === before.isOpen) return
    const isNothing = now.isOpen && now.phase === 'done' && now.outcome?.total === 0
    const { query } = nothing.getState()
    if (!isNothing) {
      if (query !== undefined) nothing.getState().stop()
    } else if (now.asked !== undefined && now.outcome?.complete === true)
      nothing.getState().explain(now.asked)
  })
}
