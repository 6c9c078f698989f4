import { isoMs } from '../basics/time'
import type { ConversationSummary } from '../conversation/conversation'

/** Lists of the library that hold what fits them now. */
export const smartListIds = [
  'today',
  'pinned',
  'long',
  'untitled',
  'failed',
  'unfinished',
  'hidden',
] as const
/** One of these lists. */
export type SmartListId = (typeof smartListIds)[number]

/** Entries from which a conversation is long. */
export const longFrom = 500

/** Their names for people, and what each holds in a sentence. */
export const smartLists: Readonly<
  Record<SmartListId, { readonly name: string; readonly holds: string }>
> = {
  today: { name: 'Today', holds: 'Conversations with something of today' },
  pinned: { name: 'Pinned', holds: 'Conversations that you keep at the top' },
  long: { name: 'Long', holds: `Conversations of ${longFrom} entries and more` },
  untitled: { name: 'Untitled', holds: 'Conversations that nobody gave a title' },
  failed: { name: 'Failed', holds: 'Conversations that end with an error' },
  unfinished: { name: 'Unfinished', holds: 'Conversations that end without an answer' },
  hidden: { name: 'Hidden', holds: 'Conversations that you hid; they are in no other list' },
}

/** List for which conversations have to be read: rows do not tell. */
export type ReadListId = Extract<SmartListId, 'untitled' | 'failed' | 'unfinished'>

/** Returns true for a list for which conversations have to be read. */
export function isReadList(id: SmartListId): id is ReadListId {
  return id === 'untitled' || id === 'failed' || id === 'unfinished'
}

/**
 * Returns true where a row is in a list.
 *
 * @param nowMs tells which day is today, in the time zone of this machine
 * @param found keys that reading found, of a list that has to be read
 */
export function isInSmartList(
  row: Pick<ConversationSummary, 'key' | 'updated' | 'pinned' | 'hidden' | 'entries' | 'titled'>,
  id: SmartListId,
  nowMs: number,
  found?: ReadonlySet<string>,
): boolean {
  // Whoever hides a conversation wants to meet it nowhere else.
  if ((row.hidden === true) !== (id === 'hidden')) return false
  switch (id) {
    case 'hidden':
      return true
    case 'today': {
      const ms = isoMs(row.updated)
      return ms !== undefined && new Date(ms).toDateString() === new Date(nowMs).toDateString()
    }
    case 'pinned':
      return row.pinned === true
    case 'long':
      return (row.entries ?? 0) >= longFrom
    case 'untitled':
      return row.titled === undefined && found?.has(row.key) === true
    case 'failed':
    case 'unfinished':
      return found?.has(row.key) === true
  }
}
