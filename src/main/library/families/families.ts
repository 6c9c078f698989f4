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
import type { ConversationUnit } from '../scan/conversation-units'
import { unreadStamp } from '../scan/scanned-book'
import { UnitScan } from '../scan/unit-scan'
import { openHistories } from '../sources/histories'
import { type FamilyCache, familyCache, type KnownRelative } from './family-cache'
import { type FamilyFork, forkIn, outlineWithKey, type WayPoint } from './family-fork'
import { openLabels } from './labels'
import type { Families, FamiliesOptions } from './library-families'
import { OutlineMemory } from './outline-memory'
import { OutlineReadings } from './outline-readings'
import { outlineBeginning, outlineUnit, type UnitBeginning } from './outline-unit'
import { RelativeGroups } from './relative-groups'
import { openTitles, titledOutline } from './titles'

/**
 * Creates families in the caller's thread; `threadFamilies` uses a worker.
 *
 * The beginning of every conversation is read once, and again when its files' sizes or times change; of it a few blocking
 * keys are kept. Those that have relatives by these are read whole, and one without when its map is asked for; their
 * outlines take 100 to 200 bytes a message, and some are held. One that grows is read anew, a large one for at most a
 * twentieth of the time. Writes to its cache folder alone.
 */
export function openFamilies(options: FamiliesOptions): Families {
  return new FamilyBook(options)
}

class FamilyBook implements Families {
  private readonly options: FamiliesOptions
  private readonly cache: FamilyCache
  private readonly memory: OutlineMemory
  private readonly scan: UnitScan
  private readonly titles
  private readonly labels
  /** Of titles and of labels together: both only grow. */
  private givenVersion = 0
  private known = new RelativeGroups()
  /** Read since answers were last compared with what is known. */
  private readonly learned = new Set<LibraryKey>()
  /** Those that the scan reads whole, since they have relatives, or had some before they could not be read. */
  private toOutline: ReadonlySet<LibraryKey> = new Set()
  private readonly outlining = new OutlineReadings()
  private views = new Map<LibraryKey, FamilyAnswer['view']>()
  /** Conversations whose maps may be open: those that were asked for since answers were last let go. */
  private readonly mapped = new Set<LibraryKey>()
  /** The map that was asked for last, or is being made: a large one takes megabytes. */
  private lastMap:
    | { readonly key: LibraryKey; readonly made: Promise<FamilyMapAnswer['map']> }
    | undefined
  private isToKeep = false

  constructor(options: FamiliesOptions) {
    this.options = options
    const { disk, home, roots, cacheFolder, userFolder } = options
    this.cache = familyCache(disk, cacheFolder, options)
    this.memory = new OutlineMemory(this.cache)
    this.titles = userFolder === undefined ? undefined : openTitles({ disk, home, userFolder })
    this.labels = userFolder === undefined ? undefined : openLabels({ disk, home, userFolder })
    this.scan = new UnitScan(
      { disk, home, histories: openHistories(disk, roots) },
      {
        begin: (isFirst) => this.begin(isFirst),
        keys: () => this.known.all.keys(),
        stampOf: (key) => this.known.get(key)?.stamp,
        read: (unit, signal) => this.read(unit, signal),
        again: () => Promise.resolve(this.unoutlined()),
        forget: (key) => this.forget(key),
        keep: () => this.keep(),
        beforeReport: () => this.touchByLearned(),
        changed: options.changed,
      },
    )
  }

  async family(key: LibraryKey): Promise<FamilyAnswer> {
    const known = this.ask(key)
    const relatives = this.known.groupOf(key)
    const isAlone = relatives.length < 2 && known?.hasStrands !== true
    if (known === undefined || isAlone) return { view: null, counting: this.scan.isReading }
    let view = this.views.get(key)
    if (view === undefined) {
      const { views } = this
      const outlines = await this.titledOutlines(relatives)
      view = familyViewOf(outlines, refOf(key), this.labels)
      // Of what was known when it began: what came meanwhile is reported as a change.
      views.set(key, view)
    }
    return { view, counting: this.scan.isReading }
  }

  async map(key: LibraryKey): Promise<FamilyMapAnswer> {
    if (this.ask(key) === undefined) return { map: null, counting: this.scan.isReading }
    this.mapped.add(key)
    if (this.lastMap?.key !== key) {
      const made = this.makeMap(key)
      // What comes meanwhile lets it go, is reported as a change, and read by the next question.
      this.lastMap = { key, made }
      made.catch(() => {
        if (this.lastMap?.made === made) this.lastMap = undefined
      })
    }
    const map = await this.lastMap.made
    return { map, counting: this.scan.isReading }
  }

  async entriesOnMap(
    key: LibraryKey,
    entries: readonly EntryName[],
  ): Promise<readonly (EntryName | null)[]> {
    if (this.ask(key) === undefined) return entries.map(() => null)
    return entriesOnMap(await this.outlinesOf(this.known.groupOf(key)), entries)
  }

  async groups(): Promise<FamilyGroups> {
    this.scan.refresh()
    await this.scan.listed
    this.touchByLearned()
    const families = this.known.families().map((members) => [...members])
    return { families, counting: this.scan.isReading }
  }

  async distinctions(key: LibraryKey): Promise<readonly Distinction[]> {
    if (this.ask(key) === undefined) return []
    const relatives = this.known.groupOf(key)
    return relatives.length < 2 ? [] : distinctionsOf(await this.outlinesOf(relatives))
  }

  /** Returns what is known of a conversation that somebody asks for; one that is not known is read before the others. */
  private ask(key: LibraryKey): KnownRelative | undefined {
    this.scan.refresh()
    const known = this.known.get(key)
    if (known === undefined) this.scan.want(key)
    else this.touchByLearned()
    return known
  }

  private async makeMap(key: LibraryKey): Promise<FamilyMapAnswer['map']> {
    return familyMapOf(await this.titledOutlines(this.known.groupOf(key)), refOf(key))
  }

  private async titledOutlines(keys: readonly LibraryKey[]): Promise<readonly Outline[]> {
    const { titles } = this
    const outlines = await this.outlinesOf(keys)
    return titles === undefined ? outlines : outlines.map((one) => titledOutline(one, titles))
  }

  async fork(left: WayPoint, right: WayPoint): Promise<FamilyFork> {
    await Promise.all([this.scan.untilKnown(left.key), this.scan.untilKnown(right.key)])
    const relatives = this.known.groupOf(left.key)
    const isFamily = relatives.includes(right.key)
    const outlines = await this.outlinesOf(
      isFamily ? relatives : [...new Set([left.key, right.key])],
    )
    const both = [outlineWithKey(outlines, left.key), outlineWithKey(outlines, right.key)] as const
    return forkIn([left, right], both, isFamily ? outlines : undefined)
  }

  look(): void {
    this.scan.look()
  }

  settled(): Promise<void> {
    return this.scan.settled()
  }

  async close(): Promise<void> {
    await this.scan.close()
    await this.memory.settled()
  }

  private async begin(isFirst: boolean): Promise<void> {
    if (isFirst) this.known = new RelativeGroups(await this.cache.load())
    await this.refreshGiven()
  }

  /** Looks at the titles and labels that were given in Skein. */
  private async refreshGiven(): Promise<void> {
    await Promise.all([this.titles?.look(), this.labels?.look()])
    const version = (this.titles?.version ?? 0) + (this.labels?.version ?? 0)
    if (version !== this.givenVersion) this.touch()
    this.givenVersion = version
  }

  private async read(unit: ConversationUnit, signal: AbortSignal): Promise<void> {
    const { key } = unit
    const isWanted = this.toOutline.has(key) || this.outlining.has(key)
    if (isWanted || this.known.get(key)?.isOutlined === true) return void (await this.outline(unit))
    const { disk } = this.options
    const begun = await outlineBeginning(unit, disk, signal).catch(() => null)
    if (!signal.aborted) this.learn(unit, begun)
  }

  /** Reads a conversation whole; whoever asks meanwhile gets the same outline. */
  private outline(unit: ConversationUnit): Promise<Outline | undefined> {
    return this.outlining.share(unit, async () => {
      const { signal } = this.scan
      const read = await outlineUnit(unit, this.options.disk, signal)
        .then((outline) => outline && { outline, isWhole: true })
        .catch(() => null)
      if (signal.aborted) return undefined
      // One that was listed anew meanwhile is read anew: this is older than what that brings.
      if (this.scan.units.get(unit.key)?.stamp === unit.stamp) this.learn(unit, read)
      return read?.outline
    })
  }

  /** Those with relatives of which only the beginning was read. */
  private unoutlined(): readonly LibraryKey[] {
    const keys = [...this.known.related()].filter((key) => {
      const known = this.known.get(key)
      return known?.isOutlined === false && known.stamp !== unreadStamp
    })
    // By its beginning alone such a one would be a relative again, until its end cannot be read again.
    const failed = [...this.toOutline].filter((key) => this.known.get(key)?.stamp === unreadStamp)
    this.toOutline = new Set([...keys, ...failed])
    return keys
  }

  /** Takes what was read; null where it could not be: such a one has no relatives, and the next scan tries again. */
  private learn({ key, stamp }: ConversationUnit, read: UnitBeginning | undefined | null): void {
    const before = this.known.get(key)
    const { outline, isWhole = true } = read ?? {}
    const now: KnownRelative = {
      stamp: read === null ? unreadStamp : stamp,
      signs: outline === undefined ? [] : blockingKeys(outline),
      hasStrands: outline?.strands !== undefined,
      isOutlined: read !== null && (isWhole || (before?.stamp === stamp && before.isOutlined)),
    }
    const isRegrouped = this.known.put(key, now)
    if (outline !== undefined && isWhole) this.memory.put(key, stamp, outline)
    this.isToKeep = true
    // What was known already was made again, or read to its end.
    if (!isRegrouped && before?.stamp === now.stamp) return
    if (this.mapped.delete(key)) {
      // Also without relatives: a map has what the conversation says. Two windows may show two of them.
      if (this.lastMap?.key === key) this.lastMap = undefined
      this.scan.markChanged()
    }
    if (now.hasStrands || (before !== undefined && isRegrouped)) this.touch()
    else this.learned.add(key)
  }

  private forget(key: LibraryKey): void {
    this.known.drop(key)
    this.memory.drop(key)
    void this.cache.dropOutline(key)
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
    this.mapped.clear()
    this.scan.markChanged()
  }

  private async keep(): Promise<void> {
    if (!this.isToKeep) return
    this.isToKeep = false
    await this.cache.save(this.known.all)
    await this.memory.keep(this.known.related())
  }

  private async outlinesOf(keys: readonly LibraryKey[]): Promise<readonly Outline[]> {
    const outlines: Outline[] = []
    for (const key of keys) {
      const stamp = this.known.get(key)?.stamp ?? ''
      const unit = this.scan.units.get(key)
      const outline =
        (await this.memory.get(key, stamp)) ??
        (unit === undefined ? undefined : await this.outline(unit))
      if (outline !== undefined) outlines.push(outline)
    }
    return outlines
  }
}

function refOf(libraryKey: LibraryKey) {
  const { source, key } = parseLibraryKey(libraryKey)
  return { source, key }
}
