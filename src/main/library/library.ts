import {
  type ConversationSummary,
  LibraryKey,
  parseLibraryKey,
} from '../../shared/model/conversation/conversation'
import { SourceId } from '../../shared/model/conversation/sources'
import { mapConcurrent } from '../disk/pacing/map-concurrent'
import { pacedWork } from '../disk/pacing/paced-work'
import { inlineCounter } from './count/counter'
import type { Library, LibraryOptions } from './library-shape'
import { type BackgroundCounts, startBackgroundCounts } from './list/background-counts'
import { openChangeFeed } from './list/change-feed'
import { contextSource } from './list/context-source'
import type { ConversationSource, FoundListings } from './list/conversation-source'
import { detailsOf } from './list/details'
import { beginFirstListing } from './list/first-listing'
import { historySource } from './list/history-source'
import { libraryCache } from './list/library-cache'
import { libraryFacts } from './list/library-facts'
import { lostAndFound, unlistedRoots, unplacedLines } from './list/lost-and-found'
import { openPages } from './list/pages'
import { byUpdated } from './list/rows'
import { searchableOf } from './list/searchable'
import { driftOfSources } from './list/source-drift'
import { openSourceScan } from './list/source-scan'
import { conversationNotFound } from './sources/conversation-not-found'

export type { Library, LibraryOptions } from './library-shape'
export type { LibraryRowChange } from './list/change-feed'
export { byUpdated } from './list/rows'
export { conversationNotFound } from './sources/conversation-not-found'

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

  async function scanAll(signal?: AbortSignal, found?: FoundListings): Promise<void> {
    await options.titles?.look()
    await scan.all(signal, found)
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
    // A first list tells what it finds; what has changed behind it is found now.
    await pages.toldList()
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

  const closing = new AbortController()
  const pages = openPages({
    facts,
    scan,
    scanAll,
    check,
    rowsAfterMs: options.rowsAfterMs,
    beginListing: () =>
      beginFirstListing({
        facts,
        scan: (found, signal) => scanAll(signal, found),
        isThere: (key) => scan.found.has(key),
        isPromised: (key) => pages.isPromised(key),
        tell: changes.tellListed,
        signal: closing.signal,
      }),
    async tellListing(listing) {
      await listing.tellRows()
      await facts.save()
    },
    missing,
    gave: changes.gave,
  })

  /** Scans all sources, unless the first list does so already: what was found a moment ago is not listed again. */
  async function scanNow(signal?: AbortSignal): Promise<void> {
    const told = pages.toldList()
    await told
    if (told === undefined || !scan.isDone) await scanAll(signal)
  }

  /** Waits for the scan of a first list, or scans; also where that list has failed. @throws AppError `unreadable` */
  async function scanned(signal: AbortSignal): Promise<void> {
    await pages.firstCheck()
    // Who closes the library has it end with the part that is known.
    if (!scan.isDone && !closing.signal.aborted) await scanAll(signal)
  }

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
      await scanNow(signal)
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

    async searchableAsFound(key) {
      const listed = scan.found.get(key)
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
      if (!scan.isDone) await scanned(signal)
      // What failed before may be there now.
      else if (again) await scanNow(signal)
      const unplaced =
        histories === undefined
          ? []
          : [...unlistedRoots(histories), ...(await unplacedLines(disk, histories, signal))]
      return lostAndFound([...scan.found.values()], facts, unplaced, countedBytes)
    },

    async drift(signal = new AbortController().signal) {
      if (!scan.isDone) await scanned(signal)
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
      // A scan of its source would wait until all of a first list is found.
      if (pages.toldList() !== undefined) return changes.tell([], [key])
      const source = sources.find((one) => one.holds(key))
      if (source !== undefined) await reportChanges(source)
    },

    async countAll(limitBytes, signal) {
      await (scan.isDone ? pages.toldList() : scanned(signal))
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
      closing.abort()
      await pages.firstCheck()
      await facts.save()
    },
  }
}
