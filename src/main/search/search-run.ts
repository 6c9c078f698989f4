import { pushAll } from '../../shared/model/basics/long-lists'
import type { EntryLabel } from '../../shared/model/conversation/entry-labels'
import {
  mostComparedHits,
  type SearchableConversation,
  type SearchCounts,
  type SearchHit,
  type SearchOrder,
  type SearchResult,
  type SearchScope,
} from '../../shared/model/search'
import type { BranchBook } from './branches'
import { HitCollector } from './collector'
import { leafConditions } from './conditions/condition'
import type { Conditions } from './conditions/conditions'
import type { ConversationTest } from './conditions/conversation-test'
import { type CalledText, type TitleTest, titleTest } from './conditions/title-test'
import type { HitFacts } from './counts/facet-tally'
import type { DuplicateFinder } from './duplicate-finder'
import { relevanceOf } from './order/relevance'
import type { Plan, PlannedJob, PlannedRange } from './plan'
import { createQueue, type ScanJob, type ScanStep } from './scan-job'
import type { ScannedFile } from './scan-range'
import { snippetOf } from './snippet'
import type { SearchWorkers } from './workers'

/** Options of one search: limit, listeners and signal. */
export interface SearchOptions {
  /** Number of hits, the first in the order; 100 by default. */
  readonly limit?: number
  /** What comes first: the newest by default. The best may be anywhere: all that may match is read, up to `mostCompared` hits. */
  readonly order?: SearchOrder | undefined
  /** Hits after which a search for the best ones ends, unless all are counted; 100,000 by default. */
  readonly mostCompared?: number
  /** Reads on to count every hit, also when the limit is reached. */
  readonly countAll?: boolean
  /** New hits as they are found, in no order; some may fall out of the limit again. What finds them waits until it resolves. */
  readonly found?: (hits: readonly SearchHit[]) => void | Promise<void>
  /** Reads little between two times that hits are told: somebody takes them one after the other, and may stop. */
  readonly isStreamed?: boolean
  /** After every segment that was read. */
  readonly progress?: (counts: SearchCounts) => void
  readonly signal?: AbortSignal
  /** Labels of entries, which the field `label` asks for; without them no entry has one. */
  readonly labels?: readonly EntryLabel[] | undefined
  /** Searches entries of some conversations alone, counts all of them, and gives the place of every hit. */
  readonly scope?: SearchScope | undefined
  /** Counts all hits by their facts. */
  readonly counting?: Counting
}

/** Request for counts of all hits by their facts. */
export interface Counting {
  /** Counts every entry: the query asks for nothing. */
  readonly isEverything: boolean
  /** Hits after which the search ends. */
  readonly mostHits: number
  /** The hits so far, after each round; the last time at the end. The search waits until it resolves: until then the hits stay as they are. */
  readonly counted: (hits: CountedHits) => Promise<void>
}

/** Hits of a search that counts. */
export interface CountedHits {
  readonly total: number
  /** The facts of each hit and of its copies. */
  facts(): Iterable<readonly HitFacts[]>
  /**
   * Reads the branches of the conversations that hits are in: of those that have some inside, facts tell the branch from then on. Returns
   * a sentence for each that cannot be read. An abort of the search ends it early.
   */
  readBranches(): Promise<readonly string[]>
}

const usualLimit = 100
/** Jobs of the first round and of the longest, each twice as long as the one before: what is found is told after each. */
const firstRound = 8
const lastRound = 1024
/** Bytes after which a round ends, so that one of whole segments takes no longer than it may. */
const roundBytes = 64 * 1024 * 1024

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

/** One running search: works off its plan, the jobs that may have the first hits first, and collects the hits. */
export class SearchRun {
  private readonly workers: SearchWorkers
  private readonly branches: BranchBook
  private readonly plan: Plan
  private readonly conditions: Conditions
  private readonly scopeOf: ConversationTest['scopeOf']
  private readonly options: SearchOptions
  private readonly lookAgain: SearchParts['refresh']
  private readonly limit: number
  private readonly order: SearchOrder
  private readonly countsAll: boolean
  private readonly collector: HitCollector
  private readonly titleTest: TitleTest
  private readonly notices = new Set<string>()
  private readSegments = 0
  private isComplete = true

  constructor(
    { workers, refresh, duplicates, branches }: SearchParts & { readonly branches: BranchBook },
    plan: Plan,
    conditions: Conditions,
    scopeOf: ConversationTest['scopeOf'],
    options: SearchOptions,
  ) {
    this.workers = workers
    this.branches = branches
    this.plan = plan
    this.conditions = conditions
    this.scopeOf = scopeOf
    this.options = options
    this.lookAgain = refresh
    this.limit = options.limit ?? usualLimit
    this.order = options.order ?? 'newest'
    this.countsAll =
      options.countAll === true ||
      options.scope !== undefined ||
      options.counting !== undefined ||
      this.order === 'best'
    this.collector = new HitCollector(this.limit, duplicates, this.order)
    this.titleTest = titleTest(conditions)
  }

  /** Tries titles: they are found by words alone, and have no role, type or tool. Patterns do not match them. */
  tryTitle(conversation: SearchableConversation, titles: readonly CalledText[]): void {
    for (const title of titles) {
      const places = this.titleTest(title, conversation, this.scopeOf(conversation))
      if (places === undefined) continue
      const cut = snippetOf(title.text, this.conditions.marks, places)
      const relevance =
        this.order === 'best'
          ? relevanceOf(title.folded, this.conditions.terms, 'title')
          : undefined
      const hit = this.collector.addTitle(conversation, cut, relevance)
      void this.options.found?.([hit])
      return
    }
  }

  noteUnreadable({ title, unreadable, unread = [] }: SearchableConversation): void {
    if (unreadable !== undefined) this.notices.add(`${title} was not searched: ${unreadable}`)
    for (const sentence of unread) this.notices.add(`Not all of ${title} was searched: ${sentence}`)
  }

  async finish(): Promise<Omit<SearchResult, 'elapsedMs'>> {
    const { jobs } = this.plan
    const longest = this.options.isStreamed === true ? firstRound : lastRound
    for (let from = 0, size = firstRound; from < jobs.length; size *= 2) {
      const round = nextRound(jobs, from, Math.min(size, longest))
      from += round.length
      if (!(await this.runRound(round)) || this.hasCountedEnough(from < jobs.length)) {
        this.isComplete = false
        break
      }
    }
    await this.options.counting?.counted(this.countedHits())
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

  /**
   * Searches some jobs. Returns false where it did not go through all of them: nothing that comes later has a score that is high enough, or the
   * search was cancelled.
   */
  private async runRound(jobs: readonly PlannedJob[]): Promise<boolean> {
    if (this.options.signal?.aborted) return false
    const done = await this.scan(jobs, true)
    for (const number of done) this.readSegments += jobs[number]?.segments ?? 0
    this.options.progress?.(this.counts())
    await this.options.counting?.counted(this.countedHits())
    return done.length === jobs.length
  }

  private hasCountedEnough(isMoreToRead: boolean): boolean {
    const { counting, countAll, mostCompared = mostComparedHits } = this.options
    const most = counting?.mostHits ?? (countAll === true ? undefined : mostCompared)
    const isLimited = counting !== undefined || this.order === 'best'
    return isMoreToRead && isLimited && most !== undefined && this.collector.total >= most
  }

  private countedHits(): CountedHits {
    const { collector, branches } = this
    const { signal } = this.options
    return {
      total: collector.total,
      facts: () => collector.facts((conversation) => branches.of(conversation)),
      async readBranches() {
        return (await branches.read(collector.conversations(), signal)).notices
      },
    }
  }

  /** Gives files what is to be known of their branches, where a condition asks for them: one object for each file. */
  private async filesFor(
    ranges: readonly PlannedRange[],
  ): Promise<(range: PlannedRange) => ScannedFile> {
    if (!asksForBranches(this.conditions)) return ({ of }) => of
    const conversations = ranges.map(({ conversation }) => conversation)
    const { of: leftOf, notices } = await this.branches.read(conversations, this.options.signal)
    for (const notice of notices) this.notices.add(notice)
    const files = new Map<ScannedFile, ScannedFile>()
    return ({ of, conversation }) => {
      const known = files.get(of) ?? { ...of, left: leftOf(conversation) ?? 'unknown' }
      files.set(of, known)
      return known
    }
  }

  /**
   * Searches some jobs in all threads. Returns the numbers of those that were gone through.
   *
   * @param again whether files that were moved are looked up: once, since they may move for ever
   */
  private async scan(jobs: readonly PlannedJob[], again: boolean): Promise<readonly number[]> {
    const { signal } = this.options
    const ranges = jobs.flatMap((job) => job.ranges)
    const fileOf = await this.filesFor(ranges)
    const job: ScanJob = {
      ranges: ranges.map((range) => {
        const { conversation, from, to, firstLine, hazards } = range
        return {
          of: fileOf(range),
          from,
          to,
          firstLine,
          hazards,
          scope: this.scopeOf(conversation),
        }
      }),
      steps: stepsOf(jobs),
      conditions: this.conditions,
      order: this.order,
      limit: this.limit,
      // Jobs come by their highest score: when one can give no hit that is high enough, none behind it can.
      threshold: this.countsAll ? Number.NEGATIVE_INFINITY : this.collector.threshold(),
      countsAll: this.countsAll,
      wantsFacts: this.options.counting !== undefined,
      queue: createQueue(jobs.length),
    }
    const done: number[] = []
    const moved: PlannedRange[] = []
    const work = async () => {
      const answer = await this.workers.scan(job, signal)
      pushAll(done, answer.done)
      for (const notice of answer.notices) this.notices.add(notice)
      const added = await this.collector.add(answer, ranges, signal)
      if (added.length > 0) await this.options.found?.(added)
      pushAll(
        moved,
        answer.moved.flatMap((number) => ranges[number] ?? []),
      )
    }
    await Promise.all(Array.from({ length: Math.min(this.workers.width, jobs.length) }, work))
    if (moved.length > 0) await this.scanMoved(moved, again)
    return done
  }

  private async scanMoved(moved: readonly PlannedRange[], again: boolean): Promise<void> {
    const found = again ? await this.findMoved(moved) : []
    for (const range of moved)
      if (!found.some(({ of }) => of.identity === range.of.identity))
        this.notices.add(`${range.file.place} was replaced or removed while it was searched.`)
    if (found.length > 0)
      await this.scan([{ ranges: found, highest: Number.POSITIVE_INFINITY, segments: 0 }], false)
  }

  /** The same bytes under the path that they have now. */
  private async findMoved(moved: readonly PlannedRange[]): Promise<readonly PlannedRange[]> {
    const found: PlannedRange[] = []
    for (const range of moved) {
      const now = await this.lookAgain?.(range.conversation).catch(() => undefined)
      const file = now?.files.find(({ identity }) => identity === range.of.identity)
      if (file !== undefined) found.push({ ...range, file, of: { ...range.of, path: file.path } })
    }
    return found
  }

  private counts(): SearchCounts {
    const planned = this.plan.jobs.reduce((sum, { segments }) => sum + segments, 0)
    return { total: this.plan.total, read: this.readSegments, skipped: this.plan.total - planned }
  }
}

function asksForBranches({ root }: Conditions): boolean {
  const leaves = root === undefined ? [] : leafConditions(root)
  return leaves.some((leaf) => leaf.type === 'field' && leaf.field === 'branch')
}

function nextRound(jobs: readonly PlannedJob[], from: number, most: number): readonly PlannedJob[] {
  let bytes = 0
  let end = from
  while (end < jobs.length && end - from < most && bytes < roundBytes) {
    for (const range of jobs[end]?.ranges ?? []) bytes += range.to - range.from
    end += 1
  }
  return jobs.slice(from, end)
}

/** The steps of jobs, whose ranges follow each other. */
function stepsOf(jobs: readonly PlannedJob[]): readonly ScanStep[] {
  let from = 0
  return jobs.map(({ ranges, highest }) => {
    const to = from + ranges.length
    const step = { from, to, highest }
    from = to
    return step
  })
}
