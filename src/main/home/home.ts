import type { RunEvent } from '../../shared/model/run/run'
import type { Branching } from '../library/branch/branching'
import type { Families } from '../library/families'
import type { Library } from '../library/library'
import type { Histories } from '../library/sources/histories'
import type { LibraryRoot } from '../library/sources/roots'
import type { LibraryStatistics } from '../library/statistics'
import type { Transcripts } from '../library/transcripts'
import type { Runs } from '../llm/run/runs'
import type { SentReader } from '../llm/sent/sent-reader'
import type { MeasuredContextWindow } from '../llm/tokens'
import type { Approvals } from './approvals'
import type { Comparisons } from './comparison/comparisons'
import type { ContextTools } from './context-tools'
import type { Compactions } from './contexts/compactions'
import type { HomeContexts } from './contexts/contexts'
import type { Continuing } from './continuing/continuing'
import type { Exports } from './export/exports'
import type { FollowedTranscript } from './feed'
import type { Finding } from './finding/finding'
import type { HomeLabels } from './given/labels'
import type { HomeTitles } from './given/titles'
import type { Landmarks } from './landmarks/landmarks'
import type { Mentions } from './mentions/mentions'
import type { OneRun } from './one-run'
import type { HomeSearch } from './search'

export type { HomeEvents } from './events'
export type { OneRun } from './one-run'

/**
 * An open home with other systems' conversations: whatever a window handler or a command does with them, it does
 * through this. Another home gets another one.
 */
export interface Home {
  /** The chibi home; absolute. */
  readonly path: string
  /** Rows of all conversations, their details, what is lost. */
  readonly library: Library
  /** Other systems' conversations as they lie on the disk. */
  readonly histories: Histories
  /** Pages and lines of all conversations. */
  readonly transcripts: Transcripts
  /** The transcript on the screen. */
  readonly feed: FollowedTranscript
  readonly search: HomeSearch
  /** Words in one conversation. */
  readonly finding: Finding
  /** Landmarks of one conversation: its prompts, errors, summaries and labels. */
  readonly landmarks: Landmarks
  /** Things that a message can name: files of allowed folders, other conversations. */
  readonly mentions: Mentions
  readonly families: Families
  readonly statistics: LibraryStatistics
  readonly branching: Branching
  readonly exports: Exports
  readonly continuing: Continuing
  readonly comparisons: Comparisons
  readonly titles: HomeTitles
  readonly labels: HomeLabels
  readonly contexts: HomeContexts
  readonly runs: Runs
  /** Runs once in a context, and gives the events to the caller; see `runOnce`. */
  runOnce(run: OneRun, signal: AbortSignal): AsyncGenerator<RunEvent, void, void>
  readonly tools: ContextTools
  readonly approvals: Approvals
  readonly compactions: Compactions
  /** Requests that models were sent. */
  readonly sent: SentReader
  /** Measures the next request of a context; see `measureContextWindow`. @throws AppError `not-found`, `unreadable` */
  sizeOfRequest(context: string): Promise<MeasuredContextWindow>
  /** Counts the tokens of a message that is not sent yet, as the context's model counts. */
  sizeOfDraft(context: string, text: string, images: number): Promise<number>
  /** Plugins hear that the program begins to work in a context. Never rejects. */
  enter(context: string, signal?: AbortSignal): Promise<void>
  /** Begins to count conversations and to build the search index, once; counts come as changes of the library. */
  countInBackground(): void
  /**
   * Reads other systems' histories under these roots from now on. Runs and the transcript on the screen go on; a list that
   * is shown has to be asked for again.
   */
  reopen(roots: readonly LibraryRoot[]): void
  /** Follows nothing any more: no window shows a transcript or notes. */
  unfollow(): void
  /** Stops what goes on, waits until its entries are on the disk, and lets everything go. */
  close(): Promise<void>
}
