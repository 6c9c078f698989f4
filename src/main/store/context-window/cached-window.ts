import type { Entry } from '../../../shared/model/conversation/entry'
import { isAnchor } from '../../../shared/model/conversation/entry'
import { belongsToWindow } from './window-entries'

/**
 * The context window as its writer knows it: read once, then extended by what that writer appends. A run uses it
 * several times for each request, and reading it from the disk goes back to the oldest entry that a compaction keeps.
 *
 * The caller makes sure that no other process has written meanwhile.
 */
export class CachedWindow {
  private readonly all: Entry[]

  constructor(entries: readonly Entry[]) {
    this.all = [...entries]
  }

  get entries(): readonly Entry[] {
    return [...this.all]
  }

  /** Takes an entry that was appended. False where it begins another window, which has to be read. */
  take(entry: Entry): boolean {
    if (isAnchor(entry)) return false
    if (belongsToWindow(entry)) this.all.push(entry)
    return true
  }
}
