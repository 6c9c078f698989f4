import { fold } from '../../shared/model/basics/fold'
import type { EntryLabel } from '../../shared/model/conversation/entry-labels'
import type {
  SearchableConversation,
  SearchCounts,
  SearchDecoders,
  SearchFile,
  SearchHit,
  SearchResult,
} from '../../shared/model/search'
import { Mutex } from '../async/mutex'
import type { Disk } from '../disk/interface/disk'
import { type IndexProgress, SegmentIndex } from '../segments/segment-index'
import { HitCollector } from './collector'
import type { DuplicateFinder } from './duplicate-finder'
import { labelScope } from './label-test'
import {
  asksForAnything,
  type Conditions,
  conditionsOf,
  hasWords,
  isInScope,
  passesTests,
} from './matcher'
import {
  type Plan,
  type PlannedRange,
  planSearch,
  type SegmentedFiles,
  sortIntoSegments,
} from './plan'
import { parseQuery } from './query'
import { snippetOf } from './snippet'
import type { SearchWorkers } from './workers'

/** Options of one search: limit, listeners and signal. */
export interface SearchOptions {
  /** Number of hits, the newest; 100 by default. */
  readonly limit?: number
  /** Reads on to count every hit, also when the limit is reached. */
  readonly countAll?: boolean
  /** New hits as they are found, in no order; some may fall out of the limit again. */
  readonly found?: (hits: readonly SearchHit[]) => void
  /** After every segment that was read. */
  readonly progress?: (counts: SearchCounts) => void
  readonly signal?: AbortSignal
  /** Labels of entries, which the field `label` asks for; without them no entry has one. */
  readonly labels?: readonly EntryLabel[] | undefined
}

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
  close(): Promise<void>
}

/**
 * Opens search; it finds nothing until the first `update`.
 *
 * @param options.cacheFolder where the index is kept; made when there is something to keep
 *
 * @param options.refresh finds a conversation again whose file was moved or replaced while it was searched
 */
export function openSearch(options: {
  readonly disk: Disk
  readonly decoders: SearchDecoders
  readonly cacheFolder: string
  readonly workers: SearchWorkers
  readonly refresh?: (
    conversation: SearchableConversation,
  ) => Promise<SearchableConversation | undefined>
  /** Without it, only equal ids make an entry a copy. */
  readonly duplicates?: DuplicateFinder
}): Search {
  const { workers } = options
  const index = new SegmentIndex(options.disk, options.decoders, options.cacheFolder)
  let conversations: readonly SearchableConversation[] = []
  /** Titles and names, as they are and folded. */
  let titles: readonly (readonly Called[])[] = []
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
      const conditions = conditionsOf(query, searchOptions.labels ?? [])
      const labelTests = conditions.tests.flatMap((test) => (test.type === 'label' ? [test] : []))
      const mayBeLabelled = labelScope(labelTests, conversations)
      const scoped = new Map<SearchableConversation, boolean>()
      const inScope = (conversation: SearchableConversation) => {
        const known = scoped.get(conversation)
        if (known !== undefined) return known
        const is = isInScope(conversation, conditions.scope) && mayBeLabelled(conversation)
        scoped.set(conversation, is)
        return is
      }
      const plan = asksForAnything(conditions)
        ? planSearch(territory, conditions, inScope)
        : { jobs: [], total: territory.total, planned: true }
      const run = new SearchRun(options, plan, conditions, searchOptions)
      conversations.forEach((conversation, n) => {
        if (!inScope(conversation)) return
        run.tryTitle(conversation, titles[n] ?? [])
        run.noteUnreadable(conversation)
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
    close: () => workers.close(),
  }
}

function filesOf(conversations: readonly SearchableConversation[]): readonly SearchFile[] {
  return conversations.flatMap(({ files }) => files)
}

const usualLimit = 100

type Opened = Parameters<typeof openSearch>[0]

/** A text that a conversation is found by: its title, or its name. */
interface Called {
  readonly text: string
  readonly folded: string
}

/** One running search. */
class SearchRun {
  private readonly workers: SearchWorkers
  private readonly plan: Plan
  private readonly conditions: Conditions
  private readonly options: SearchOptions
  private readonly lookAgain: Opened['refresh']
  private readonly limit: number
  private readonly collector: HitCollector
  private readonly notices = new Set<string>()
  private readSegments = 0
  private nextJob = 0
  private isComplete = true

  constructor(
    { workers, refresh, duplicates }: Opened,
    plan: Plan,
    conditions: Conditions,
    options: SearchOptions,
  ) {
    this.workers = workers
    this.plan = plan
    this.conditions = conditions
    this.options = options
    this.lookAgain = refresh
    this.limit = options.limit ?? usualLimit
    this.collector = new HitCollector(this.limit, duplicates)
  }

  /** Titles are found by words alone: they have no role, type or tool. */
  tryTitle(conversation: SearchableConversation, titles: readonly Called[]): void {
    const { words, tests } = this.conditions
    const matching = titles.find(({ folded }) => hasWords(folded, this.conditions))
    if (words.length === 0 || matching === undefined) return
    const title = { entryId: '', timestamp: null, field: 'content', text: '', type: '' } as const
    if (!passesTests(title, conversation, tests)) return
    const hit = this.collector.addTitle(conversation, snippetOf(matching.text, words))
    this.options.found?.([hit])
  }

  noteUnreadable({ title, unreadable, unread = [] }: SearchableConversation): void {
    if (unreadable !== undefined) this.notices.add(`${title} was not searched: ${unreadable}`)
    for (const sentence of unread) this.notices.add(`Not all of ${title} was searched: ${sentence}`)
  }

  async finish(): Promise<Omit<SearchResult, 'elapsedMs'>> {
    const width = Math.min(this.workers.width, this.plan.jobs.length)
    await Promise.all(Array.from({ length: width }, () => this.takeJobs()))
    return {
      hits: this.collector.hits(),
      total: this.collector.total,
      segments: this.counts(),
      complete: this.isComplete,
      planned: this.plan.planned,
      notices: [...this.notices],
    }
  }

  private async takeJobs(): Promise<void> {
    for (;;) {
      const job = this.plan.jobs[this.nextJob]
      if (job === undefined) return
      // Jobs come newest first: when this one can give no hit that is new enough, none can.
      const isEnough = !this.options.countAll && job.newest < this.collector.threshold()
      if (isEnough || this.options.signal?.aborted) {
        this.isComplete = false
        return
      }
      this.nextJob++
      await this.runJob(job.ranges, true)
      this.readSegments += job.segments
      this.options.progress?.(this.counts())
    }
  }

  /** @param again whether files that were moved are looked up: once, since they may move for ever */
  private async runJob(ranges: readonly PlannedRange[], again: boolean): Promise<void> {
    const { signal } = this.options
    const plain = ranges.map(({ conversation: _, file: __, ...range }) => range)
    const answer = await this.workers.scan(
      { ranges: plain, conditions: this.conditions, limit: this.limit },
      signal,
    )
    if (signal?.aborted) this.isComplete = false
    for (const notice of answer.notices) this.notices.add(notice)
    const added = await this.collector.add(answer, ranges, signal)
    if (added.length > 0) this.options.found?.(added)
    const moved = answer.moved.flatMap((number) => ranges[number] ?? [])
    if (moved.length === 0) return
    const found = again ? await this.findMoved(moved) : []
    for (const range of moved)
      if (!found.some(({ identity }) => identity === range.identity))
        this.notices.add(`${range.file.place} was replaced or removed while it was searched.`)
    if (found.length > 0) await this.runJob(found, false)
  }

  /** The same bytes under the path that they have now. */
  private async findMoved(moved: readonly PlannedRange[]): Promise<readonly PlannedRange[]> {
    const found: PlannedRange[] = []
    for (const range of moved) {
      const now = await this.lookAgain?.(range.conversation).catch(() => undefined)
      const file = now?.files.find(({ identity }) => identity === range.identity)
      if (file !== undefined) found.push({ ...range, file, path: file.path })
    }
    return found
  }

  private counts(): SearchCounts {
    const planned = this.plan.jobs.reduce((sum, { segments }) => sum + segments, 0)
    return { total: this.plan.total, read: this.readSegments, skipped: this.plan.total - planned }
  }
}
