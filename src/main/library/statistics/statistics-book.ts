import { machineClock } from '../../../shared/model/basics/time-spec'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import { allEntries } from '../../../shared/model/family/ownership'
import type {
  MarkedConversations,
  MarkQuestion,
  StatisticsAnswer,
  StatisticsQuestion,
} from '../../../shared/model/statistics/answer'
import { familyCache } from '../families/family-cache'
import type { ConversationUnit } from '../scan/conversation-units'
import { unreadStamp } from '../scan/scanned-book'
import { UnitScan } from '../scan/unit-scan'
import { openHistories } from '../sources/histories'
import { answerOf, conversationsFor } from './answers'
import type { LibraryStatistics, StatisticsOptions } from './library-statistics'
import { readFacts } from './read-facts'
import { SharedParts } from './shared-parts'
import { type KnownFacts, type StatisticsCache, statisticsCache } from './statistics-cache'

/** A question that comes later after a scan begins another: files of a context that nobody has open are not watched. In ms. */
const freshMs = 2000

/**
 * Creates statistics in the caller's thread; `threadStatistics` uses a worker.
 *
 * Every conversation is read once, and again when its files' sizes or times change or when it shares another part with
 * its relatives: one that grows is read anew from its beginning, a large one for at most a twentieth of the time. Of each
 * a few hundred bytes for an hour of work are kept. Writes to its cache folder alone.
 */
export function openStatistics(options: StatisticsOptions): LibraryStatistics {
  return new StatisticsBook(options)
}

class StatisticsBook implements LibraryStatistics {
  private readonly options: StatisticsOptions
  private readonly clock
  private readonly cache: StatisticsCache
  private readonly shared: SharedParts
  private readonly scan: UnitScan
  private known = new Map<LibraryKey, KnownFacts>()
  private readonly unkept = new Set<LibraryKey>()
  /** Until somebody looks at what was found, nothing more needs to be. */
  private isAsked = false

  constructor(options: StatisticsOptions) {
    this.options = options
    const { disk, home, cacheFolder, roots } = options
    this.clock = options.clock ?? machineClock(0)
    const zone = options.zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
    this.cache = statisticsCache(disk, cacheFolder, options, zone)
    // Outlines are those of the families, whichever of the two made one first.
    this.shared = new SharedParts(familyCache(disk, cacheFolder, options))
    this.scan = new UnitScan(
      { disk, home, histories: openHistories(disk, roots) },
      {
        isAsked: () => this.isAsked,
        begin: async (isFirst) => {
          if (isFirst) this.known = await this.cache.load()
        },
        keys: () => this.known.keys(),
        stampOf: (key) => this.known.get(key)?.stamp,
        read: (unit, signal) => this.readUnit(unit, signal),
        again: (signal) => this.part(signal),
        forget: (key) => this.forget(key),
        keep: () => this.keep(),
        beforeReport: () => {
          // How much was read is news too.
          if (this.scan.isReading) this.scan.markChanged()
        },
        changed: () => {
          this.isAsked = false
          options.changed()
        },
      },
    )
  }

  async read(question: StatisticsQuestion): Promise<StatisticsAnswer> {
    this.ask()
    const { faults, progress } = this.scan
    // That it is done is reported too.
    if (!progress.isDone) this.scan.markChanged()
    return answerOf(this.inOrder(), question, { reading: progress, faults })
  }

  async conversations(question: MarkQuestion): Promise<MarkedConversations> {
    this.ask()
    const { progress } = this.scan
    if (!progress.isDone) this.scan.markChanged()
    const known = this.inOrder()
    const unread = [...known.values()].filter((one) => one.unread.length > 0).length
    return { keys: [...conversationsFor(known, question)], reading: progress, unread }
  }

  look(): void {
    this.scan.look()
  }

  settled(): Promise<void> {
    return this.scan.settled()
  }

  close(): Promise<void> {
    return this.scan.close()
  }

  private ask(): void {
    this.isAsked = true
    this.scan.refresh(freshMs)
  }

  /** Returns what is known, in the order in which conversations are listed. */
  private inOrder(): ReadonlyMap<LibraryKey, KnownFacts> {
    const ordered = new Map<LibraryKey, KnownFacts>()
    for (const key of [...this.scan.units.keys(), ...this.known.keys()]) {
      const one = this.known.get(key)
      if (one !== undefined) ordered.set(key, one)
    }
    return ordered
  }

  private async readUnit(unit: ConversationUnit, signal: AbortSignal): Promise<void> {
    const before = this.known.get(unit.key)
    const ranges = this.shared.rangesOf(unit.key) ?? before?.ranges ?? allEntries
    const now = await readFacts(
      unit,
      ranges,
      { disk: this.options.disk, clock: this.clock },
      signal,
    )
      .then((read): KnownFacts => this.shared.learn(unit, read, ranges))
      .catch((error: unknown): KnownFacts => {
        // One that cannot be read counts nothing; the next scan tries again.
        const unread = [`${unit.key}: ${error instanceof Error ? error.message : String(error)}`]
        const none = { signs: [], settledIn: undefined, facts: undefined }
        return { ...none, stamp: unreadStamp, ranges, unread }
      })
    if (!signal.aborted) this.learn(unit.key, now)
  }

  /** Parts what relatives share; returns those of which other entries count now. */
  private async part(signal: AbortSignal): Promise<readonly LibraryKey[]> {
    const parted = await this.shared.settle(this.known, (key) => this.outlineAgain(key, signal))
    for (const [key, now] of parted.settled) this.learn(key, now)
    return parted.other
  }

  /** Reads an outline that is nowhere at hand. */
  private async outlineAgain(key: LibraryKey, signal: AbortSignal) {
    const unit = this.scan.units.get(key)
    if (unit === undefined) return undefined
    const { disk } = this.options
    const read = await readFacts(unit, [], { disk, clock: this.clock }, signal).catch(
      () => undefined,
    )
    return read?.outline
  }

  private learn(key: LibraryKey, now: KnownFacts): void {
    const before = this.known.get(key)
    this.known.set(key, now)
    this.unkept.add(key)
    // One that still cannot be read is no news.
    if (JSON.stringify(before) !== JSON.stringify(now)) this.scan.markChanged()
  }

  private forget(key: LibraryKey): void {
    this.known.delete(key)
    this.shared.forget(key)
    this.unkept.add(key)
    this.scan.markChanged()
  }

  private async keep(): Promise<void> {
    if (this.unkept.size === 0) return
    const changed = new Set(this.unkept)
    this.unkept.clear()
    await this.cache.save(this.known, changed)
    await this.shared.keep(this.known)
  }
}
