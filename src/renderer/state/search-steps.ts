import { libraryKeyOf } from '../../shared/model/conversation/conversation'
import type { FindAnswer } from '../../shared/model/find/find'
import { soughtTexts } from '../../shared/model/query/sought-texts'
import type { Actions } from './actions'
import type { ListedHit } from './search/search-hits'
import type { Stores } from './stores'
import { type FoundAt, nextMatch } from './transcript/find'
import type { LinePoint } from './transcript/landing'

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
  stores.searches.getState().note(search.getState().asked ?? '')
  const marked = soughtTexts(search.getState().asked ?? '')
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

/** Shows the conversations that a saved search finds now in the library; all of them without one. */
export async function showSavedSearch(stores: Stores, id: string | undefined): Promise<void> {
  const { library, searches } = stores
  if (id === undefined) return library.getState().setPicked(undefined)
  const found = await searches.getState().find(id)
  if (found === undefined) return
  const { search, keys, isAll } = found
  const label = isAll ? search.name : `${search.name} (its newest hits)`
  library.getState().setPicked({ label, keys, search: id })
}

/** Places where readers were when finding began, or went by steps since: from there on the first match is looked for. */
const beganAt = new WeakMap<Stores, LinePoint | 'end'>()

/** Opens finding over the open conversation; does nothing where none is open. */
export function openFind(stores: Stores): void {
  const { transcript, find } = stores
  const { key, phase, branches } = transcript.getState()
  if (key === undefined || phase !== 'ready') return
  if (!find.getState().isOpen) beganAt.set(stores, readerIn(stores))
  find.getState().open(key, branches?.way)
}

/** Looks for what is wanted, and leads to the match that is nearest to where finding began, or to the last match. */
export async function findNow(stores: Stores, actions: Actions): Promise<void> {
  const { find } = stores
  const from = beganAt.get(stores) ?? 'end'
  const near = from === 'end' ? endOf(stores) : from
  const answer = await find.getState().ask(near)
  if (answer === undefined) return
  const match = firstMatch(answer, from === 'end')
  if (match !== undefined) await lead(stores, actions, match)
}

/** Leads to the match after or before the current one, around the ends; looks for what is wanted where that is not done yet. */
export async function stepFind(stores: Stores, actions: Actions, step: 1 | -1): Promise<void> {
  const { answer, asked, wanted, current } = stores.find.getState()
  if (answer === undefined || asked !== wanted) return findNow(stores, actions)
  const match =
    current === undefined ? firstMatch(answer, step === -1) : nextMatch(answer, current, step)
  if (match === undefined) return
  const place = await lead(stores, actions, match)
  if (place !== undefined) beganAt.set(stores, place)
}

/** Ends finding. The focus goes to the turn of the current match; resolves to false where there is none. */
export async function closeFind(stores: Stores, actions: Actions): Promise<boolean> {
  const { find } = stores
  const { key, place, asked } = find.getState()
  find.getState().close()
  if (key === undefined || place === undefined || asked === undefined) return false
  return actions.openAt(key, place, { found: { wanted: asked, place } })
}

async function lead(
  stores: Stores,
  actions: Actions,
  match: FoundAt,
): Promise<LinePoint | undefined> {
  const { find } = stores
  const place = await find.getState().goTo(match)
  const { key, asked } = find.getState()
  if (place === undefined || key === undefined || asked === undefined) return undefined
  const { file, offset, entry } = place
  const at = entry === undefined ? { file, offset } : { file, offset, entry }
  await actions.openAt(key, at, { found: { wanted: asked, place }, keepsFocus: true })
  return at
}

function firstMatch({ rows, counts, near }: FindAnswer, isLast: boolean): FoundAt | undefined {
  const at = near ?? (isLast ? rows.length - 1 : 0)
  const row = rows[at]
  if (row === undefined) return undefined
  return { row, nth: near === null && isLast ? (counts[at] ?? 1) - 1 : 0 }
}

function readerIn(stores: Stores): LinePoint | 'end' {
  const spot = stores.reading.getState().spot()
  return spot?.type === 'line' ? spot.place : 'end'
}

/** The last row: at the end of a conversation a match there comes first, then the last one above. */
function endOf({ transcript }: Stores): LinePoint | undefined {
  const row = transcript.getState().run.rows.at(-1)
  return row?.type === 'entry' ? row.entry : row?.damaged
}
