import type { EntryDraft } from '../../../shared/model/conversation/entry'
import type { Disk } from '../../disk/interface/disk'
import type { ContextPaths } from './home-paths'
import type { RotationPolicy } from './manifest'

/** What everything that writes to one context needs. Its lock is held. */
export interface WritingScope {
  readonly disk: Disk
  readonly home: string
  readonly paths: ContextPaths
  /** Unix milliseconds. */
  readonly now: () => number
  readonly configuredPolicy: () => Promise<RotationPolicy>
  readonly noticed: (notice: string) => void
  /**
   * Looks whether the lock is still ours; asked right before each step that replaces or removes something by its name. A
   * step that begins at this moment may still come late: what it does then has to be harmless, or noticed.
   *
   * @throws AppError `lock-lost`
   */
  readonly mustHold: () => Promise<void>
}

/** chibi's estimate for rotation: the bytes of the content alone, rounded up per entry. */
export function estimateStoredTokens(
  entry: Pick<EntryDraft, 'content'>,
  bytesPerToken: number,
): number {
  return Math.ceil(Buffer.byteLength(entry.content) / Math.max(1, bytesPerToken))
}

/** A timestamp as chibi has it: whole seconds, none below 0. */
export function toWholeSeconds(timestamp: number | null | undefined): number {
  return Math.max(0, Math.floor(timestamp ?? 0))
}
