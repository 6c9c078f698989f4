import { type Entry, isAnchor } from '../../../shared/model/conversation/entry'
import type { TranscriptRow } from '../../../shared/model/conversation/transcript'
import {
  countRepeated,
  isWrittenWithAnchor,
} from '../../../shared/model/landmarks/repeated-messages'

/** Copies of messages that follow a run of anchors, by row index. */
export interface RowCopies {
  /** The copies after the last anchor of a run, by that anchor's index. */
  readonly after: ReadonlyMap<number, readonly Entry[]>
  readonly rows: ReadonlySet<number>
}

const none: RowCopies = { after: new Map(), rows: new Set() }

/**
 * Finds the messages that chibi wrote a second time. O(rows).
 * When chibi clears or compacts a context before the first rotation, it appends a second `context_created` and
 * copies of the messages that it keeps: the last ones before the anchors, in order, with new ids, all at the
 * anchors' time, a person's under the name "user". The search stays within one page, so that a page that arrives
 * changes nothing that is shown.
 *
 * @param pageStarts the rows at which pages begin, ascending
 */
export function findCopies(
  rows: readonly TranscriptRow[],
  pageStarts: readonly number[],
): RowCopies {
  const after = new Map<number, readonly Entry[]>()
  const copied = new Set<number>()
  const starts = new Set(pageStarts)
  /** The last messages of the page, newest last, without copies. */
  let messages: Entry[] = []
  let anchors = 0
  rows.forEach((row, index) => {
    if (starts.has(index)) {
      messages = []
      anchors = 0
    }
    const entry = entryOf(row)
    if (entry !== undefined && isAnchor(entry)) {
      anchors++
      const next = rows[index + 1]
      const isLast = starts.has(index + 1) || next === undefined || !isAnchorRow(next)
      if (!isLast || anchors < 2 || entry.entry_type !== 'context_created') return
      const end = messages.length + index + 1
      const found = copiesBehind(rows, index + 1, end, starts, messages, entry)
      if (found.length > 0) after.set(index, found)
      for (let at = 0; at < found.length; at++) copied.add(index + 1 + at)
      return
    }
    anchors = 0
    if (entry !== undefined && isMessage(entry) && !copied.has(index)) messages.push(entry)
  })
  return after.size === 0 ? none : { after, rows: copied }
}

/** Finds the longest run of entries from `start` that repeats as many last messages. */
function copiesBehind(
  rows: readonly TranscriptRow[],
  start: number,
  end: number,
  starts: ReadonlySet<number>,
  messages: readonly Entry[],
  anchor: Entry,
): readonly Entry[] {
  const candidates: Entry[] = []
  for (let at = start; at < end && !starts.has(at); at++) {
    const entry = entryOf(rows[at])
    if (entry === undefined || !isWrittenWithAnchor(entry, anchor)) break
    candidates.push(entry)
  }
  return candidates.slice(0, countRepeated(candidates, messages))
}

/** Returns true for a message; chibi does not repeat `call_user`. */
function isMessage(entry: Entry): boolean {
  return entry.entry_type === 'message'
}

function entryOf(row: TranscriptRow | undefined): Entry | undefined {
  return row?.type === 'entry' ? row.entry : undefined
}

function isAnchorRow(row: TranscriptRow): boolean {
  return row.type === 'entry' && isAnchor(row.entry)
}
