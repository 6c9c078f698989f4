import type { EntryLabel } from '../../shared/model/conversation/entry-labels'
import type {
  SearchableConversation,
  SearchCounts,
  SearchHit,
  SearchResult,
  SearchScope,
} from '../../shared/model/search'
import { HitCollector } from './collector'
import type { DuplicateFinder } from './duplicate-finder'
import { type Conditions, hasWords, passesTests } from './matcher'
import type { Plan, PlannedRange } from './plan'
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
  /** Searches entries of some conversations alone, counts all of them, and gives the place of every hit. */
  readonly scope?: SearchScope | undefined
}

const usualLimit = 100

/** Parts of an open search that a running one uses. */
export interface SearchParts {
  readonly workers: SearchWorkers
  /** Finds a conversation again whose file was moved or replaced while it was searched. */
  readonly refresh?: (
    conversation: SearchableConversation,
  ) => Promise<SearchableConversation | undefined>
  /** Without it, only equal ids make an entry a copy. */
  readonly duplicates?: DuplicateFinder
}

/** A text that a conversation is found by: its title, or its name. */
export interface CalledText {
  readonly text: string
  readonly folded: string
}

/** One running search: works off its plan, newest jobs first, and collects the hits. */
export class SearchRun {
  private readonly workers: SearchWorkers
  private readonly plan: Plan
  private readonly conditions: Conditions
  private readonly options: SearchOptions
  private readonly lookAgain: SearchParts['refresh']
  private readonly limit: number
  private readonly countsAll: boolean
  private readonly collector: HitCollector
  private readonly notices = new Set<string>()
  private readSegments = 0
  private nextJob = 0
  private isComplete = true

  constructor(
    { workers, refresh, duplicates }: SearchParts,
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
    this.countsAll = options.countAll === true || options.scope !== undefined
    this.collector = new HitCollector(this.limit, duplicates)
  }

  /** Titles are found by words alone: they have no role, type or tool. */
  tryTitle(conversation: SearchableConversation, titles: readonly CalledText[]): void {
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
      ...(this.options.scope === undefined ? {} : { places: this.collector.places() }),
    }
  }

  private async takeJobs(): Promise<void> {
    for (;;) {
      const job = this.plan.jobs[this.nextJob]
      if (job === undefined) return
      // Jobs come newest first: when this one can give no hit that is new enough, none can.
      const isEnough = !this.countsAll && job.newest < this.collector.threshold()
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
