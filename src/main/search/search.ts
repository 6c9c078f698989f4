import { fold } from '../../shared/model/basics/fold'
import { parseQuery } from '../../shared/model/query/parse-query'
import type {
  SearchableConversation,
  SearchDecoders,
  SearchFile,
  SearchResult,
} from '../../shared/model/search'
import { Mutex } from '../async/mutex'
import type { Disk } from '../disk/interface/disk'
import { yieldWhenDue } from '../disk/pacing/slices'
import { type IndexProgress, SegmentIndex } from '../segments/segment-index'
import { BranchBook } from './branches'
import { conditionsOf, everything } from './conditions/conditions'
import { conversationTest } from './conditions/conversation-test'
import type { CalledText } from './conditions/title-test'
import { planSearch, type SegmentedFiles, sortIntoSegments } from './plan'
import { prepareScope, scopedConditions } from './scope'
import { type SearchOptions, type SearchParts, SearchRun } from './search-run'

export { isWholePart } from '../segments/index-lookup'
export type { SearchOptions } from './search-run'

/** Words between two looks at whether other work of the thread waits. */
const wordsOfTurn = 1024

/** The search over conversations; opened once, used often. */
export interface Search {
  /** Sets what is searched from now on. Cheap where files did not change; a running search is not disturbed. */
  update(conversations: readonly SearchableConversation[]): Promise<void>
  /**
   * Finds the entries and titles that match a query. Never misses one in the files that `update` got.
   *
   * An abort ends it early: the result holds what was found, and is not `complete`.
   */
  run(query: string, options?: SearchOptions): Promise<SearchResult>
  /**
   * Brings the index up to date. Returns false when another process is doing so.
   *
   * @param options.all also indexes what is so little that searches read it in no time
   */
  buildIndex(options?: {
    readonly all?: boolean
    readonly onProgress?: (progress: IndexProgress) => void
    readonly signal?: AbortSignal
  }): Promise<boolean>
  indexProgress(): IndexProgress
  /** Goes through every word of the index and of titles, folded, some of them more than once; in turns, until the signal aborts. */
  eachWord(take: (word: string) => void, signal?: AbortSignal): Promise<void>
  close(): Promise<void>
}

/**
 * Opens search; it finds nothing until the first `update`.
 *
 * @param options.cacheFolder where the index is kept; made when there is something to keep
 */
export function openSearch(
  options: SearchParts & {
    readonly disk: Disk
    readonly decoders: SearchDecoders
    readonly cacheFolder: string
  },
): Search {
  const { workers } = options
  const index = new SegmentIndex(options.disk, options.decoders, options.cacheFolder)
  const branches = new BranchBook(workers)
  let conversations: readonly SearchableConversation[] = []
  /** Titles and names, as they are and folded. */
  let titles: readonly (readonly CalledText[])[] = []
  let territory: SegmentedFiles = { units: [], uncovered: [], total: 0 }
  /** Each sees the list as it is when its turn comes. */
  const refreshes = new Mutex()
  /** The last one: what it could not read, a search tells. */
  let refreshing: Promise<void> = Promise.resolve()

  function refresh(): Promise<void> {
    refreshing = refreshes.run(async () => {
      await index.refresh(filesOf(conversations))
      territory = territoryNow()
    })
    return refreshing
  }

  function territoryNow(): SegmentedFiles {
    const coverages = new Map(index.files.map((coverage) => [coverage.file.path, coverage]))
    return sortIntoSegments(conversations, coverages)
  }

  return {
    update(next) {
      conversations = next
      titles = next.map(({ title, name }) =>
        (name === undefined ? [title] : [title, name]).map((text) => ({
          text,
          folded: fold(text),
        })),
      )
      return refresh()
    },

    async run(text, searchOptions = {}) {
      const startedAt = performance.now()
      await refreshing
      const query = parseQuery(text)
      const conditions =
        searchOptions.counting?.isEverything === true
          ? everything
          : conditionsOf(query, searchOptions.labels ?? [])
      const test = conversationTest(conditions, conversations)
      const scope = searchOptions.scope && prepareScope(searchOptions.scope)
      const searched = scope?.cut(territory) ?? territory
      const scoped = scopedConditions(conditions, scope)
      const plan =
        scoped.root === undefined
          ? { jobs: [], total: searched.total, planned: true }
          : planSearch(searched, scoped.root, test.mayHold, searchOptions.order)
      const run = new SearchRun({ ...options, branches }, plan, scoped, test.scopeOf, searchOptions)
      conversations.forEach((conversation, n) => {
        if (!test.mayHold(conversation)) return
        if (scope === undefined) run.tryTitle(conversation, titles[n] ?? [])
        if (scope?.has(conversation) !== false) run.noteUnreadable(conversation)
      })
      const result = await run.finish()
      const hints = query.hints.length === 0 ? {} : { hints: [...query.hints] }
      return { ...result, ...hints, elapsedMs: performance.now() - startedAt }
    },

    async buildIndex(buildOptions = {}) {
      await refreshing
      const done = await index.build(
        (files, target, signal) => workers.build(files, target, signal),
        {
          all: buildOptions.all ?? false,
          signal: buildOptions.signal,
          onProgress: (progress) => {
            territory = territoryNow()
            buildOptions.onProgress?.(progress)
          },
        },
      )
      await refresh()
      return done
    },

    indexProgress: () => index.progress(),

    async eachWord(take, signal) {
      const giveWay = yieldWhenDue()
      for (const part of new Set(territory.units.map((unit) => unit.part))) {
        let taken = 0
        for (const word of part.words()) {
          take(word)
          if (++taken % wordsOfTurn > 0) continue
          await giveWay(0)
          if (signal?.aborted === true) return
        }
      }
      for (const { folded } of titles.flat())
        for (const word of folded.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []) take(word)
    },
    close: () => workers.close(),
  }
}

function filesOf(conversations: readonly SearchableConversation[]): readonly SearchFile[] {
  return conversations.flatMap(({ files }) => files)
}
