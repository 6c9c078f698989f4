import type { Entry } from '../../../shared/model/conversation/entry'
import { isAnchor } from '../../../shared/model/conversation/entry'
import { belongsToWindow } from './window-entries'

/**
 * The model's window as its writer knows it: read once, then kept up with what that writer appends. A run looks at it
 * several times for each request, and a look from the disk goes back as far as the oldest entry that a compaction keeps.
 *
 * Whoever asks makes sure that nobody else has written meanwhile.
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
