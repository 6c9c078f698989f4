import { isoTime } from '../../../shared/model/basics/time'
import type {
  ConversationSummary,
  LibraryKey,
} from '../../../shared/model/conversation/conversation'
import { Mutex } from '../../async/mutex'
import type { TitleStore } from '../../store/given-titles'
import type { ConversationCount } from '../count/count-by-reading'
import type { ConversationFacts, ConversationListing } from './conversation-source'
import type { LibraryCache } from './library-cache'
import { inOrder, isWholeCount, type KnownConversation, listedRow, rememberedRow } from './rows'

/** The facts of conversations by their stamps: read once, and again only when they change. */
export interface LibraryFacts {
  /** Resolves when what the cache kept is there. */
  readonly ready: Promise<void>
  keys(): Iterable<LibraryKey>
  /** The same, those updated last first. */
  newestFirst(): readonly LibraryKey[]
  /** A row from cached facts, before the disk was scanned. */
  remembered(key: LibraryKey): ConversationSummary | undefined
  /** Returns what a list can be sorted by without reading anything: the time that is known, else the file's. */
  roughTime(listed: ConversationListing): string | null
  /** Makes the row of a conversation; a short read where it changed. */
  row(listed: ConversationListing, signal?: AbortSignal): Promise<ConversationSummary>
  /** Returns its row as far as it is known: a provisional one where making it takes a read. */
  rowWithoutReading(listed: ConversationListing): ConversationSummary
  /** Returns the count of a conversation as it is now; undefined while it was not counted. */
  counted(listed: ConversationListing): ConversationCount | undefined
  /** Counts it, unless that is known. @throws AppError `not-found`, `unreadable` */
  count(listed: ConversationListing, signal?: AbortSignal): Promise<ConversationCount>
  /**
   * All others are not on the disk any more. What is known of them stays, as gone: a tool that tidies up, or a disk that
   * is not mounted, must not make history vanish in silence.
   */
  keepOnly(isThere: (key: LibraryKey) => boolean): void
  /** Takes one for gone from the disk; returns its row, where anything is known of it. */
  lose(key: LibraryKey): ConversationSummary | undefined
  /** Those that are gone and stay listed. */
  gone(): readonly LibraryKey[]
  /** Does not list a gone one any longer. */
  forget(key: LibraryKey): void
  /** Writes the cache where something is new. Never fails. */
  save(): Promise<void>
}

/**
 * Creates the facts of a library and starts to load its cache.
 *
 * @param titles what was given in Skein; rows are as of its last look
 */
export function libraryFacts(
  cache: LibraryCache | undefined,
  isRunning: (key: string) => boolean,
  titles?: Pick<TitleStore, 'look' | 'of' | 'tagsOf' | 'isPinned' | 'colorOf' | 'isHidden'>,
): LibraryFacts {
  const known = new Map<LibraryKey, KnownConversation>()
  let isNew = false
  const saves = new Mutex()

  async function load(): Promise<void> {
    await titles?.look()
    const cached = await cache?.load()
    for (const [key, one] of cached?.known ?? []) known.set(key, one)
    // A damaged one is replaced, also where nothing else is new: it is said once.
    if (cached?.damage !== undefined) isNew = true
  }

  /** Under the title and with the tags, the pin and the colour that were given to it in Skein, which are never kept in the cache. */
  function titled(plain: ConversationSummary): ConversationSummary {
    const tags = titles?.tagsOf(plain.key) ?? []
    const color = titles?.colorOf(plain.key)
    const row = {
      ...plain,
      ...(color === undefined ? {} : { color }),
      ...(titles?.isHidden(plain.key) ? { hidden: true as const } : {}),
      ...(tags.length === 0 ? {} : { tags: [...tags] }),
      // One that is gone has nothing to be opened for.
      ...(plain.gone !== true && titles?.isPinned(plain.key) ? { pinned: true as const } : {}),
    }
    const given = titles?.of(row.key)
    if (given === undefined || given.title === null) return row
    const { title, by, model, at } = given
    return { ...row, title, titled: { by, ...(model === undefined ? {} : { model }), at } }
  }

  function keep(key: LibraryKey, one: KnownConversation): void {
    known.set(key, one)
    isNew = true
  }

  function current({ key, stamp }: ConversationListing): KnownConversation | undefined {
    const one = known.get(key)
    if (one === undefined || one.stamp !== stamp) return undefined
    if (!one.gone) return one
    const { gone: _, ...back } = one
    keep(key, back)
    return back
  }

  function lose(key: LibraryKey): ConversationSummary | undefined {
    const one = known.get(key)
    if (one === undefined) return undefined
    const lost = one.gone ? one : { ...one, gone: true as const }
    if (!one.gone) keep(key, lost)
    return titled(rememberedRow(key, lost, false))
  }

  async function read(
    listed: ConversationListing,
    signal?: AbortSignal,
  ): Promise<KnownConversation> {
    return knownBy(listed, await listed.readFacts(signal))
  }

  function knownBy(listed: ConversationListing, facts: ConversationFacts): KnownConversation {
    const { key, stamp, source, files, bytes, backup } = listed
    const reason = backup === undefined ? {} : { backup }
    const one = { stamp: stamp ?? '', source, files: files.length, bytes, facts, ...reason }
    if (stamp !== undefined) keep(key, one)
    return one
  }

  async function row(
    listed: ConversationListing,
    signal?: AbortSignal,
  ): Promise<ConversationSummary> {
    const running = isRunning(listed.key)
    try {
      const one = current(listed) ?? (await read(listed, signal))
      return titled(listedRow(listed, one, running, listed.unreadable))
    } catch (error) {
      if (signal?.aborted) throw error
      // One that cannot be read must not hide the others.
      const words = error instanceof Error ? error.message : String(error)
      return titled(listedRow(listed, { facts: factsWithoutReading(listed) }, running, words))
    }
  }

  function rowWithoutReading(listed: ConversationListing): ConversationSummary {
    const { facts, unreadable } = listed
    const one = current(listed) ?? (facts === undefined ? undefined : knownBy(listed, facts))
    const known = one ?? { facts: factsWithoutReading(listed) }
    const row = titled(listedRow(listed, known, isRunning(listed.key), unreadable))
    return one === undefined ? { ...row, provisional: true } : row
  }

  return {
    ready: load(),
    keys: () => known.keys(),
    newestFirst: () => inOrder(known).map(([key]) => key),
    remembered(key) {
      const one = known.get(key)
      return one === undefined ? undefined : titled(rememberedRow(key, one, isRunning(key)))
    },
    roughTime: (listed) => (current(listed)?.facts ?? factsWithoutReading(listed)).updated,
    row,
    rowWithoutReading,
    counted: (listed) => current(listed)?.count,
    async count(listed, signal) {
      const before = current(listed)
      if (before?.count !== undefined && isWholeCount(before)) return before.count
      const count = await listed.count(signal)
      const now = current(listed)
      if (now !== undefined) keep(listed.key, { ...now, count })
      return count
    },
    keepOnly(isThere) {
      for (const key of [...known.keys()]) if (!isThere(key)) lose(key)
    },
    lose,
    gone: () => [...known].flatMap(([key, one]) => (one.gone ? [key] : [])),
    forget(key) {
      if (known.get(key)?.gone) isNew = known.delete(key)
    },
    save: () =>
      saves.run(async () => {
        if (!isNew || cache === undefined) return
        isNew = false
        await cache.save(known)
      }),
  }
}

function factsWithoutReading(listed: ConversationListing): ConversationFacts {
  const { ownKey, storedTitle: title = ownKey, updatedAtMs } = listed
  const updated = isoTime(updatedAtMs === undefined ? undefined : updatedAtMs / 1000)
  return { title, project: null, created: null, updated }
}
