import type { Entry, EntryDraft } from '../../../shared/model/conversation/entry'
import type { OnGap } from '../../../shared/model/conversation/reading'
import type { Cursor } from '../../../shared/model/conversation/transcript'

/** An entry that is on the disk. */
export interface AppendedEntry {
  readonly entry: Entry
  /** The position right after it. */
  readonly after: Cursor
}

/** The partial file of an answer that is streaming in, so that a crash loses at most a second of it. */
export interface PartialAnswer {
  /** Takes the text and reasoning so far; written at most a second later. Never throws: a partial that cannot be written is reported when it is closed. */
  update(text: string, reasoning?: string): void
  /** Removes the partial file: its answer is an entry now. Resolves also when the last write had failed. */
  discard(): Promise<void>
}

/**
 * The one way to write to a context: it holds the lock from open to close.
 *
 * Calls run one after the other, in the order in which they were made.
 */
export interface TranscriptWriter {
  readonly context: string
  /** Aborts when the lock was lost to another process (also after a suspend); every append from then on throws `lock-lost`. */
  readonly lost: AbortSignal
  /**
   * Appends one entry to the active partition; then to the window, then rotates when a limit is reached.
   *
   * Durable on return (one write of one whole line, fsync). O(1) but for a rotation.
   *
   * @throws AppError `lock-lost`, `disk-full`, `io`: the entry is not durable; torn bytes may stay and are shown.
   */
  append(draft: EntryDraft): Promise<AppendedEntry>
  /**
   * Reads the context window: from the last anchor to the end, without `system_prompt_changed`.
   *
   * @param onGap is called with each part whose file is not there any more; with `notice` it becomes a notice, once
   * @throws AppError `unreadable`
   */
  window(onGap: OnGap | 'notice'): Promise<readonly Entry[]>
  /** Begins the partial file of an answer: `draft` is the entry it becomes after a crash, with the text so far. */
  startPartial(draft: EntryDraft): Promise<PartialAnswer>
  /** Gives the lock back. Idempotent. */
  close(): Promise<void>
}
