import type { EntryDraft } from '../../../shared/model/conversation/entry'
import type { Disk } from '../../disk/interface/disk'
import type { ContextPaths } from './home-paths'
import type { RotationPolicy } from './manifest'

/** The context that is written to, with its lock held: disk, paths, clock and limits. */
export interface WritingScope {
  readonly disk: Disk
  readonly home: string
  readonly paths: ContextPaths
  /** Unix milliseconds. */
  readonly now: () => number
  readonly configuredPolicy: () => Promise<RotationPolicy>
  readonly noticed: (notice: string) => void
  /**
   * Checks that the lock is still ours; called right before each step that replaces or removes something by its name. A
   * step that begins at this moment may still come late: what it does then has to be harmless, or noticed.
   *
   * @throws AppError `lock-lost`
   */
  readonly mustHold: () => Promise<void>
}

/** Estimates an entry's tokens as chibi does for rotation: the bytes of its content alone, rounded up per entry. */
export function estimateStoredTokens(
  entry: Pick<EntryDraft, 'content'>,
  bytesPerToken: number,
): number {
  return Math.ceil(Buffer.byteLength(entry.content) / Math.max(1, bytesPerToken))
}

/** Returns a timestamp as chibi has it: whole Unix seconds, at least 0. */
export function toWholeSeconds(timestamp: number | null | undefined): number {
  return Math.max(0, Math.floor(timestamp ?? 0))
}
