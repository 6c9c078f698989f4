import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type { ConversationUnit } from './conversation-units'

/** One of so many bytes is read again when it was left alone for so many times as its reading took. */
const largeBytes = 1024 * 1024
const restTimes = 20

/** The times until which large conversations that were just read are left alone, since one may grow all the time. In ms of the scan's clock. */
export class Rests {
  private readonly untilMs = new Map<LibraryKey, number>()

  /** Takes one that was read. By its size and not by the time: on a busy machine a small one takes long as well. */
  wasRead({ key, ref }: ConversationUnit, startedMs: number, endedMs: number): void {
    if (ref.bytes < largeBytes) return
    this.untilMs.set(key, endedMs + restTimes * (endedMs - startedMs))
  }

  isOver(key: LibraryKey, nowMs: number): boolean {
    return (this.untilMs.get(key) ?? 0) <= nowMs
  }

  /** The time at which the first of these has rested; undefined where none of them rests. */
  firstEndMs(keys: readonly LibraryKey[]): number | undefined {
    const ends = keys.flatMap((key) => this.untilMs.get(key) ?? [])
    // Not by Math.min(...): there may be more of them than a call takes.
    return ends.reduce<number | undefined>((least, end) => Math.min(least ?? end, end), undefined)
  }

  end(key: LibraryKey): void {
    this.untilMs.delete(key)
  }

  endAll(): void {
    this.untilMs.clear()
  }
}
