import type { ConversationKey } from '../../shared/model/conversation'
import { EntryId } from '../../shared/model/entry'
import type { SearchableConversation, SearchHit } from '../../shared/model/search'
import type { PlannedRange } from './plan'
import type { ScanAnswer, ScanHit } from './scan'

/** A hit with what its place in the order is decided by. */
interface Placed {
  hit: SearchHit
  readonly time: number
}

/** Gathers hits of many jobs: copies of one entry become one hit, the newest are kept, all are counted. */
export class HitCollector {
  private readonly limit: number
  private readonly kept: Placed[] = []
  /** By source, id and text: a copy has all three. */
  private readonly seen = new Map<string, Placed | undefined>()
  /** Distinct hits, kept or not. */
  total = 0

  constructor(limit: number) {
    this.limit = limit
  }

  /** Takes a title that matches; returns the hit. */
  addTitle(
    conversation: SearchableConversation,
    snippet: string,
    ranges: [number, number][],
  ): SearchHit {
    const { source, key, updated } = conversation
    const hit: SearchHit = {
      source,
      key,
      entryId: null,
      field: 'title',
      line: null,
      timestamp: null,
      snippet,
      ranges,
    }
    this.keep({ hit, time: updated ?? Number.NEGATIVE_INFINITY })
    this.total++
    return hit
  }

  /** Takes a job's answer; returns the hits that are new. */
  add(answer: ScanAnswer, ranges: readonly PlannedRange[]): SearchHit[] {
    const added: SearchHit[] = []
    for (const found of answer.hits) {
      const range = ranges[found.range]
      if (range === undefined) continue
      const name = nameOf(found, range)
      if (this.seen.has(name)) {
        this.addCopy(name, found, range)
        continue
      }
      const placed = {
        hit: hitOf(found, range),
        time: found.timestamp ?? range.updated ?? Number.NEGATIVE_INFINITY,
      }
      this.seen.set(name, placed)
      this.keep(placed)
      this.total++
      added.push(placed.hit)
    }
    for (const other of answer.others) {
      const range = ranges[other.range]
      const name = range && nameOf(other, range)
      if (name === undefined || this.seen.has(name)) continue
      this.seen.set(name, undefined)
      this.total++
    }
    return added
  }

  /** The newest hits, at most as many as the limit. */
  hits(): SearchHit[] {
    this.sort()
    return this.kept.slice(0, this.limit).map(({ hit }) => hit)
  }

  /** The time that a further hit must reach to be among the newest; -Infinity while there is room for any. */
  threshold(): number {
    if (this.kept.length < this.limit) return Number.NEGATIVE_INFINITY
    this.sort()
    return this.kept[this.limit - 1]?.time ?? Number.NEGATIVE_INFINITY
  }

  private addCopy(name: string, found: ScanHit, range: PlannedRange): void {
    const placed = this.seen.get(name)
    const key = keyOf(found, range)
    if (placed === undefined || placed.hit.key === key) return
    const { source } = range.conversation
    const also = [...(placed.hit.also ?? [])]
    if (!also.some((other) => other.key === key && other.source === source))
      also.push({ source, key })
    placed.hit.also = also
  }

  private keep(placed: Placed): void {
    this.kept.push(placed)
    if (this.kept.length <= 4 * this.limit + 1000) return
    this.sort()
    this.kept.length = this.limit
  }

  private sort(): void {
    this.kept.sort(
      (a, b) =>
        compare(b.time, a.time) ||
        compare(a.hit.key, b.hit.key) ||
        (a.hit.line ?? 0) - (b.hit.line ?? 0),
    )
  }
}

/** Not by subtraction: -Infinity less itself is no number. */
function compare<T extends number | string>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function nameOf(found: Pick<ScanHit, 'entryId' | 'fingerprint'>, range: PlannedRange): string {
  return `${range.conversation.source}\n${found.entryId}\n${found.fingerprint}${placeWithoutId(found, range)}`
}

/** An id that is a line number says nothing outside its file. */
function placeWithoutId(found: Pick<ScanHit, 'entryId'>, range: PlannedRange): string {
  return /^L\d+(#\d+)?$/.test(found.entryId) ? `\n${range.path}` : ''
}

function keyOf(found: ScanHit, range: PlannedRange): ConversationKey {
  return found.key ?? range.conversation.key
}

function hitOf(found: ScanHit, range: PlannedRange): SearchHit {
  const { field, line, timestamp, snippet, ranges, offset, length } = found
  const { source } = range.conversation
  const heirs = (range.file.heirs ?? []).filter(({ until }) => offset < until)
  return {
    source,
    key: keyOf(found, range),
    entryId: EntryId.parse(found.entryId),
    field,
    line,
    timestamp,
    snippet,
    ranges,
    file: range.file.place,
    offset,
    length,
    ...(heirs.length === 0
      ? {}
      : { also: heirs.map((heir) => ({ source: heir.source, key: heir.key })) }),
  }
}
