import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import { Mutex } from '../../async/mutex'
import type { ConversationListing, ConversationSource, FoundListings } from './conversation-source'

/** A scan of all sources, with the conversations that it found last. */
export interface SourceScan {
  /** Conversations that the last scan found. */
  readonly found: ReadonlyMap<LibraryKey, ConversationListing>
  /** True once all sources were scanned. */
  readonly isDone: boolean
  /** Resolves when no scan runs. */
  settled(): Promise<void>
  /** Scans all sources. @param tell is called with conversations as soon as they are found @throws AppError `unreadable` */
  all(signal?: AbortSignal, tell?: FoundListings): Promise<void>
  /** Scans one source. @throws AppError `unreadable` */
  at(source: ConversationSource): Promise<void>
  /** Finds one conversation; undefined where there is none. */
  one(key: LibraryKey): Promise<ConversationListing | undefined>
}

/**
 * Creates a scan. Scans run one after the other: an older one must not undo what a newer one has found.
 *
 * @param ready what the first scan waits for
 */
export function openSourceScan(
  sources: readonly ConversationSource[],
  ready: Promise<void>,
): SourceScan {
  const found = new Map<LibraryKey, ConversationListing>()
  /** Those that had gone when they were looked for while a scan went on, which may have found them before. */
  const gone = new Set<LibraryKey>()
  let isDone = false
  const scans = new Mutex()

  async function scan(
    source: ConversationSource,
    signal?: AbortSignal,
    tell?: FoundListings,
  ): Promise<void> {
    const foundSome: FoundListings = (some) => {
      const there = some.filter(({ key }) => !gone.has(key))
      for (const one of there) found.set(one.key, one)
      tell?.(there)
    }
    const all = await source.list(signal, tell === undefined ? undefined : foundSome)
    const now = new Map(all.filter(({ key }) => !gone.has(key)).map((one) => [one.key, one]))
    for (const key of found.keys()) if (source.holds(key) && !now.has(key)) found.delete(key)
    for (const [key, one] of now) found.set(key, one)
  }

  function inOrder(work: () => Promise<void>): Promise<void> {
    return scans.run(async () => {
      await ready
      gone.clear()
      await work()
    })
  }

  return {
    found,
    get isDone() {
      return isDone
    },
    async settled() {
      await ready
      await scans.idle()
    },
    all: (signal, tell) =>
      inOrder(async () => {
        await Promise.all(sources.map((source) => scan(source, signal, tell)))
        isDone = true
      }),
    at: (source) => inOrder(() => scan(source)),
    async one(key) {
      await ready
      const listed = await sources.find((source) => source.holds(key))?.find(key)
      if (listed === undefined) {
        found.delete(key)
        gone.add(key)
      } else {
        found.set(key, listed)
        gone.delete(key)
      }
      return listed
    },
  }
}
