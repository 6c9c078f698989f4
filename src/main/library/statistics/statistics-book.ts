import { machineClock } from '../../../shared/model/basics/time-spec'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import { allEntries } from '../../../shared/model/family/ownership'
import type {
  MarkQuestion,
  StatisticsAnswer,
  StatisticsQuestion,
} from '../../../shared/model/statistics/answer'
import { sleep } from '../../async/sleep'
import { familyCache } from '../families/family-cache'
import { listUnits, type OutlineUnit } from '../families/family-units'
import { openHistories } from '../sources/histories'
import { answerOf, conversationsFor } from './answers'
import type { LibraryStatistics, StatisticsOptions } from './library-statistics'
import { readFacts } from './read-facts'
import { SharedParts } from './shared-parts'
import { type KnownFacts, type StatisticsCache, statisticsCache } from './statistics-cache'

/** Quiet time between two scans, as a multiple of the time that a scan took, and at least. In ms. */
const quietTimes = 4
const shortestQuietMs = 200
/** One of so many bytes is read again when it was left alone for so many times as its reading took. */
const largeBytes = 1024 * 1024
const rereadTimes = 20
/** A question that comes later after a scan begins another: files of a context that nobody has open are not watched. In ms. */
const freshMs = 2000
/** Shortest time between two reports while much is read, and between two saves. In ms. */
const reportEveryMs = 1000
const keepEveryMs = 10_000
/** Of a conversation that could not be read whole: no file has it. */
const unreadStamp = ''

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
  private readonly histories
  private readonly shared: SharedParts
  private readonly controller = new AbortController()
  private known = new Map<LibraryKey, KnownFacts>()
  private units = new Map<LibraryKey, OutlineUnit>()
  private readonly restUntilMs = new Map<LibraryKey, number>()
  private readonly unkept = new Set<LibraryKey>()
  private readonly faults = new Map<string, string>()
  private scanning: Promise<void> | undefined
  /** False from the end of the last scan on, before that is reported. */
  private isScanning = false
  private isStale = true
  private isAsked = false
  private hasScanned = false
  private waiting = 0
  private timer: NodeJS.Timeout | undefined
  private isToReport = false
  private reportedAtMs = 0
  private scannedAtMs = Number.NEGATIVE_INFINITY
  private keptAtMs = 0

  constructor(options: StatisticsOptions) {
    this.options = options
    const { disk, cacheFolder, roots } = options
    this.clock = options.clock ?? machineClock(0)
    const zone = options.zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
    this.cache = statisticsCache(disk, cacheFolder, options, zone)
    // Outlines are those of the families, whichever of the two made one first.
    this.shared = new SharedParts(familyCache(disk, cacheFolder, options))
    this.histories = openHistories(disk, roots, () => undefined)
  }

  async read(question: StatisticsQuestion): Promise<StatisticsAnswer> {
    this.ask()
    const total = this.units.size
    const isDone = this.hasScanned && !this.isScanning && !this.isStale
    // That it is done is reported too.
    if (!isDone) this.isToReport = true
    return answerOf(this.inOrder(), question, {
      reading: { read: Math.max(0, total - this.waiting), total, isDone },
      faults: [...this.faults.values()],
    })
  }

  async conversations(question: MarkQuestion): Promise<readonly LibraryKey[]> {
    this.ask()
    return conversationsFor(this.inOrder(), question)
  }

  look(): void {
    this.isStale = true
    if (this.isAsked) this.begin()
  }

  async settled(): Promise<void> {
    this.restUntilMs.clear()
    this.isStale = true
    this.isAsked = true
    this.begin()
    while (this.scanning !== undefined) await this.scanning
  }

  async close(): Promise<void> {
    this.controller.abort()
    clearTimeout(this.timer)
    await this.scanning
  }

  /** Returns what is known, in the order in which conversations are listed. */
  private inOrder(): ReadonlyMap<LibraryKey, KnownFacts> {
    const ordered = new Map<LibraryKey, KnownFacts>()
    for (const key of [...this.units.keys(), ...this.known.keys()]) {
      const one = this.known.get(key)
      if (one !== undefined) ordered.set(key, one)
    }
    return ordered
  }

  private ask(): void {
    this.isAsked = true
    if (performance.now() - this.scannedAtMs > freshMs) this.isStale = true
    if (this.isStale) this.begin()
  }

  private begin(): void {
    if (this.scanning !== undefined || this.controller.signal.aborted) return
    clearTimeout(this.timer)
    this.scanning = this.scanWhileStale().finally(() => {
      this.scanning = undefined
    })
  }

  private async scanWhileStale(): Promise<void> {
    const { signal } = this.controller
    while (this.isStale && this.isAsked && !signal.aborted) {
      this.isStale = false
      this.isScanning = true
      const startedMs = performance.now()
      this.faults.delete('')
      await this.scanOnce(signal).catch((error: unknown) => {
        // What cannot be listed now is listed by the next scan; what is known of it stays.
        this.faults.set('', error instanceof Error ? error.message : String(error))
        this.isToReport = true
      })
      this.waiting = 0
      if (!this.hasScanned) this.isToReport = true
      this.hasScanned = true
      await this.keep()
      this.isScanning = false
      this.scannedAtMs = performance.now()
      this.report()
      if (!this.isStale) break
      const quietMs = Math.max(shortestQuietMs, quietTimes * (performance.now() - startedMs))
      await sleep(quietMs, signal)
    }
    this.wakeForRested()
  }

  private async scanOnce(signal: AbortSignal): Promise<void> {
    const { disk, home } = this.options
    if (!this.hasScanned) this.known = await this.cache.load()
    this.units = await listUnits(disk, home, this.histories, signal)
    this.noteFaults()
    for (const key of [...this.known.keys()]) if (!this.units.has(key)) this.forget(key)
    const nowMs = performance.now()
    const stale = [...this.units.values()]
      .filter(({ key, stamp }) => this.known.get(key)?.stamp !== stamp)
      .filter(({ key }) => (this.restUntilMs.get(key) ?? 0) <= nowMs)
      .sort((a, b) => (b.ref.updatedAtMs ?? 0) - (a.ref.updatedAtMs ?? 0))
    await this.readAll(stale, signal)
    const parted = await this.shared.settle(this.known, (key) => this.outlineAgain(key, signal))
    for (const [key, now] of parted.settled) this.learn(key, now)
    await this.readAll(
      parted.other.flatMap((key) => this.units.get(key) ?? []),
      signal,
    )
  }

  /** A root that cannot be listed is told beside the numbers. */
  private noteFaults(): void {
    for (const { source, path } of this.histories.roots) {
      const fault = this.histories.faultOf(source)
      if (this.faults.get(path) !== fault) this.isToReport = true
      if (fault === undefined) this.faults.delete(path)
      else this.faults.set(path, fault)
    }
  }

  private async readAll(units: readonly OutlineUnit[], signal: AbortSignal): Promise<void> {
    this.waiting = units.length
    for (const unit of units) {
      if (signal.aborted) return
      await this.readOne(unit, signal)
      this.waiting -= 1
      if (performance.now() - this.reportedAtMs >= reportEveryMs) this.report()
      if (performance.now() - this.keptAtMs >= keepEveryMs) await this.keep()
    }
  }

  private async readOne(unit: OutlineUnit, signal: AbortSignal): Promise<void> {
    const startedMs = performance.now()
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
    if (signal.aborted) return
    const endedMs = performance.now()
    // By its size: on a busy machine a small one takes long as well.
    if (unit.ref.bytes >= largeBytes)
      this.restUntilMs.set(unit.key, endedMs + rereadTimes * (endedMs - startedMs))
    this.learn(unit.key, now)
  }

  private learn(key: LibraryKey, now: KnownFacts): void {
    const before = this.known.get(key)
    this.known.set(key, now)
    this.unkept.add(key)
    // One that still cannot be read is no news.
    if (JSON.stringify(before) !== JSON.stringify(now)) this.isToReport = true
  }

  private forget(key: LibraryKey): void {
    // A root that could not be listed to its end may hold it all the same.
    const source = this.known.get(key)?.facts?.source
    if (this.histories.roots.some((root) => root.source === source && this.faults.has(root.path)))
      return
    this.known.delete(key)
    this.shared.forget(key)
    this.restUntilMs.delete(key)
    this.unkept.add(key)
    this.isToReport = true
  }

  /** Reads an outline that is nowhere at hand. */
  private async outlineAgain(key: LibraryKey, signal: AbortSignal) {
    const unit = this.units.get(key)
    if (unit === undefined) return undefined
    const { disk } = this.options
    const read = await readFacts(unit, [], { disk, clock: this.clock }, signal).catch(
      () => undefined,
    )
    return read?.outline
  }

  private report(): void {
    if (!this.isToReport && this.waiting === 0) return
    if (this.controller.signal.aborted) return
    this.isToReport = false
    this.reportedAtMs = performance.now()
    // Until somebody looks at what was found, nothing more needs to be.
    this.isAsked = false
    this.options.changed()
  }

  private async keep(): Promise<void> {
    if (this.unkept.size === 0) return
    const changed = new Set(this.unkept)
    this.unkept.clear()
    this.keptAtMs = performance.now()
    await this.cache.save(this.known, changed)
    await this.shared.keep(this.known)
  }

  /** Scans again when the first of those has rested that had just been read and changed since. */
  private wakeForRested(): void {
    const { signal } = this.controller
    const resting = [...this.units.values()].flatMap(({ key, stamp }) => {
      const until = this.restUntilMs.get(key)
      const known = this.known.get(key)?.stamp
      return until === undefined || known === stamp || known === unreadStamp ? [] : [until]
    })
    if (resting.length === 0 || signal.aborted) return
    const waitMs = Math.max(shortestQuietMs, Math.min(...resting) - performance.now())
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.look(), waitMs)
    this.timer.unref()
  }
}
