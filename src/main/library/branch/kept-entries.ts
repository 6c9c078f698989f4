import { type Entry, isAnchor } from '../../../shared/model/conversation/entry'
import {
  allowGaps,
  notWholeError,
  type UnreadPart,
} from '../../../shared/model/conversation/reading'
import type { Store } from '../../store/store'

/**
 * Returns true for an entry of a context window that a branch takes over: any but its anchor, which the branch
 * replaces by its own, and changes of the system prompt.
 */
export function isTakenOver(entry: Pick<Entry, 'entry_type'>): boolean {
  return !isAnchor(entry) && entry.entry_type !== 'system_prompt_changed'
}

/**
 * Creates a check that a second reading has the gaps of an earlier one, and no others: entries are counted from the
 * first, and another gap would shift them.
 *
 * @returns `mustBePast` fails where not all of them have come
 */
export function expectGaps(name: string, expected: readonly UnreadPart[]) {
  let count = 0
  return {
    onGap(part: UnreadPart): void {
      if (part.sentence !== expected[count]?.sentence) throw notWholeError(name, [part])
      count += 1
    },
    mustBePast(): void {
      if (count < expected.length) throw notWholeError(name, expected)
    },
  }
}

/**
 * Finds the positions of the earlier entries that a context window keeps by their ids: the last of each id before it.
 * An entry that is gone has no position, if every file was read.
 *
 * Reads the transcript up to the window; without ids it reads nothing.
 *
 * @param before the place of the window's anchor
 *
 * @param unread what could not be read before it
 *
 * @throws AppError `unreadable` one was not found, and may be in a part that could not be read
 */
export async function keptEntryPlaces(
  store: Pick<Store, 'readWhole'>,
  name: string,
  ids: readonly string[],
  before: number,
  unread: readonly UnreadPart[],
): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set()
  const due = new Map<string, number>()
  for (const id of ids) due.set(id, (due.get(id) ?? 0) + 1)
  const found = new Map<string, number[]>()
  const gaps = expectGaps(name, unread)
  let place = -1
  const { rows } = await store.readWhole(name)
  for await (const row of allowGaps(rows, gaps.onGap)) {
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
  gaps.mustBePast()
  const places = new Set([...found.values()].flat())
  if (places.size < ids.length && unread.length > 0) throw notWholeError(name, unread)
  return places
}
