import type { Disk } from '../../disk/interface/disk'
import type { ContextListing, Store } from '../../store/store'
import type { History } from '../sources/histories'
import {
  type ConversationCount,
  conversationCountOf,
  countByReading,
  countReading,
  isPlayed,
  lineFilesOf,
  lineKeyOf,
} from './count-by-reading'
import type { Counter } from './counter'

/**
 * Counts a context of ours as it was listed, or as it is now where its files have moved since. Holds one chunk at a
 * time.
 *
 * @throws AppError `not-found`, `unreadable`
 */
export async function countContext(
  counter: Counter,
  store: Store,
  listing: ContextListing,
  signal?: AbortSignal,
): Promise<ConversationCount> {
  const { name, files, strays, notices, missing } = listing
  const partitions = files.filter(({ kind }) => kind === 'partition').length
  if (files.every(({ kind }) => kind !== 'document'))
    try {
      const counts = await counter.count({ source: 'chibi', key: name, files }, signal)
      return conversationCountOf(counts, { partitions, strays, notices }, missing)
    } catch {
      signal?.throwIfAborted()
      // Files have moved, or one cannot be read: the long way finds the others.
    }
  return countTranscript(store, name, signal)
}

/** Counts another system's conversation; holds one chunk at a time. @throws AppError `not-found`, `unreadable` */
export async function countHistory(
  counter: Counter,
  disk: Disk,
  history: History,
  signal?: AbortSignal,
): Promise<ConversationCount> {
  const { reader, ref } = history
  const files = lineFilesOf(ref)
  if (reader.meaningOf !== undefined && files !== undefined && !isPlayed(history))
    try {
      const counts = await counter.count({ source: ref.source, key: lineKeyOf(ref), files }, signal)
      const whole = await reader.withBeginning?.(ref, disk, signal ?? new AbortController().signal)
      return conversationCountOf(
        counts,
        { partitions: 0, strays: [], notices: [] },
        (whole ?? ref).unread,
      )
    } catch {
      signal?.throwIfAborted()
      // It was replaced, or cannot be read: the reader reports why.
    }
  const elsewhere = await counter.whole?.(history, signal).catch(() => {
    signal?.throwIfAborted()
    return undefined // It cannot be read, or the thread has died: reading it here tells why.
  })
  return elsewhere ?? countByReading(counter, disk, history, signal)
}

/** Counts a context of ours; see `countReading`. @throws AppError `not-found`, `unreadable` */
export async function countTranscript(
  store: Store,
  name: string,
  signal?: AbortSignal,
): Promise<ConversationCount> {
  return countReading(await store.readWhole(name, signal))
}
