import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type { ConversationListing, ConversationSource } from './conversation-source'

/** A scan of all sources, with the conversations that it found last. */
export interface SourceScan {
  /** What the last look found. */
  readonly found: ReadonlyMap<LibraryKey, ConversationListing>
  /** Whether all shelves were looked at, once at the least. */
  readonly isDone: boolean
  /** Resolves when no look is under way. */
  settled(): Promise<void>
  /** Looks at all shelves. @param told how many conversations there are so far @throws AppError `unreadable` */
  all(signal?: AbortSignal, told?: (count: number) => void): Promise<void>
  /** Looks at one shelf. @throws AppError `unreadable` */
  at(shelf: ConversationSource): Promise<void>
  /** Looks at one conversation; undefined where there is none. */
  one(key: LibraryKey): Promise<ConversationListing | undefined>
}

/**
 * Creates a scan. Scans run one after the other: an older one must not undo what a newer one has found.
 *
 * @param ready before the first look
 */
export function openSourceScan(
  shelves: readonly ConversationSource[],
  ready: Promise<void>,
): SourceScan {
  const found = new Map<LibraryKey, ConversationListing>()
  let isDone = false
  let looking: Promise<unknown> = ready

  async function look(
    shelf: ConversationSource,
    signal?: AbortSignal,
    told?: (count: number) => void,
  ): Promise<void> {
    const now = new Map((await shelf.list(signal, told)).map((one) => [one.key, one]))
    for (const key of found.keys()) if (shelf.holds(key) && !now.has(key)) found.delete(key)
    for (const [key, one] of now) found.set(key, one)
  }

  function inOrder(work: () => Promise<void>): Promise<void> {
    const done = looking.then(work)
    looking = done.catch(() => undefined) // Whoever asked for the look is told.
    return done
  }

  return {
    found,
    get isDone() {
      return isDone
    },
    async settled() {
      await looking
    },
    all: (signal, told) =>
      inOrder(async () => {
        const counts = shelves.map(() => 0)
        await Promise.all(
          shelves.map((shelf, i) =>
            look(shelf, signal, (count) => {
              counts[i] = count
              told?.(counts.reduce((sum, one) => sum + one, 0))
            }),
          ),
        )
        isDone = true
      }),
    at: (shelf) => inOrder(() => look(shelf)),
    async one(key) {
      await ready
      const listed = await shelves.find((shelf) => shelf.holds(key))?.find(key)
      if (listed !== undefined) found.set(key, listed)
      else found.delete(key)
      return listed
    },
  }
}
