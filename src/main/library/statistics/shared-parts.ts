import { createHash } from 'node:crypto'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import { blockingKeys, groupRelatives } from '../../../shared/model/family/blocking-keys'
import type { Outline } from '../../../shared/model/family/outline'
import {
  allEntries,
  type EntryRanges,
  type Ownership,
  ownershipsOf,
} from '../../../shared/model/family/ownership'
import type { FamilyCache } from '../families/family-cache'
import { OutlineMemory } from '../families/outline-memory'
import type { ConversationUnit } from '../scan/conversation-units'
import type { ReadUnit } from './read-facts'
import type { KnownFacts } from './statistics-cache'

/** Outcome of parting what relatives share: those whose facts hold, and those that are to be read again. */
export interface PartedFacts {
  readonly settled: readonly (readonly [LibraryKey, KnownFacts])[]
  /** Other entries count at them now; see `rangesOf`. */
  readonly other: readonly LibraryKey[]
}

/** The entries that count at each conversation, so that a prefix that relatives share counts once. */
export class SharedParts {
  private readonly cache: FamilyCache
  private readonly memory: OutlineMemory
  private readonly found = new Map<LibraryKey, Ownership & { readonly settledIn: string }>()

  constructor(cache: FamilyCache) {
    this.cache = cache
    this.memory = new OutlineMemory(cache)
  }

  /** The entries that count at a conversation, as they were last found; undefined before. */
  rangesOf(key: LibraryKey): EntryRanges | undefined {
    return this.found.get(key)?.ranges
  }

  /** Learns a conversation that was read with these ranges. */
  learn(
    { key, stamp }: ConversationUnit,
    { outline, facts, unread, isWhole }: ReadUnit,
    ranges: EntryRanges,
  ): KnownFacts {
    if (outline !== undefined && isWhole) this.memory.put(key, stamp, outline)
    const found = this.found.get(key)
    return {
      stamp: isWhole ? stamp : '',
      signs: outline === undefined ? [] : blockingKeys(outline),
      ranges,
      settledIn: found?.ranges === ranges ? found.settledIn : undefined,
      facts:
        facts === undefined || found === undefined ? facts : { ...facts, leaves: found.leaves },
      unread,
    }
  }

  /**
   * Parts what relatives share, in families that changed since they were parted.
   *
   * @param read reads an outline that is neither in memory nor in the cache
   */
  async settle(
    known: ReadonlyMap<LibraryKey, KnownFacts>,
    read: (key: LibraryKey) => Promise<Outline | undefined>,
  ): Promise<PartedFacts> {
    const settled: (readonly [LibraryKey, KnownFacts])[] = []
    const other: LibraryKey[] = []
    for (const family of familiesIn(known)) {
      const settledIn = familyStamp(family)
      if (family.every(([, one]) => isSettled(one, settledIn, family.length))) continue
      const members: { readonly key: LibraryKey; readonly one: KnownFacts }[] = []
      const outlines: Outline[] = []
      for (const [key, one] of family) {
        const outline = (await this.memory.get(key, one.stamp)) ?? (await read(key))
        if (outline === undefined) continue
        members.push({ key, one })
        outlines.push(outline)
      }
      ownershipsOf(outlines).forEach((ownership, at) => {
        const member = members[at]
        if (member === undefined) return
        const { key, one } = member
        const isSame = JSON.stringify(ownership.ranges) === JSON.stringify(one.ranges)
        const ranges = isSame ? one.ranges : ownership.ranges
        this.found.set(key, { ranges, leaves: ownership.leaves, settledIn })
        if (!isSame) other.push(key)
        else if (one.facts !== undefined)
          settled.push([
            key,
            { ...one, settledIn, facts: { ...one.facts, leaves: ownership.leaves } },
          ])
      })
    }
    return { settled, other }
  }

  forget(key: LibraryKey): void {
    this.found.delete(key)
    this.memory.drop(key)
    void this.cache.dropOutline(key)
  }

  /** Keeps the outlines of relatives on the disk. */
  async keep(known: ReadonlyMap<LibraryKey, KnownFacts>): Promise<void> {
    const related = [...familiesIn(known)].filter((family) => family.length > 1).flat()
    await this.memory.keep(new Set(related.map(([key]) => key)))
  }
}

type Member = readonly [LibraryKey, KnownFacts]

function familiesIn(known: ReadonlyMap<LibraryKey, KnownFacts>): readonly (readonly Member[])[] {
  const all = [...known].filter(([, { facts }]) => facts !== undefined)
  return groupRelatives(all.map(([, { signs }]) => signs)).map((group) =>
    group.flatMap((at) => (all[at] === undefined ? [] : [all[at]])),
  )
}

/** Another one whenever a member came, went or changed. */
function familyStamp(family: readonly Member[]): string {
  const hash = createHash('sha256')
  for (const [key, { stamp }] of [...family].sort(([a], [b]) => (a < b ? -1 : 1)))
    hash.update(JSON.stringify([key, stamp]))
  return hash.digest('hex').slice(0, 24)
}

/** One that never had a relative was read as a whole: its outline need not be at hand. */
function isSettled(one: KnownFacts, settledIn: string, members: number): boolean {
  if (members === 1 && one.settledIn === undefined)
    return JSON.stringify(one.ranges) === JSON.stringify(allEntries)
  return one.settledIn === settledIn
}
