/** Types and functions for views of the search: hits, pieces of a query, steps from hit to hit. */

export { queryPieces, searchedWords, withoutPiece } from './search/query'
export { type SearchOutcome, searchLimits } from './search/search'
export type { ListedHit } from './search/search-hits'
export { openHit, stepHit } from './search-steps'
