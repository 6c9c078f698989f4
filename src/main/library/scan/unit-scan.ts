import { type LibraryKey, parseLibraryKey } from '../../../shared/model/conversation/conversation'
import { type ConversationUnit, listUnits } from './conversation-units'
import { Rests } from './rests'
import { type ScanClock, systemScanClock } from './scan-clock'
import { type ScannedBook, type ScannedPlaces, unreadStamp } from './scanned-book'
import { WantedUnits } from './wanted-units'

/** Quiet time between two scans, as a multiple of the time that a scan took, and at least. In ms. */
const quietTimes = 4
const shortestQuietMs = 200
/** Shortest time between two reports while much is read, and between two saves. In ms. */
const reportEveryMs = 1000
const keepEveryMs = 10_000

/**
 * A scan of all conversations, for a book that knows something of each: lists them, reads what has another stamp, one
 * after the other, the newest first, and reports at most once a second. Nothing happens before the first `look`.
 *
 * A scan takes a fifth of the time at most. A large conversation that grows is read for at most a twentieth of it. One
 * under a root that could not be listed stays known.
 */
export class UnitScan {
  /** Resolves once the first scan has listed what is there: then what an earlier start has found is known. */
  readonly listed: Promise<void>

  private readonly places: ScannedPlaces
  private readonly book: ScannedBook
  private readonly clock: ScanClock
  private readonly controller = new AbortController()
  private readonly rests = new Rests()
  private readonly wanted = new WantedUnits()
  /** The reasons why the last scan failed as a whole, and why roots could not be listed. */
  private scanFault: string | undefined
  private rootFaults: readonly string[] = []
  private listedUnits: ReadonlyMap<LibraryKey, ConversationUnit> = new Map()
  private isListed: () => void = () => undefined
  private hasScanned = false
  /** True until a scan has read all, before that is reported. */
  private isScanning = false
  /** True where conversations may have come, gone or changed since the last scan began. */
  private isStale = true
  /** True where somebody waits for a scan that begins from now on. */
  private isDue = false
  /** Conversations that are still to be read in this scan. */
  private waiting = 0
  private isToReport = false
  private scanning: Promise<void> | undefined
  private stopWaking: () => void = () => undefined
  private endedMs = Number.NEGATIVE_INFINITY
  private reportedMs = Number.NEGATIVE_INFINITY
  private keptMs: number

  constructor(places: ScannedPlaces, book: ScannedBook) {
    this.places = places
    this.book = book
    this.clock = places.clock ?? systemScanClock
    this.keptMs = this.clock.now()
    this.listed = new Promise((resolve) => {
      this.isListed = resolve
    })
  }

  /** Aborts when this is closed. */
  get signal(): AbortSignal {
    return this.controller.signal
  }

  /** The faults of the last listing, a sentence each. */
  get faults(): readonly string[] {
    return this.scanFault === undefined ? this.rootFaults : [this.scanFault, ...this.rootFaults]
  }

  /** The conversations as they were last listed, in that order. */
  get units(): ReadonlyMap<LibraryKey, ConversationUnit> {
    return this.listedUnits
  }

  /** The progress of the present scan, in conversations. */
  get progress(): { readonly read: number; readonly total: number; readonly isDone: boolean } {
    const total = this.units.size
    const isDone = this.hasScanned && !this.isScanning && !this.isStale
    return { read: Math.max(0, total - this.waiting), total, isDone }
  }

  /** True before the first scan has ended, and while conversations wait to be read. */
  get isReading(): boolean {
    return !this.hasScanned || this.waiting > 0
  }

  /** Scans again soon, since conversations may have come, gone or changed. Cheap to call. */
  look(): void {
    this.isStale = true
    this.begin()
  }

  /**
   * Looks where `look` was called since the last scan began, or where that ended longer ago than `freshMs`; a scan that
   * runs is as good as one that has just ended.
   */
  refresh(freshMs = Number.POSITIVE_INFINITY): void {
    const restedMs = this.isScanning ? 0 : this.clock.now() - this.endedMs
    if (this.isStale || restedMs > freshMs) this.look()
  }

  /** Answers may differ from those that were given: the next report says so. */
  markChanged(): void {
    this.isToReport = true
  }

  /** Reads a conversation before the others, where the scan that runs is to read it. */
  want(key: LibraryKey): void {
    this.wanted.add(key)
  }

  /** Resolves when the conversation was read, before the others, or when a scan did not find it. */
  async untilKnown(key: LibraryKey): Promise<void> {
    if (this.book.stampOf(key) !== undefined || this.signal.aborted) return
    const known = this.wanted.until(key)
    this.look()
    await known
  }

  /** Resolves once everything is known that existed at the call. */
  async settled(): Promise<void> {
    this.isDue = true
    this.look()
    while (this.scanning !== undefined) await this.scanning
  }

  /** Ends what runs, and resolves when it has ended. */
  async close(): Promise<void> {
    this.controller.abort()
    this.isListed()
    this.stopWaking()
    await this.scanning
  }

  private begin(): void {
    if (this.scanning !== undefined || !this.isToScan()) return
    this.stopWaking()
    this.scanning = this.scanWhileStale().finally(() => {
      this.scanning = undefined
      // Asked for after the last scan had ended, and before this.
      if (this.isToScan()) this.begin()
      else this.wanted.keepOnly()
    })
  }

  private isToScan(): boolean {
    if (!this.isStale || this.signal.aborted) return false
    return this.isDue || this.wanted.isAwaited || (this.book.isAsked?.() ?? true)
  }

  private async scanWhileStale(): Promise<void> {
    while (this.isToScan()) {
      const startedMs = this.clock.now()
      await this.scan()
      if (!this.isStale) break
      const tookMs = this.clock.now() - startedMs
      await this.clock.sleep(Math.max(shortestQuietMs, quietTimes * tookMs), this.signal)
    }
    this.wakeForRested()
  }

  private async scan(): Promise<void> {
    if (this.isDue) this.rests.endAll()
    this.isDue = false
    this.isStale = false
    this.isScanning = true
    this.scanFault = undefined
    await this.scanOnce().catch((error: unknown) => {
      // What cannot be listed now is listed by the next scan; what is known of it stays.
      this.scanFault = error instanceof Error ? error.message : String(error)
      this.isToReport = true
    })
    this.isListed()
    this.waiting = 0
    if (!this.hasScanned) this.isToReport = true
    this.hasScanned = true
    await this.keep()
    this.isScanning = false
    this.endedMs = this.clock.now()
    this.report()
  }

  private async scanOnce(): Promise<void> {
    const { book, signal } = this
    const { disk, home, histories } = this.places
    await book.begin(!this.hasScanned)
    this.listedUnits = await listUnits(disk, home, histories, signal)
    this.noteFaults()
    this.forgetGone()
    this.isListed()
    const nowMs = this.clock.now()
    const stale = [...this.units.values()]
      .filter(({ key, stamp }) => book.stampOf(key) !== stamp)
      .filter(({ key }) => this.rests.isOver(key, nowMs))
      .sort((a, b) => (b.ref.updatedAtMs ?? 0) - (a.ref.updatedAtMs ?? 0))
    await this.readAll(stale)
    const again = (await book.again?.(signal)) ?? []
    await this.readAll(again.flatMap((key) => this.units.get(key) ?? []))
  }

  private noteFaults(): void {
    const { histories } = this.places
    const found = histories.roots.flatMap(({ source }) => histories.faultOf(source) ?? [])
    const faults = [...new Set(found)]
    if (faults.join('\n') !== this.rootFaults.join('\n')) this.isToReport = true
    this.rootFaults = faults
  }

  private forgetGone(): void {
    const { histories } = this.places
    for (const key of [...this.book.keys()]) {
      // A root that could not be listed to its end may hold it all the same.
      const mayBeThere = histories.faultOf(parseLibraryKey(key).source) !== undefined
      if (this.units.has(key) || mayBeThere) continue
      this.rests.end(key)
      this.book.forget(key)
    }
    this.wanted.keepOnly(this.units)
  }

  private async readAll(units: readonly ConversationUnit[]): Promise<void> {
    const waiting = new Map(units.map((unit) => [unit.key, unit]))
    this.waiting = waiting.size
    while (!this.signal.aborted) {
      const next = this.wanted.nextOf(waiting)
      if (next === undefined) return
      waiting.delete(next.key)
      await this.read(next)
      this.waiting = waiting.size
      if (this.clock.now() - this.reportedMs >= reportEveryMs) this.report()
      if (this.clock.now() - this.keptMs >= keepEveryMs) await this.keep()
    }
  }

  private async read(unit: ConversationUnit): Promise<void> {
    const startedMs = this.clock.now()
    await this.book.read(unit, this.signal)
    if (this.signal.aborted) return
    this.rests.wasRead(unit, startedMs, this.clock.now())
    this.wanted.release(unit.key)
  }

  private report(): void {
    if (this.signal.aborted) return
    this.reportedMs = this.clock.now()
    this.book.beforeReport?.()
    if (!this.isToReport) return
    this.isToReport = false
    this.book.changed()
  }

  private async keep(): Promise<void> {
    this.keptMs = this.clock.now()
    await this.book.keep()
  }

  /** Scans again when the first of those has rested that had just been read and changed since. */
  private wakeForRested(): void {
    const changed = [...this.units.values()].filter(({ key, stamp }) => {
      const known = this.book.stampOf(key)
      return known !== stamp && known !== unreadStamp
    })
    const endMs = this.rests.firstEndMs(changed.map(({ key }) => key))
    if (endMs === undefined || this.signal.aborted) return
    this.stopWaking()
    const waitMs = Math.max(shortestQuietMs, endMs - this.clock.now())
    this.stopWaking = this.clock.after(waitMs, () => this.look())
  }
}
