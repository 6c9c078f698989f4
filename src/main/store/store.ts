import type { ContextSideFiles, LockState } from '../../shared/model/conversation/conversation'
import type { EntryId } from '../../shared/model/conversation/entry'
import type {
  PageFrom,
  TranscriptPage,
  WindowStart,
} from '../../shared/model/conversation/transcript'
import type { Contexts } from './contexts/contexts'
import type { ContextListing } from './contexts/listing'
import type { Upkeep } from './contexts/upkeep'
import type { TranscriptWriter } from './core/writer-types'
import type { TranscriptFiles } from './files/context-files'
import type { FileVerdict } from './partitions/verify'
import type { TranscriptReading } from './reading/full-read'
import type { TranscriptEnds } from './reading/transcript-ends'
import type { ContextBeginning } from './writing/creation'

export type { ClearResult } from './context-window/clear'
export type { AppendedEntry, PartialAnswer } from './core/writer-types'
export type {
  ContextBeginning,
  ContextListing,
  Contexts,
  FileVerdict,
  TranscriptEnds,
  TranscriptReading,
  TranscriptWriter,
  Upkeep,
}

/** A chibi home. Reading never writes to it: no migration, no expiry, no repair. */
export interface Store {
  readonly home: string
  /** Acts on a context as a whole: rename, clear, archive, remove. */
  readonly contexts: Contexts
  /** A person's reads and changes of the side files of a context. */
  readonly upkeep: Upkeep
  /** Whether the folder is there. */
  exists(): Promise<boolean>
  /** Sorted by name. Folders whose name chibi would refuse are left out, as chibi does. @throws AppError `unreadable` */
  listContexts(signal?: AbortSignal): Promise<readonly ContextListing[]>
  /** Counts the contexts, by names alone. @throws AppError `unreadable` */
  countContexts(): Promise<number>
  /** One context's listing; undefined where there is none. */
  findContext(name: string): Promise<ContextListing | undefined>
  /**
   * Reads the times of the first and the last entry, and a person's first words where nobody chose the context's name: a
   * short read of both ends. The first time is left out where the listing has the time of creation. @throws AppError `not-found`, `unreadable`
   */
  readEnds(listing: ContextListing): Promise<TranscriptEnds>
  /**
   * A page of rows. Reads backwards from the end for `end` and `before`: cost grows with the page, not with the transcript.
   *
   * Ends early at 8 MB of lines. A torn last line is on the page, but `after` is before it: the next page has it again (with
   * the same place) until it has an end; callers replace rows by `file` and `offset`.
   *
   * @throws AppError `not-found`, `unreadable`
   */
  readPage(
    name: string,
    from: PageFrom,
    limit: number,
    signal?: AbortSignal,
  ): Promise<TranscriptPage>
  /** Every row of every file in order, with the ledgers. Streams: holds one chunk at a time. */
  readWhole(name: string, signal?: AbortSignal): Promise<TranscriptReading>
  /** The files of a context's transcript in reading order, as they are now; none where there is no such context. Reads no transcript. @throws AppError `unreadable` */
  listFiles(name: string): Promise<TranscriptFiles>
  /**
   * The untouched bytes of a line and its number. `file` must be one of the context's own.
   *
   * After a rotation another line of the same length can be at a place in the active partition: `entry` says which
   * line is meant. Without it the newer line is taken. @throws AppError `not-found`
   */
  readLine(
    name: string,
    file: string,
    offset: number,
    length: number,
    entry?: EntryId,
  ): Promise<{ readonly bytes: Uint8Array; readonly line: number }>
  /** Reads the side files of a context. One that cannot be read becomes a notice. @throws AppError `not-found` */
  readBeside(name: string): Promise<ContextSideFiles>
  /** todos.md, goals.md, summary.md and system_prompt.md (else prompts/chibi.md), unchanged. */
  readNotes(name: string): Promise<{
    readonly todos?: string
    readonly goals?: string
    readonly summary?: string
    readonly systemPrompt?: string
    readonly reflection?: string
  }>
  /** Finds where the context window begins; undefined where there is no anchor. Reads back to the last one. @throws AppError `not-found`, `unreadable` */
  windowStart(name: string): Promise<WindowStart | undefined>
  lockState(name: string): Promise<LockState>
  /**
   * Takes the context's lock and makes it ready to append: recovers a partial answer of a crashed run as an
   * entry marked interrupted, adopts stray partitions, rebuilds a stale window, migrates a legacy transcript.
   *
   * With `create`, a missing context (and home) is made: folder, `context_created` anchor, state.json. With a
   * `beginning` as well it begins with that: it appears as a whole, durable, or not at all, and any folder of its
   * name is in the way.
   * Waits up to `waitMs` for another Skein; never for anything else.
   *
   * @throws AppError `locked`, `not-found`, `exists` (create asked of one that is there), `disk-full`, `unreadable`
   */
  openWriter(
    name: string,
    options: {
      readonly create: boolean
      readonly beginning?: ContextBeginning
      readonly waitMs?: number
      readonly signal?: AbortSignal
    },
  ): Promise<TranscriptWriter>
  /** Partitions with a digest of ours are compared with it. */
  verify(name: string, signal?: AbortSignal): Promise<readonly FileVerdict[]>
  /** Calls `changed` on changes to a context's files and lock by any process; `undefined` watches the list of contexts. Returns a disposer. */
  watch(name: string | undefined, changed: () => void): () => void
}
