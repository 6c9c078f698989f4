import {
  type ConversationDetails,
  type ConversationSummary,
  LibraryKey,
  parseLibraryKey,
} from '../../shared/model/conversation/conversation'
import { SourceId } from '../../shared/model/conversation/sources'
import type { SourceDrift } from '../../shared/model/drift/drift'
import type { LostAndFound } from '../../shared/model/lost'
import type { SearchableConversation } from '../../shared/model/search'
import type { Disk } from '../disk/interface/disk'
import { mapConcurrent } from '../disk/pacing/map-concurrent'
import { pacedWork } from '../disk/pacing/paced-work'
import type { TitleStore } from '../store/given-titles'
import type { Store } from '../store/store'
import { type Counter, inlineCounter } from './count/counter'
import { type BackgroundCounts, startBackgroundCounts } from './list/background-counts'
import { type LibraryRowChange, openChangeFeed } from './list/change-feed'
import { contextSource } from './list/context-source'
import type { ConversationSource } from './list/conversation-source'
import { detailsOf } from './list/details'
import { historySource } from './list/history-source'
import { libraryCache } from './list/library-cache'
import { libraryFacts } from './list/library-facts'
import { lostAndFound, unplacedLines } from './list/lost-and-found'
import { type LibraryPage, openPages } from './list/pages'
import { byUpdated } from './list/rows'
import { searchableOf } from './list/searchable'
import { driftOfSources } from './list/source-drift'
import { openSourceScan } from './list/source-scan'
import { conversationNotFound } from './sources/conversation-not-found'
import type { Histories } from './sources/histories'

export type { LibraryRowChange } from './list/change-feed'
export { byUpdated } from './list/rows'
export { conversationNotFound } from './sources/conversation-not-found'

/**
 * The list of every conversation that can be shown: a home's contexts and other systems' histories. Reading never
 * writes to them.
 */
export interface Library {
  /**
   * Most recently updated first. The cursor names the last row of the page before.
   *
   * The first page does not wait for all: the first time it comes from the cache, and what has changed since is reported
   * as changes; without a cache, what cannot be read in a moment is put in order by the times of its files, and its rows
   * are read when their page is asked for. Within a page the order is exact. @throws AppError `unreadable`
   */
  list(cursor: string | undefined, limit: number): Promise<LibraryPage>
  /** Every row as it is on the disk now, newest first; with `counted`, what was not counted is. @throws AppError `unreadable` */
  all(counted: boolean, signal?: AbortSignal): Promise<readonly ConversationSummary[]>
  find(key: LibraryKey): Promise<ConversationSummary | undefined>
  /** Every conversation as search knows it, as it is on the disk now. @throws AppError `unreadable` */
  searchables(signal?: AbortSignal): Promise<readonly SearchableConversation[]>
  /** One of them; undefined where there is none any more. @throws AppError `unreadable` */
  searchable(key: LibraryKey): Promise<SearchableConversation | undefined>
  /** Counts the whole conversation. @throws AppError `not-found`, `unreadable` */
  details(key: LibraryKey, signal?: AbortSignal): Promise<ConversationDetails>
  /**
   * Lists what is lost: damaged lines as far as they were counted, what cannot be read, what is gone, and lines that no
   * conversation has.
   *
   * @param again false where the last scan is enough @throws AppError `unreadable`
   */
  lost(again?: boolean, signal?: AbortSignal): Promise<LostAndFound>
  /**
   * Sums up what the histories of each source have that its reader does not know, as far as they were counted. Counts
   * nothing. @throws AppError `unreadable`
   */
  drift(signal?: AbortSignal): Promise<readonly SourceDrift[]>
  /** Stops listing a conversation whose files are gone. */
  forget(key: LibraryKey): Promise<void>
  /** Checks one conversation again and reports it when it changed: after a run of ours, or when it grew. */
  refresh(key: string): Promise<void>
  /**
   * Counts what has not been counted and is not larger than `limitBytes`, the newest first, and reports changes. What changes
   * later is counted again, until the signal aborts.
   */
  countAll(limitBytes: number, signal: AbortSignal): Promise<void>
  /** Lets everything go; the cache is written on return. */
  close(): Promise<void>
}

/** The sources of a library, its cache and its listeners. */
export interface LibraryOptions {
  readonly disk: Disk
  /** Undefined where other systems' histories alone are listed. */
  readonly store: Store | undefined
  /** As people write it: `~/.chibi`. */
  readonly shownHome: string
  readonly histories?: Histories
  /** Where the cache is kept; made when there is something to keep. Nothing is cached without one. */
  readonly cacheFolder?: string
  /** Counts whole conversations; in this thread where none is given. The caller closes it, after the library. */
  readonly counter?: Counter
  /** True where a root of a source was not scanned completely: what was not found there does not count as gone. */
  readonly isPartial?: (source: SourceId) => boolean
  /** Titles and tags that were given in Skein; without it there are none. */
  readonly titles?: Pick<TitleStore, 'look' | 'of' | 'tagsOf'>
  /** Whether a run of ours is writing there now. */
  readonly isRunning: (key: string) => boolean
  readonly changed: (change: LibraryRowChange) => void
  /** Called once, after the first scan, with the contexts whose answer a crash cut off. */
  readonly interrupted?: (names: readonly string[]) => void
  readonly note?: (words: string) => void
  /** False for a single use, as by the command line. */
  readonly watched?: boolean
}

/**
 * Opens the library over a store and other systems' histories, and watches them.
 *
 * What was read is kept by size, time and identity of the files, in memory and in the cache, so a second scan reads
 * only what changed.
 */
export function openLibrary(options: LibraryOptions): Library {
  const { disk, store, histories } = options
  const note = options.note ?? (() => {})
  const counter = options.counter ?? inlineCounter(disk)
  const sources: readonly ConversationSource[] = [
    ...(store === undefined
      ? []
      : [contextSource(counter, store, options.shownHome, options.interrupted)]),
    ...(histories === undefined ? [] : [historySource(disk, histories, counter)]),
  ]
  const roots = [
    ...(store === undefined ? [] : [{ source: 'chibi' as const, path: store.home }]),
    ...(histories?.roots ?? []),
  ]
  const cache =
    options.cacheFolder === undefined
      ? undefined
      : libraryCache(disk, options.cacheFolder, roots, note)
  const facts = libraryFacts(cache, options.isRunning, options.titles)

  const scan = openSourceScan(sources, facts.ready)
  const changes = openChangeFeed({
    facts,
    scan,
    isPromised: (key) => pages.isPromised(key),
    isMissing: (key) => !scan.found.has(key) && !mayBeThere(key),
    changed(change) {
      options.changed(change)
      counting?.recount(change.conversations)
    },
  })
  let counting: BackgroundCounts | undefined
  let countedBytes = Number.POSITIVE_INFINITY

  /** Whether one that was not found may be there all the same. */
  function mayBeThere(key: LibraryKey): boolean {
    const source = SourceId.safeParse(parseLibraryKey(key).source)
    if (!source.success) return false
    return histories?.isPartial(source.data) === true || options.isPartial?.(source.data) === true
  }

  /** The row of one that was not found: it is gone, unless its place could not be scanned. */
  function missing(key: LibraryKey): ConversationSummary | undefined {
    return mayBeThere(key) ? facts.remembered(key) : facts.lose(key)
  }

  async function scanAll(signal?: AbortSignal): Promise<void> {
    await options.titles?.look()
    await scan.all(signal)
    facts.keepOnly((key) => scan.found.has(key) || mayBeThere(key))
  }

  async function reportChanges(source: ConversationSource): Promise<void> {
    await options.titles?.look()
    await scan.at(source)
    await changes.differences(source)
  }

  /** Before the list was asked for, there is no change to report. */
  async function watched(source: ConversationSource): Promise<void> {
    await scan.settled()
    if (scan.isDone) await reportChanges(source)
  }

  /** Reports differences on the disk from rows that were given from the cache. */
  async function check(): Promise<void> {
    try {
      await scanAll()
      for (const source of sources) await changes.differences(source)
      await facts.save()
    } catch (error) {
      note(`The list was not checked: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  const pages = openPages({ facts, scan, scanAll, check, missing, gave: changes.gave })

  async function find(key: LibraryKey): Promise<ConversationSummary | undefined> {
    await options.titles?.look()
    const listed = await scan.one(key)
    return listed === undefined ? missing(key) : facts.row(listed)
  }

  const watching =
    options.watched === false
      ? []
      : sources.map((source) => {
          // A source that cannot be listed now is reported when the list is asked for.
          const pace = pacedWork(() => watched(source).catch(() => undefined))
          return { pace, unwatch: source.watch(pace.ask) }
        })

  return {
    list: pages.list,

    async all(counted, signal) {
      await scanAll(signal)
      const rows = await mapConcurrent([...scan.found.values()], async (listed) => {
        const row = await facts.row(listed, signal)
        if (!counted || row.unreadable !== undefined) return row
        // One that cannot be counted is listed all the same.
        await facts.count(listed, signal).catch(() => signal?.throwIfAborted())
        return facts.row(listed, signal)
      })
      await facts.save()
      return [...rows].sort(byUpdated)
    },

    find,

    async searchables(signal) {
      await scanAll(signal)
      const found = await mapConcurrent([...scan.found.values()], async (listed) =>
        searchableOf(listed, await facts.row(listed, signal), facts.counted(listed)),
      )
      await facts.save()
      return found
    },

    async searchable(key) {
      await options.titles?.look()
      const listed = await scan.one(key)
      if (listed === undefined) return undefined
      return searchableOf(listed, await facts.row(listed), facts.counted(listed))
    },

    async details(key, signal) {
      await options.titles?.look()
      const listed = await scan.one(key)
      if (listed === undefined) throw conversationNotFound(histories, key, mayBeThere(key))
      await facts.row(listed, signal)
      const count = await facts.count(listed, signal)
      const row = await facts.row(listed, signal)
      return detailsOf(row, listed.shownPlace, count, await listed.readNotes())
    },

    async lost(again = true, signal = new AbortController().signal) {
      if (!scan.isDone) await (pages.firstCheck() ?? scanAll(signal))
      // What failed before may be there now.
      else if (again) await scanAll(signal)
      const unplaced = histories === undefined ? [] : await unplacedLines(disk, histories, signal)
      return lostAndFound([...scan.found.values()], facts, unplaced, countedBytes)
    },

    async drift(signal = new AbortController().signal) {
      if (!scan.isDone) await (pages.firstCheck() ?? scanAll(signal))
      return driftOfSources(scan.found.values(), facts)
    },

    async forget(key) {
      facts.forget(key)
      if (!scan.found.has(key)) changes.tell([], [key])
      await facts.save()
    },

    async refresh(name) {
      const key = LibraryKey.parse(name)
      const row = await find(key)
      if (row !== undefined) return changes.tell([row])
      const source = sources.find((one) => one.holds(key))
      if (source !== undefined) await reportChanges(source)
    },

    async countAll(limitBytes, signal) {
      await (scan.isDone ? undefined : (pages.firstCheck() ?? scanAll(signal)))
      countedBytes = limitBytes
      counting = startBackgroundCounts({
        facts,
        find: scan.one,
        width: counter.width,
        limitBytes,
        signal,
        tell: changes.tell,
      })
      await counting.count(pages.newestFirst([...scan.found.values()]))
    },

    async close() {
      for (const { pace, unwatch } of watching) {
        unwatch()
        pace.stop()
      }
      counting?.stop()
      await pages.firstCheck()
      await facts.save()
    },
  }
}
