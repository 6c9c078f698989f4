import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type { ConversationUnit } from './conversation-units'

/** The conversations that somebody asks for, which are read before the others. */
export class WantedUnits {
  private readonly keys = new Set<LibraryKey>()
  private readonly waiting = new Map<LibraryKey, (() => void)[]>()

  /** True while somebody waits for one of them. */
  get isAwaited(): boolean {
    return this.waiting.size > 0
  }

  add(key: LibraryKey): void {
    this.keys.add(key)
  }

  /** Resolves when the conversation was read or cannot be. */
  until(key: LibraryKey): Promise<void> {
    this.keys.add(key)
    return new Promise((resolve) => {
      this.waiting.set(key, [...(this.waiting.get(key) ?? []), resolve])
    })
  }

  /** Picks the one that is read next. */
  nextOf(units: ReadonlyMap<LibraryKey, ConversationUnit>): ConversationUnit | undefined {
    for (const key of this.keys) if (units.has(key)) return units.get(key)
    for (const unit of units.values()) return unit
    return undefined
  }

  /** Lets go of one that was read or cannot be. */
  release(key: LibraryKey): void {
    this.keys.delete(key)
    for (const resolve of this.waiting.get(key) ?? []) resolve()
    this.waiting.delete(key)
  }

  /** Lets go of those that are not among these. */
  keepOnly(units: ReadonlyMap<LibraryKey, ConversationUnit> = new Map()): void {
    for (const key of [...this.keys]) if (!units.has(key)) this.release(key)
  }
}
