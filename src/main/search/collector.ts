import { largestOf } from '../../shared/model/basics/long-lists'
import {
  type ConversationKey,
  type LibraryKey,
  libraryKeyOf,
} from '../../shared/model/conversation/conversation'
import { EntryId } from '../../shared/model/conversation/entry'
import type {
  HitPlaces,
  SearchableConversation,
  SearchHit,
  SearchOrder,
} from '../../shared/model/search'
import { Mutex } from '../async/mutex'
import type { LeftEntries } from '../library/search'
import { branchOf } from './branches'
import type { HitFacts } from './counts/facet-tally'
import type { DuplicateFinder, FoundMatch } from './duplicate-finder'
import { type Group, Groups } from './duplicate-groups'
import { compareValues, timeScore } from './order/hit-order'
import type { PlannedRange } from './plan'
import type { ScanAnswer } from './scan'
import type { Snippet } from './snippet'

/** A hit with what its place in the order is decided by; an entry's is made when it is asked for. */
interface Placed {
  readonly of: SearchHit | { readonly group: Group; readonly cut: Snippet }
  score: number
  time: number
  readonly key: () => string
  readonly line: () => number
}

/** A collector of hits from many jobs: copies of one entry become one hit, the first in order are kept, all are counted. */
export class HitCollector {
  private readonly limit: number
  private readonly order: SearchOrder
  private readonly groups: Groups
  private kept: Placed[] = []
  private readonly placed = new Map<Group, Placed>()
  /** Answers are taken one after the other: two that come at once may hold the same entry. */
  private readonly answers = new Mutex()
  private readonly titles: SearchableConversation[] = []
  /** Distinct hits, kept or not. */
  total = 0

  /** @param duplicates finds copies where ids prove nothing */
  constructor(
    limit: number,
    duplicates: DuplicateFinder | undefined,
    order: SearchOrder = 'newest',
  ) {
    this.limit = limit
    this.order = order
    this.groups = new Groups(duplicates)
  }

  /** Takes a title that matches; returns the hit. @param relevance in a search for the best hits */
  addTitle(conversation: SearchableConversation, cut: Snippet, relevance?: number): SearchHit {
    const { source, key, updated } = conversation
    const nowhere = { entryId: null, field: 'title', line: null, timestamp: null } as const
    const told = relevance === undefined ? {} : { relevance }
    const hit: SearchHit = { source, key, ...nowhere, ...cut, ...told }
    const time = updated ?? Number.NEGATIVE_INFINITY
    this.keep({
      of: hit,
      score: relevance ?? timeScore(this.order, time),
      time: this.order === 'best' ? time : 0,
      key: () => key,
      line: () => 0,
    })
    this.titles.push(conversation)
    this.total++
    return hit
  }

  /** Takes a thread's answer; returns the hits that are new. An abort ends the comparing, not the counting. */
  add(
    answer: ScanAnswer,
    ranges: readonly PlannedRange[],
    signal?: AbortSignal,
  ): Promise<SearchHit[]> {
    return this.answers.run(() => this.take(answer, ranges, signal))
  }

  /** The entry of every hit in one, by the conversation that the hit is of. n log n in the hits. */
  places(): HitPlaces[] {
    const places = new Map<LibraryKey, Omit<HitPlaces, 'entries'> & { found: FoundMatch[] }>()
    for (const { oldest } of this.groups.all) {
      // A damaged line is no entry.
      if (oldest.match.field === 'damaged') continue
      const { source } = oldest.range.conversation
      const key = keyOf(oldest)
      const known = places.get(libraryKeyOf(source, key))
      if (known === undefined)
        places.set(libraryKeyOf(source, key), { source, key, found: [oldest] })
      else known.found.push(oldest)
    }
    const inOrder = [...places].sort(([a], [b]) => compareValues(a, b))
    return inOrder.map(([, { source, key, found }]) => ({
      source,
      key,
      entries: found.sort(byLine).map(({ match }) => EntryId.parse(match.entryId)),
    }))
  }

  /** The facts of every hit and of its copies. @param leftOf what is known of the branches of a conversation */
  *facts(
    leftOf: (conversation: SearchableConversation) => LeftEntries | undefined,
  ): Iterable<readonly HitFacts[]> {
    for (const { source, updated } of this.titles) yield [{ source, seconds: updated }]
    for (const { members } of this.groups.all)
      yield members.map((found) => factsOf(found, leftOf(found.range.conversation)))
  }

  /** The conversations that hold an entry among the hits. */
  conversations(): ReadonlySet<SearchableConversation> {
    const all = this.groups.all.flatMap(({ members }) => members)
    return new Set(all.map(({ range }) => range.conversation))
  }

  /** The first hits in order, at most as many as the limit. */
  hits(): SearchHit[] {
    this.sort()
    return this.kept.slice(0, this.limit).map(shown)
  }

  /** The score that a further hit must reach to be among the first; -Infinity while there is room for any. */
  threshold(): number {
    if (this.kept.length < this.limit) return Number.NEGATIVE_INFINITY
    this.sort()
    return this.kept[this.limit - 1]?.score ?? Number.NEGATIVE_INFINITY
  }

  private async take(
    answer: ScanAnswer,
    ranges: readonly PlannedRange[],
    signal: AbortSignal | undefined,
  ): Promise<SearchHit[]> {
    const added = new Set<Placed>()
    for (const match of [...answer.hits, ...answer.others]) {
      const range = ranges[match.range]
      if (range === undefined) continue
      const found = { match, range }
      const { group, isNew } = await this.groups.place(found, !signal?.aborted)
      if (isNew) this.total++
      const placed = this.showGroup(group, found, cutOf(match))
      if (isNew && placed !== undefined) added.add(placed)
    }
    return [...added].map(shown)
  }

  /** TextPlaces the hit of a group; undefined while no snippet was cut for it. */
  private showGroup(group: Group, found: FoundMatch, cut: Snippet | undefined): Placed | undefined {
    const before = this.placed.get(group)
    if (before !== undefined) {
      before.score = Math.max(before.score, this.scoreOf(found))
      before.time = Math.max(before.time, this.tieOf(found))
      return before
    }
    if (cut === undefined) return undefined
    const placed: Placed = {
      of: { group, cut },
      score: largestOf(group.members.map((member) => this.scoreOf(member))),
      time: largestOf(group.members.map((member) => this.tieOf(member))),
      key: () => keyOf(group.oldest),
      line: () => group.oldest.match.line,
    }
    this.placed.set(group, placed)
    this.keep(placed)
    return placed
  }

  private scoreOf(found: FoundMatch): number {
    return found.match.relevance ?? timeScore(this.order, timeOf(found))
  }

  /** Where scores are times, an older copy may not have been read: it must not decide. */
  private tieOf(found: FoundMatch): number {
    return this.order === 'best' ? timeOf(found) : 0
  }

  private keep(placed: Placed): void {
    this.kept.push(placed)
    if (this.kept.length <= 4 * this.limit + 1000) return
    this.sort()
    const gone = new Set(this.kept.splice(this.limit))
    for (const [group, one] of this.placed) if (gone.has(one)) this.placed.delete(group)
  }

  private sort(): void {
    this.kept.sort(
      (a, b) =>
        compareValues(b.score, a.score) ||
        compareValues(b.time, a.time) ||
        compareValues(a.key(), b.key()) ||
        compareValues(a.line(), b.line()),
    )
  }
}

function factsOf({ match, range }: FoundMatch, left: LeftEntries | undefined): HitFacts {
  const { role, tool, timestamp, facts } = match
  const { source, updated } = range.of
  const branch = branchOf(left, range.of.place, match)
  return { ...facts, source, role, tool, branch, seconds: timestamp ?? updated }
}

function byLine(a: FoundMatch, b: FoundMatch): number {
  return (
    compareValues(a.range.file.place, b.range.file.place) ||
    compareValues(a.match.line, b.match.line)
  )
}

function cutOf(match: ScanAnswer['hits'][number] | ScanAnswer['others'][number]) {
  return 'cut' in match ? match.cut : undefined
}

function timeOf({ match, range }: FoundMatch): number {
  return match.timestamp ?? range.conversation.updated ?? Number.NEGATIVE_INFINITY
}

function shown({ of }: Placed): SearchHit {
  if (!('group' in of)) return of
  const { oldest, members } = of.group
  const { field, timestamp, role, tool, relevance } = oldest.match
  const place = placeOf(oldest)
  const also: NonNullable<SearchHit['also']> = [
    ...members.filter((member) => member !== oldest).map(otherPlaceOf),
    ...members.flatMap(heirsOf),
  ].filter(({ source, key }) => source !== place.source || key !== place.key)
  also.sort((a, b) => compareValues(a.key, b.key))
  return {
    ...place,
    field,
    ...(role === undefined ? {} : { role }),
    ...(tool === undefined ? {} : { tool }),
    timestamp,
    ...of.cut,
    ...(relevance === undefined ? {} : { relevance }),
    ...(also.length === 0 ? {} : { also }),
  }
}

function otherPlaceOf(found: FoundMatch) {
  const { entryId, ...place } = placeOf(found)
  return entryId === null ? place : { ...place, entryId }
}

function placeOf(found: FoundMatch) {
  const { field, line, offset, length, entryId } = found.match
  const { conversation, file } = found.range
  const where = { line, file: file.place, offset, length }
  return {
    source: conversation.source,
    key: keyOf(found),
    entryId: field === 'damaged' ? null : EntryId.parse(entryId),
    ...where,
  }
}

function keyOf({ match, range }: FoundMatch): ConversationKey {
  return match.key ?? range.conversation.key
}

function heirsOf({ match, range }: FoundMatch) {
  return (range.file.heirs ?? [])
    .filter(({ until }) => match.offset < until)
    .map(({ source, key }) => ({ source, key }))
}
