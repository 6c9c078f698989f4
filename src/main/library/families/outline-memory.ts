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

/**
 * A cache of recently used outlines in memory, over the cache on the disk. What has no room any more is on the disk: whoever asks for
 * it again does not read its conversation again.
 */
export class OutlineMemory {
  private readonly cache: FamilyCache
  private readonly most: number
  private readonly held = new Map<LibraryKey, Held>()
  /** Outlines that had no room, on their way to the disk. */
  private readonly leaving = new Map<LibraryKey, Promise<void>>()
  private messages = 0

  /** @param most messages of which outlines are held; the newest one is held whatever it has */
  constructor(cache: FamilyCache, most = mostMessages) {
    this.cache = cache
    this.most = most
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
    await this.leaving.get(key)
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
    await this.settled()
  }

  /** Resolves when what had no room is on the disk. */
  async settled(): Promise<void> {
    await Promise.all(this.leaving.values())
  }

  private add(key: LibraryKey, held: Held): void {
    this.drop(key)
    this.held.set(key, held)
    this.messages += held.outline.marks.length
    for (const [oldest, { stamp, outline, isKept }] of this.held) {
      if (this.messages <= this.most || oldest === key) break
      this.drop(oldest)
      if (!isKept) this.leave(oldest, this.cache.saveOutline(oldest, stamp, outline))
    }
  }

  private leave(key: LibraryKey, saved: Promise<void>): void {
    const left = saved.finally(() => {
      if (this.leaving.get(key) === left) this.leaving.delete(key)
    })
    this.leaving.set(key, left)
  }
}
