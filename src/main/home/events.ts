import type { LibraryKey, LockState } from '../../shared/model/conversation/conversation'
import type { Cursor, TranscriptRow, WayName } from '../../shared/model/conversation/transcript'
import type { RunId } from '../../shared/model/run/run'
import type { LibraryRowChange } from '../library/library'
import type { JoinedDelta, RunProgress } from '../llm/run/runs'
import type { PendingApproval } from './approvals'
import type { RunningCompaction } from './contexts/compactions'
import type { NotesOnDisk } from './contexts/context-notes'
import type { SearchIndexProgress } from './search'

/** Events of a home. They name only entries that are on the disk, but for answers that stream in. */
export interface HomeEvents {
  conversationsChanged(change: LibraryRowChange): void
  familiesChanged(): void
  /** Labels of entries are others now. */
  labelsChanged(): void
  /** Statistics that were given may not hold any more. */
  statisticsChanged(): void
  indexChanged(progress: SearchIndexProgress): void
  /** Rows came to the transcript on the screen. */
  rowsAppended(told: { key: LibraryKey; rows: TranscriptRow[]; after: Cursor; way?: WayName }): void
  /** The position in it is no longer true: its page is to be read again. */
  transcriptChanged(told: { key: LibraryKey }): void
  lockChanged(told: { key: LibraryKey; lock: LockState }): void
  runChanged(progress: RunProgress): void
  /** A piece of an answer that streams in. */
  answerGrew(delta: JoinedDelta & { runId: RunId; key: LibraryKey }): void
  approvalAsked(approval: PendingApproval): void
  approvalEnded(approval: Pick<PendingApproval, 'key' | 'consentId'>): void
  compactionChanged(compaction: RunningCompaction): void
  contextRenamed(told: { from: LibraryKey; to: LibraryKey }): void
  contextDestroyed(told: { key: LibraryKey }): void
  archivedChanged(archived: readonly string[]): void
  notesChanged(notes: NotesOnDisk): void
}
