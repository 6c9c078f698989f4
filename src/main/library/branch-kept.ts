import { type Entry, isAnchor } from '../../shared/model/entry'
import type { Store } from '../store/store'

/** The entries of a window that a branch takes over: all but its anchor, in whose place the branch has its own. */
export function isTakenOver(entry: Pick<Entry, 'entry_type'>): boolean {
  return !isAnchor(entry) && entry.entry_type !== 'system_prompt_changed'
}

/**
 * Where the earlier entries stand that a window keeps by their ids, in entries from the transcript's first: the last ones
 * before it, as the window itself is read. What is not there any more has no place.
 *
 * Reads the transcript up to the window; without ids it reads nothing.
 *
 * @param before the place of the window's anchor
 */
export async function placesOfKept(
  store: Pick<Store, 'readWhole'>,
  name: string,
  ids: readonly string[],
  before: number,
): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set()
  const due = new Map<string, number>()
  for (const id of ids) due.set(id, (due.get(id) ?? 0) + 1)
  const found = new Map<string, number[]>()
  let place = -1
  const { rows } = await store.readWhole(name)
  for await (const row of rows) {
    if (row.type !== 'entry') continue
    place += 1
    if (place >= before) break
    const { entry } = row
    const count = due.get(entry.id)
    if (count === undefined || !isTakenOver(entry)) continue
    const places = found.get(entry.id) ?? []
    places.push(place)
    if (places.length > count) places.shift()
    found.set(entry.id, places)
  }
  return new Set([...found.values()].flat())
}
