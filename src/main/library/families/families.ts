import { type LibraryKey, parseLibraryKey } from '../../../shared/model/conversation/conversation'
import { blockingKeys } from '../../../shared/model/family/blocking-keys'
import type {
  Distinction,
  FamilyAnswer,
  FamilyGroups,
} from '../../../shared/model/family/branching'
import type { Outline } from '../../../shared/model/family/outline'
import { distinctionsOf } from '../../../shared/model/family-view/distinctions'
import { familyViewOf } from '../../../shared/model/family-view/family-view'
import { type EntryName, entriesOnMap } from '../../../shared/model/map/entries-on-map'
import type { FamilyMapAnswer } from '../../../shared/model/map/family-map'
import { familyMapOf } from '../../../shared/model/map/make-family-map'
import { sleep } from '../../async/sleep'
import type { Disk } from '../../disk/interface/disk'
import { openHistories } from '../sources/histories'
import type { LibraryRoot } from '../sources/roots'
import { type FamilyCache, familyCache, type KnownRelative } from './family-cache'
import { type FamilyFork, forkIn, outlineWithKey, type WayPoint } from './family-fork'
import { listUnits, type OutlineUnit, outlineUnit } from './family-units'
import { openLabels } from './labels'
import { OutlineMemory } from './outline-memory'
import { RelativeGroups } from './relative-groups'
import { openTitles, titledOutline } from './titles'

/** The families of all conversations: of our home, and of other systems. */
export interface Families {
  /**
   * The family of a conversation by what is known now; the first question begins the reading. A later
   * `changed` may mean another one.
   */
  family(key: LibraryKey): Promise<FamilyAnswer>
  /** The map of the family, by the same rules; also of a conversation without relatives. */
  map(key: LibraryKey): Promise<FamilyMapAnswer>
  /** Finds the names that entries of the family have on its map, in the same order; null where an entry is not known. */
  entriesOnMap(
    key: LibraryKey,
    entries: readonly EntryName[],
  ): Promise<readonly (EntryName | null)[]>
  /**
   * Parts two ways at their fork, by the relatives that are known now; waits for both conversations to be read. A later
   * `changed` may mean another fork.
   */
  fork(left: WayPoint, right: WayPoint): Promise<FamilyFork>
  /** All families that are known now, at least those that an earlier start had found; the first question begins the reading. */
  groups(): Promise<FamilyGroups>
  /** Tells the members of a conversation's family apart; empty where it is in none. */
  distinctions(key: LibraryKey): Promise<readonly Distinction[]>
  /** Scans again soon, since conversations may have come, gone or changed. Cheap to call. */
  look(): void
  /** Resolves once everything is known that existed at the call. */
  settled(): Promise<void>
  close(): Promise<void>
}

/** The paths of conversations and of the cache. */
export interface FamilyPlaces {
  /** Absolute; a chibi home. */
  readonly home: string
  /** Of other systems. */
  readonly roots: readonly LibraryRoot[]
  /** A folder for what is remembered between two starts; without it nothing is. */
  readonly cacheFolder?: string | undefined
  /** Where Skein's own files of a person lie; without it no titles and labels that were given in Skein are shown. */
  readonly userFolder?: string | undefined
}

/** The paths and the disk of families, and a listener for changes. */
export interface FamiliesOptions extends FamilyPlaces {
  readonly disk: Disk
  /** A later answer may differ from one that was given. At most once in a second while much is read. */
  readonly changed: () => void
}

/** Quiet time between two scans, as a multiple of the time that a scan took, and at least. In ms. */
const quietTimes = 4
const shortestQuietMs = 200
/** What took so long to read is read again when it was left alone for so many times that. In ms. */
const longMs = 50
const rereadTimes = 20
/** Shortest time between two reports while much is read, and between two saves. In ms. */
const reportEveryMs = 1000
const keepEveryMs = 10_000
/** Of a conversation that could not be read: no file has it. */
const unreadStamp = ''

/**
 * Creates families in the caller's thread; `threadFamilies` uses a worker.
 *
 * Every conversation is read once, and again when its files' sizes or times change: one that grows is read anew from
 * its beginning, a large one for at most a twentieth of the time. Of most conversations only a few blocking keys are
 * kept; outlines (100 to 200 bytes a message) are made of relatives, and some are held. Writes to its cache folder
 * alone.
 */
export function openFamilies(options: FamiliesOptions): Families {
  return new FamilyBook(options)
}

class FamilyBook implements Families {
  private readonly options: FamiliesOptions
  private readonly cache: FamilyCache
  private readonly memory: OutlineMemory
  private readonly histories
  private readonly titles
  private readonly labels
  /** Of titles and of labels together: both only grow. */
  private givenVersion = 0
  private readonly controller = new AbortController()
  private known = new RelativeGroups()
  private units = new Map<LibraryKey, OutlineUnit>()
  /** Read since answers were last compared with what is known. */
  private readonly learned = new Set<LibraryKey>()
  private readonly wanted = new Set<LibraryKey>()
  /** Called once a conversation is known, or cannot be. */
  private readonly awaited = new Map<LibraryKey, (() => void)[]>()
  private readonly restUntilMs = new Map<LibraryKey, number>()
  private views = new Map<LibraryKey, FamilyAnswer['view']>()
  /** The map that was asked for last: one is open at a time, and a large one takes megabytes. */
  private lastMap: { readonly key: LibraryKey; readonly map: FamilyMapAnswer['map'] } | undefined
  private scanning: Promise<void> | undefined
  private isAsked = false
  private hasScanned = false
  /** Resolves once the first scan has listed what is there: then what an earlier start has found is known. */
  private readonly listed: Promise<void>
  private isListed: () => void = () => undefined
  private waiting = 0
  private timer: NodeJS.Timeout | undefined
  private isToReport = false
  private reportedAtMs = 0
  private isToKeep = false
  private keptAtMs = 0

  constructor(options: FamiliesOptions) {
    this.options = options
    this.listed = new Promise((resolve) => {
      this.isListed = resolve
    })
    const { disk, cacheFolder } = options
    this.cache = familyCache(disk, cacheFolder, options)
    this.memory = new OutlineMemory(this.cache)
    this.histories = openHistories(disk, options.roots)
    const { home, userFolder } = options
    this.titles = userFolder === undefined ? undefined : openTitles({ disk, home, userFolder })
    this.labels = userFolder === undefined ? undefined : openLabels({ disk, home, userFolder })
  }

  async family(key: LibraryKey): Promise<FamilyAnswer> {
    const known = this.ask(key)
    const relatives = this.known.groupOf(key)
    const isAlone = relatives.length < 2 && known?.hasStrands !== true
    if (known === undefined || isAlone) return { view: null, counting: this.isCounting() }
    let view = this.views.get(key)
    if (view === undefined) {
      const { views } = this
      const outlines = await this.titledOutlines(relatives)
      view = familyViewOf(outlines, refOf(key), this.labels)
      // Of what was known when it began: what came meanwhile is reported as a change.
      views.set(key, view)
    }
    return { view, counting: this.isCounting() }
  }

  async map(key: LibraryKey): Promise<FamilyMapAnswer> {
    if (this.ask(key) === undefined) return { map: null, counting: this.isCounting() }
    if (this.lastMap?.key !== key) {
      const { views } = this
      const map = familyMapOf(await this.titledOutlines(this.known.groupOf(key)), refOf(key))
      // What came meanwhile is reported as a change, and read by the next question.
      if (views !== this.views) return { map, counting: this.isCounting() }
      this.lastMap = { key, map }
    }
    return { map: this.lastMap.map, counting: this.isCounting() }
  }

  async entriesOnMap(
    key: LibraryKey,
    entries: readonly EntryName[],
  ): Promise<readonly (EntryName | null)[]> {
    if (this.ask(key) === undefined) return entries.map(() => null)
    return entriesOnMap(await this.outlinesOf(this.known.groupOf(key)), entries)
  }

  async groups(): Promise<FamilyGroups> {
    if (!this.hasScanned) this.look()
    await this.listed
    this.touchByLearned()
    const families = this.known.families().map((members) => [...members])
    return { families, counting: this.isCounting() }
  }

  async distinctions(key: LibraryKey): Promise<readonly Distinction[]> {
    if (this.ask(key) === undefined) return []
    const relatives = this.known.groupOf(key)
    return relatives.length < 2 ? [] : distinctionsOf(await this.outlinesOf(relatives))
  }

  /** Returns what is known of a conversation that somebody asks for; one that is not known is read before the others. */
  private ask(key: LibraryKey): KnownRelative | undefined {
    if (!this.hasScanned) this.look()
    const known = this.known.get(key)
    if (known === undefined) this.wanted.add(key)
    else this.touchByLearned()
    return known
  }

  private isCounting(): boolean {
    return !this.hasScanned || this.waiting > 0
  }

  private async titledOutlines(keys: readonly LibraryKey[]): Promise<readonly Outline[]> {
    const { titles } = this
    const outlines = await this.outlinesOf(keys)
    return titles === undefined ? outlines : outlines.map((one) => titledOutline(one, titles))
  }

  async fork(left: WayPoint, right: WayPoint): Promise<FamilyFork> {
    await Promise.all([this.untilKnown(left.key), this.untilKnown(right.key)])
    const relatives = this.known.groupOf(left.key)
    const isFamily = relatives.includes(right.key)
    const outlines = await this.outlinesOf(
      isFamily ? relatives : [...new Set([left.key, right.key])],
    )
    const both = [outlineWithKey(outlines, left.key), outlineWithKey(outlines, right.key)] as const
    return forkIn([left, right], both, isFamily ? outlines : undefined)
  }

  look(): void {
    this.isAsked = true
    if (this.scanning !== undefined || this.controller.signal.aborted) return
    clearTimeout(this.timer)
    this.scanning = this.scanWhileAsked().finally(() => {
      this.scanning = undefined
      this.release([...this.awaited.keys()])
    })
  }

  async settled(): Promise<void> {
    this.restUntilMs.clear()
    this.look()
    while (this.scanning !== undefined) await this.scanning
  }

  async close(): Promise<void> {
    this.controller.abort()
    this.isListed()
    clearTimeout(this.timer)
    await this.scanning
  }

  /** Resolves when the conversation was read, or when a scan did not find it. */
  private async untilKnown(key: LibraryKey): Promise<void> {
    if (this.known.get(key) !== undefined || this.controller.signal.aborted) return
    this.wanted.add(key)
    await new Promise<void>((resolve) => {
      this.awaited.set(key, [...(this.awaited.get(key) ?? []), resolve])
      this.look()
    })
  }

  private release(keys: readonly LibraryKey[]): void {
    for (const key of keys) {
      for (const resolve of this.awaited.get(key) ?? []) resolve()
      this.awaited.delete(key)
    }
  }

  private async scanWhileAsked(): Promise<void> {
    const { signal } = this.controller
    while (this.isAsked && !signal.aborted) {
      this.isAsked = false
      const startedMs = performance.now()
      // What cannot be listed now is listed by the next scan; what is known of it stays.
      await this.scanOnce(signal).catch(() => undefined)
      this.isListed()
      this.waiting = 0
      if (!this.hasScanned) this.isToReport = true
      this.hasScanned = true
      await this.keep()
      this.report()
      if (!this.isAsked) break
      const quietMs = Math.max(shortestQuietMs, quietTimes * (performance.now() - startedMs))
      await sleep(quietMs, signal)
    }
    this.wakeForRested()
  }

  private async scanOnce(signal: AbortSignal): Promise<void> {
    const { disk, home } = this.options
    if (!this.hasScanned) this.known = new RelativeGroups(await this.cache.load())
    await this.refreshGiven()
    this.units = await listUnits(disk, home, this.histories, signal)
    for (const key of [...this.known.all.keys()]) if (!this.units.has(key)) this.forget(key)
    this.release([...this.awaited.keys()].filter((key) => !this.units.has(key)))
    this.isListed()
    const nowMs = performance.now()
    const stale = [...this.units.values()]
      .filter(({ key, stamp }) => this.known.get(key)?.stamp !== stamp)
      .filter(({ key }) => (this.restUntilMs.get(key) ?? 0) <= nowMs)
      .sort((a, b) => (b.ref.updatedAtMs ?? 0) - (a.ref.updatedAtMs ?? 0))
    const waiting = new Map(stale.map((unit) => [unit.key, unit]))
    this.waiting = waiting.size
    while (waiting.size > 0 && !signal.aborted) {
      const wanted = [...this.wanted].find((key) => waiting.has(key))
      const [next] = wanted === undefined ? waiting.values() : [waiting.get(wanted)]
      if (next === undefined) break
      waiting.delete(next.key)
      this.wanted.delete(next.key)
      await this.read(next, signal)
      this.waiting = waiting.size
      if (performance.now() - this.reportedAtMs >= reportEveryMs) this.report()
      if (performance.now() - this.keptAtMs >= keepEveryMs) await this.keep()
    }
    this.wanted.clear()
  }

  /** Looks at the titles and labels that were given in Skein. */
  private async refreshGiven(): Promise<void> {
    await Promise.all([this.titles?.look(), this.labels?.look()])
    const version = (this.titles?.version ?? 0) + (this.labels?.version ?? 0)
    if (version !== this.givenVersion) this.touch()
    this.givenVersion = version
  }

  private async read(unit: OutlineUnit, signal: AbortSignal): Promise<Outline | undefined> {
    const startedMs = performance.now()
    // One that cannot be read has no relatives; the next scan tries again.
    let stamp = unreadStamp
    const outline = await outlineUnit(unit, this.options.disk, signal)
      .then((made) => {
        stamp = unit.stamp
        return made
      })
      .catch(() => undefined)
    if (signal.aborted) return undefined
    const endedMs = performance.now()
    const tookMs = endedMs - startedMs
    if (tookMs > longMs) this.restUntilMs.set(unit.key, endedMs + rereadTimes * tookMs)
    this.learn({ ...unit, stamp }, outline)
    return outline
  }

  private learn(unit: OutlineUnit, outline: Outline | undefined): void {
    const before = this.known.get(unit.key)
    this.release([unit.key])
    const signs = outline === undefined ? [] : blockingKeys(outline)
    const hasStrands = outline?.strands !== undefined
    const isRegrouped = this.known.put(unit.key, { stamp: unit.stamp, signs, hasStrands })
    if (outline !== undefined) this.memory.put(unit.key, unit.stamp, outline)
    this.isToKeep = true
    // Only an outline that was not at hand was made again.
    if (!isRegrouped && before?.stamp === unit.stamp) return
    if (this.lastMap?.key === unit.key) {
      // Also without relatives: a map has what the conversation says.
      this.lastMap = undefined
      this.isToReport = true
    }
    if (hasStrands || (before !== undefined && isRegrouped)) this.touch()
    else this.learned.add(unit.key)
  }

  private forget(key: LibraryKey): void {
    this.known.drop(key)
    this.memory.drop(key)
    void this.cache.dropOutline(key)
    this.restUntilMs.delete(key)
    this.isToKeep = true
    this.touch()
  }

  /** Lets answers go where a conversation that was read since has relatives: grouping takes too long for each of them alone. */
  private touchByLearned(): void {
    if (this.learned.size === 0) return
    if (this.known.haveRelatives(this.learned)) this.touch()
    this.learned.clear()
  }

  /** Answers that were given may not hold any more. */
  private touch(): void {
    this.views = new Map()
    this.lastMap = undefined
    this.isToReport = true
  }

  private report(): void {
    if (this.controller.signal.aborted) return
    this.reportedAtMs = performance.now()
    this.touchByLearned()
    if (!this.isToReport) return
    this.isToReport = false
    this.options.changed()
  }

  private async keep(): Promise<void> {
    if (!this.isToKeep) return
    this.isToKeep = false
    this.keptAtMs = performance.now()
    await this.cache.save(this.known.all)
    await this.memory.keep(this.known.related())
  }

  private async outlinesOf(keys: readonly LibraryKey[]): Promise<readonly Outline[]> {
    const outlines: Outline[] = []
    for (const key of keys) {
      const stamp = this.known.get(key)?.stamp ?? ''
      const unit = this.units.get(key)
      const outline =
        (await this.memory.get(key, stamp)) ??
        (unit === undefined ? undefined : await this.read(unit, this.controller.signal))
      if (outline !== undefined) outlines.push(outline)
    }
    return outlines
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

function refOf(libraryKey: LibraryKey) {
  const { source, key } = parseLibraryKey(libraryKey)
  return { source, key }
}
