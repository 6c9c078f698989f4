import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type { Outline } from '../../../shared/model/family/outline'
import type { FamilyCache } from './family-cache'

interface Held {
  readonly stamp: string
  readonly outline: Outline
  isKept: boolean
}

/** Messages of which outlines are held: some 50 MB. */
const mostMessages = 300_000

/** A cache of recently used outlines in memory, over the cache on the disk. */
export class OutlineMemory {
  private readonly cache: FamilyCache
  private readonly held = new Map<LibraryKey, Held>()
  private messages = 0

  constructor(cache: FamilyCache) {
    this.cache = cache
  }

  put(key: LibraryKey, stamp: string, outline: Outline): void {
    this.add(key, { stamp, outline, isKept: false })
  }

  /** The outline of a conversation as it was under this stamp. */
  async get(key: LibraryKey, stamp: string): Promise<Outline | undefined> {
    const held = this.held.get(key)
    if (held?.stamp === stamp) {
      this.held.delete(key)
      this.held.set(key, held)
      return held.outline
    }
    const outline = await this.cache.loadOutline(key, stamp)
    if (outline !== undefined) this.add(key, { stamp, outline, isKept: true })
    return outline
  }

  drop(key: LibraryKey): void {
    const held = this.held.get(key)
    if (held === undefined) return
    this.held.delete(key)
    this.messages -= held.outline.marks.length
  }

  /** Keeps on the disk those of conversations with relatives, or with branches inside. */
  async keep(related: ReadonlySet<LibraryKey>): Promise<void> {
    for (const [key, held] of [...this.held]) {
      const isWorth = related.has(key) || held.outline.strands !== undefined
      if (held.isKept || !isWorth) continue
      held.isKept = true
      await this.cache.saveOutline(key, held.stamp, held.outline)
    }
  }

  private add(key: LibraryKey, held: Held): void {
    this.drop(key)
    this.held.set(key, held)
    this.messages += held.outline.marks.length
    for (const oldest of this.held.keys()) {
      if (this.messages <= mostMessages || oldest === key) break
      this.drop(oldest)
    }
  }
}
