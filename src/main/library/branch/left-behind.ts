import type { Entry } from '../../../shared/model/conversation/entry'
import {
  allowGaps,
  notWholeError,
  type UnreadPart,
} from '../../../shared/model/conversation/reading'
import type { Store } from '../../store/store'

/**
 * Reads the entries of a context from a position on, counted from the transcript's first: what a branch that is cut there leaves
 * behind.
 *
 * @throws AppError `unreadable` a part of the transcript cannot be read
 */
export async function* entriesFrom(
  store: Pick<Store, 'readWhole'>,
  name: string,
  from: number,
): AsyncGenerator<Entry> {
  const { rows } = await store.readWhole(name)
  let position = -1
  const onGap = (part: UnreadPart) => {
    throw notWholeError(name, [part])
  }
  for await (const row of allowGaps(rows, onGap)) {
    if (row.type !== 'entry') continue
    position += 1
    if (position >= from) yield row.entry
  }
}
