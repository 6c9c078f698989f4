/** Types and functions for views of the search: hits, pieces of a query, facets, steps from hit to hit; finding in a conversation. */

export type { FacetValue, ShownFacet } from './search/facets'
export {
  hasSwitch,
  queryPieces,
  withSwitch,
} from './search/query'
export { type SearchOutcome, searchLimits } from './search/search'
export type { ListedHit } from './search/search-hits'
export { mostSaved, type SavedSearch } from './search/searches'
export {
  closeFind,
  findNow,
  openFind,
  openHit,
  showSavedSearch,
  stepFind,
  stepHit,
} from './search-steps'
export { type FindOption, matchNumber } from './transcript/find'
