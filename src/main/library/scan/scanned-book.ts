import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type { Disk } from '../../disk/interface/disk'
import type { Histories } from '../sources/histories'
import type { ConversationUnit } from './conversation-units'
import type { ScanClock } from './scan-clock'

/** The stamp of a conversation that could not be read: no file has it, so that the next scan tries again. */
export const unreadStamp = ''

/** The conversations that are listed, and the time. */
export interface ScannedPlaces {
  readonly disk: Disk
  /** Absolute; a chibi home. */
  readonly home: string
  /** Of other systems. */
  readonly histories: Histories
  /** The system's where it is absent. */
  readonly clock?: ScanClock | undefined
}

/** Knowledge of conversations that a scan keeps up to date. */
export interface ScannedBook {
  /** Returns false where nobody asks for what a scan would find: then none begins, but for one who waits. */
  isAsked?(): boolean
  /** Prepares for a scan; for the first one, by what an earlier start has found. */
  begin(isFirst: boolean): Promise<void>
  /** The conversations that are known. */
  keys(): Iterable<LibraryKey>
  /** The stamp under which a conversation was read, or `unreadStamp`; undefined of one that was not read. */
  stampOf(key: LibraryKey): string | undefined
  /** Reads a conversation that is new or changed. Never rejects: one that cannot be read has `unreadStamp` then. */
  read(unit: ConversationUnit, signal: AbortSignal): Promise<void>
  /** Returns those that are to be read once more, now that all others were. */
  again?(signal: AbortSignal): Promise<readonly LibraryKey[]>
  /** Drops one that is gone. */
  forget(key: LibraryKey): void
  /** Saves what was learned since the last call. Never rejects. */
  keep(): Promise<void>
  /** Called right before what is new may be reported; see `UnitScan.markChanged`. */
  beforeReport?(): void
  /** A later answer may differ from one that was given. */
  changed(): void
}
