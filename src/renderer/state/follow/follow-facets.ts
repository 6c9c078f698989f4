import type { FacetsStore } from '../search/facets'
import type { SearchStore } from '../search/search'

/**
 * Counts the facets of a search behind its hits, while the panel is open, and ends the count when another query is typed.
 * Returns a function that stops it.
 */
export function followFacets(stores: {
  readonly search: SearchStore
  readonly facets: FacetsStore
}): () => void {
  const { search, facets } = stores
  function follow(isFound: boolean): void {
    const { isOpen, phase, asked, text } = search.getState()
    const known = facets.getState()
    if (!known.isOpen) return
    if (text.trim() === '') known.reset()
    else if (!isOpen || phase !== 'done') known.stop()
    else if (asked !== undefined && (isFound || known.query !== asked || known.phase !== 'done'))
      known.count(asked)
  }
  const ends = [
    search.subscribe((now, before) => {
      const isFound = now.phase === 'done' && before.phase !== 'done'
      const isCleared = now.text !== before.text && now.text.trim() === ''
      if (now.phase !== before.phase || now.isOpen !== before.isOpen || isCleared) follow(isFound)
    }),
    facets.subscribe((now, before) => {
      if (now.isOpen && !before.isOpen) follow(false)
    }),
  ]
  return () => {
    for (const end of ends) end()
  }
}
