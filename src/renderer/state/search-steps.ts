import { libraryKeyOf } from '../../shared/model/conversation/conversation'
import type { Actions } from './actions'
import { searchedWords } from './search/query'
import type { ListedHit } from './search/search-hits'
import type { Stores } from './stores'

/**
 * Opens a hit at its line or entry, or the conversation for a hit in a title. The search keeps its hits for the next
 * step.
 */
export async function openHit(stores: Stores, actions: Actions, found: ListedHit): Promise<void> {
  const { search } = stores
  const { hit, id } = found
  const key = libraryKeyOf(hit.source, hit.key)
  search.getState().select(id)
  search.getState().setOpened(id)
  search.getState().hide(true)
  const marked = searchedWords(search.getState().asked ?? '')
  // Some lines have several entries: a call, and what the tool said to it.
  const entry = hit.entryId === null ? undefined : { entry: hit.entryId }
  if (hit.file !== undefined && hit.offset !== undefined)
    await actions.openAt(key, { file: hit.file, offset: hit.offset, ...entry }, { marked })
  else if (entry !== undefined) await actions.openAt(key, entry, { marked })
  else actions.openConversation(key)
}

/** Opens the hit after or before the one that was opened last, around the ends; does nothing without hits. */
export async function stepHit(stores: Stores, actions: Actions, step: 1 | -1): Promise<void> {
  const { shown, opened, selected, isStale } = stores.search.getState()
  const { hits } = shown
  if (hits.length === 0 || isStale) return
  const here = hits.findIndex(({ id }) => id === (opened ?? selected))
  const start = here < 0 && step === -1 ? 0 : here
  const next = hits[(start + step + hits.length) % hits.length]
  if (next !== undefined) await openHit(stores, actions, next)
}
