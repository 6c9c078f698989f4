import { type LibraryKey, libraryKeyOf } from '../../shared/model/conversation/conversation'
import type { EntryLabel } from '../../shared/model/conversation/entry-labels'
import type { FacetsResult } from '../../shared/model/facet-counts'
import type { NothingFound } from '../../shared/model/nothing-found'
import type { SearchableConversation, SearchResult } from '../../shared/model/search'
import { anySignal } from '../async/any-signal'
import { Mutex } from '../async/mutex'
import type { Disk } from '../disk/interface/disk'
import { mapConcurrent } from '../disk/pacing/map-concurrent'
import { pacedWork } from '../disk/pacing/paced-work'
import type { Library, LibraryRowChange } from '../library/library'
import { familyDuplicates, searchDecoders } from '../library/search'
import { countFacets, type FacetOptions } from '../search/count-facets'
import { explainNothing } from '../search/explain-nothing'
import { openSearch, type Search, type SearchOptions } from '../search/search'
import type { SearchWorkers } from '../search/workers'

/** Progress of the search index, in bytes of the library that has its filters. */
export interface SearchIndexProgress {
  readonly bytes: number
  readonly bytesDone: number
  readonly building: boolean
}

/** Dependencies of a home's search. */
export interface HomeSearchDeps {
  readonly disk: Disk
  readonly library: Pick<Library, 'searchables' | 'searchable' | 'searchableAsFound'>
  /** Where the index is kept; made when there is something to keep. */
  readonly cacheFolder: string
  readonly workers: SearchWorkers
  /** Labels of entries as they are now; without it no entry has one. */
  readonly labels?: (() => Promise<readonly EntryLabel[]>) | undefined
  /** At most ten a second, and when building has ended. */
  readonly tellIndex: (progress: SearchIndexProgress) => void
  readonly note: (words: string) => void
}

/** Search over everything that a library lists. */
export interface HomeSearch {
  /**
   * Finds entries and titles as they are on the disk now, what was just appended too. An abort, or closing the home,
   * ends it with what was found.
   *
   * @throws AppError `unreadable`
   */
  query(text: string, options: SearchOptions): Promise<SearchResult>
  /**
   * Counts the facets of a query over what the last query saw: it goes on behind the hits. An abort, or closing the home, ends
   * it with what was counted.
   *
   * @throws AppError `unreadable`
   */
  facets(text: string, options: FacetOptions): Promise<FacetsResult>
  /** Finds queries next to one that finds nothing. An abort, or closing the home, ends it. @throws AppError `unreadable` */
  explain(text: string, signal: AbortSignal): Promise<NothingFound>
  /** Begins to build the index and keeps it up to date from then on. */
  buildInBackground(): void
}

/** The same, for who keeps it. */
export interface SearchSession extends HomeSearch {
  /** The library has changed. Cheap to call. */
  changed(change: LibraryRowChange): void
  /** Ends all searches and the building; resolves when nothing runs any more. */
  close(): Promise<void>
}

const toldEveryMs = 100

/** Opens search over conversations of every system; which ones, `update` says. Closing it closes the workers. */
export function openConversationSearch(
  options: Pick<HomeSearchDeps, 'disk' | 'cacheFolder' | 'workers'> &
    Pick<Parameters<typeof openSearch>[0], 'refresh'>,
): Search {
  const { disk, cacheFolder, workers, refresh } = options
  const fixed = {
    disk,
    cacheFolder,
    workers,
    decoders: searchDecoders,
    duplicates: familyDuplicates(disk),
  }
  return openSearch(refresh === undefined ? fixed : { ...fixed, refresh })
}

/** Opens search over what a library lists. Looks at nothing before it is asked. */
export function openHomeSearch(deps: HomeSearchDeps): SearchSession {
  return new LibrarySearch(deps)
}

class LibrarySearch implements SearchSession {
  private readonly deps: HomeSearchDeps
  private readonly search: Search
  private readonly closing = new AbortController()
  /** Searches and looks that go on: closing waits for them. */
  private readonly going = new Set<Promise<unknown>>()
  private readonly stale = new Set<LibraryKey>()
  private readonly pace
  private known: Map<LibraryKey, SearchableConversation> | undefined
  /** One look after the other: an older one must not undo what a newer one has found. */
  private readonly looks = new Mutex()
  private wantsIndex = false
  private isFaultNoted = false
  private toldAtMs = 0

  constructor(deps: HomeSearchDeps) {
    this.deps = deps
    this.search = openConversationSearch({
      ...deps,
      refresh: ({ source, key }) => deps.library.searchable(libraryKeyOf(source, key)),
    })
    this.pace = pacedWork(() => this.keep(this.follow()).catch(() => undefined))
  }

  async query(text: string, options: SearchOptions): Promise<SearchResult> {
    const halt = anySignal([options.signal, this.closing.signal])
    try {
      return await this.keep(this.ask(text, { ...options, signal: halt.signal }))
    } finally {
      halt.release()
    }
  }

  facets(text: string, options: FacetOptions): Promise<FacetsResult> {
    return this.behindHits(options.signal, (halt) =>
      countFacets(this.search, text, { ...options, ...halt }),
    )
  }

  explain(text: string, signal: AbortSignal): Promise<NothingFound> {
    return this.behindHits(signal, (halt) => explainNothing(this.search, text, halt))
  }

  buildInBackground(): void {
    if (this.wantsIndex) return
    this.wantsIndex = true
    this.pace.ask()
  }

  changed({ conversations, gone }: LibraryRowChange): void {
    for (const { key } of conversations) this.stale.add(key)
    for (const key of gone) this.stale.add(key as LibraryKey) // the library's own keys, as text
    // Before anything was looked up, there is nothing to bring up to date.
    if (this.known !== undefined) this.pace.ask()
  }

  async close(): Promise<void> {
    this.pace.stop()
    this.closing.abort()
    while (this.going.size > 0) await Promise.allSettled(this.going)
    await this.search.close()
  }

  private async ask(text: string, options: SearchOptions): Promise<SearchResult> {
    await this.bringUpToDate(true)
    return this.search.run(text, { ...options, labels: await this.deps.labels?.() })
  }

  /** Over the conversations as the last query saw them. */
  private async behindHits<T>(
    signal: AbortSignal | undefined,
    work: (given: { signal: AbortSignal; labels: readonly EntryLabel[] | undefined }) => Promise<T>,
  ): Promise<T> {
    const halt = anySignal([signal, this.closing.signal])
    const look = async () => {
      if (this.known === undefined) await this.bringUpToDate(true)
      return work({ signal: halt.signal, labels: await this.deps.labels?.() })
    }
    try {
      return await this.keep(look())
    } finally {
      halt.release()
    }
  }

  private keep<T>(work: Promise<T>): Promise<T> {
    this.going.add(work)
    const forget = () => void this.going.delete(work)
    work.then(forget, forget)
    return work
  }

  /** A query reports what it cannot read; here it is tried again with the next change. */
  private async follow(): Promise<void> {
    await this.bringUpToDate(false)
    if (this.wantsIndex && !this.closing.signal.aborted) await this.build()
  }

  /** @param all also checks conversations without an event: others may append without a sign */
  private bringUpToDate(all: boolean): Promise<void> {
    return this.looks.run(() => this.look(all))
  }

  private async look(all: boolean): Promise<void> {
    const { signal } = this.closing
    if (signal.aborted) return
    const told = [...this.stale]
    this.stale.clear()
    if (this.known === undefined) {
      const conversations = await this.deps.library.searchables(signal)
      await this.search.update(conversations)
      this.known = new Map(conversations.map((one) => [libraryKeyOf(one.source, one.key), one]))
      return
    }
    const { known, deps } = this
    const touched = new Set(all ? await this.touched(known) : [])
    const keys = new Set([...told, ...touched])
    if (keys.size === 0) return
    await mapConcurrent([...keys], async (key) => {
      // What the library tells of it has just looked at: thousands of them, when a first list is counted.
      const now = touched.has(key)
        ? deps.library.searchable(key)
        : deps.library.searchableAsFound(key)
      // One that cannot be read now stays as it is known: the search reports what it cannot read.
      const one = await now.catch(() => known.get(key))
      if (one === undefined) known.delete(key)
      else known.set(key, one)
    })
    await this.search.update([...known.values()])
  }

  /** Those whose last file, the one that is appended to, is not as it was. */
  private async touched(
    known: ReadonlyMap<LibraryKey, SearchableConversation>,
  ): Promise<readonly LibraryKey[]> {
    const found = await mapConcurrent([...known], async ([key, { files }]) => {
      const last = files.at(-1)
      if (last === undefined) return [key]
      const stat = await this.deps.disk.stat(last.path).catch(() => undefined)
      const isSame =
        stat?.identity === last.identity &&
        stat.sizeBytes === last.sizeBytes &&
        stat.mtimeMs === last.mtimeMs
      return isSame ? [] : [key]
    })
    return found.flat()
  }

  private async build(): Promise<void> {
    const { signal } = this.closing
    try {
      await this.search.buildIndex({ signal, onProgress: () => this.tell(true) })
    } catch (error) {
      // Without an index all is read: searches are slower, and as right.
      if (!this.isFaultNoted && !signal.aborted)
        this.deps.note(`search index: ${error instanceof Error ? error.message : String(error)}`)
      this.isFaultNoted = true
    }
    this.tell(false)
  }

  private tell(building: boolean): void {
    const nowMs = performance.now()
    if (this.closing.signal.aborted || (building && nowMs - this.toldAtMs < toldEveryMs)) return
    this.toldAtMs = nowMs
    const { totalBytes, coveredBytes } = this.search.indexProgress()
    this.deps.tellIndex({ bytes: totalBytes, bytesDone: coveredBytes, building })
  }
}
