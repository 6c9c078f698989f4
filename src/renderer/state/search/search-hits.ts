import { type LibraryKey, libraryKeyOf } from '../../../shared/model/conversation/conversation'
import type { SearchHit, SearchOrder } from '../../../shared/model/search'

/** Hit with its identity and its position in the list. */
export interface ListedHit {
  /** Id of its row; it stays the same while the list changes. */
  readonly id: number
  /** Identity of the hit: equal when it is found again. */
  readonly name: string
  /** Key of its conversation. */
  readonly group: string
  readonly hit: SearchHit
  /** Unix seconds; its own, else its conversation's. */
  readonly time: number
  /** Its position in main's complete answer, once there is one. */
  readonly rank?: number
}

/** Hits in the list, and newer ones that wait so that nothing moves under the reader. */
export interface ShownHits {
  readonly hits: readonly ListedHit[]
  readonly waiting: readonly ListedHit[]
}

/** Hits of an empty list. */
export const noHitsShown: ShownHits = { hits: [], waiting: [] }

/** Returns a key that is equal for the same hit in every answer. */
function hitIdentity(hit: SearchHit): string {
  const { source, key, entryId, field, file, offset } = hit
  return [source, key, entryId ?? '', field, file ?? '', offset ?? ''].join('\0')
}

/** Returns the key under which hits of one conversation are grouped. */
function hitGroupKey({ source, key }: SearchHit): string {
  return `${source}\0${key}`
}

/** Lists hits that came, beside those that are shown. */
type HitLister = (
  received: readonly SearchHit[],
  shown: ShownHits,
  isRanked: boolean,
) => readonly ListedHit[]

/**
 * Returns a function that lists hits with ids of its own; a hit that is shown or waits keeps its id.
 *
 * @param timeOf the time of a conversation in Unix seconds, for hits without a time of their own
 */
export function hitLister(timeOf: (key: LibraryKey) => number | undefined): HitLister {
  let last = 0
  return (received, { hits, waiting }, isRanked) => {
    const ids = new Map([...hits, ...waiting].map(({ name, id }) => [name, id]))
    return received.map((hit, rank) => {
      const name = hitIdentity(hit)
      const time = hit.timestamp ?? timeOf(libraryKeyOf(hit.source, hit.key))
      return {
        id: ids.get(name) ?? ++last,
        name,
        group: hitGroupKey(hit),
        hit,
        time: time ?? Number.NEGATIVE_INFINITY,
        ...(isRanked ? { rank } : {}),
      }
    })
  }
}

/** Sorts hits by conversation: the conversation with the first hit in the order first, and in each its hits in the order. */
function arrange(hits: readonly ListedHit[], order: SearchOrder): readonly ListedHit[] {
  const groups = new Map<string, ListedHit[]>()
  for (const found of [...hits].sort(byOrder(order))) {
    const group = groups.get(found.group)
    if (group === undefined) groups.set(found.group, [found])
    else group.push(found)
  }
  return [...groups.values()].flat()
}

/**
 * Adds new hits. While a hit is held, the rows above it do not change: hits that belong there wait.
 *
 * @param limit most hits in the list; those that come last in the order are dropped
 */
export function foldHits(
  shown: ShownHits,
  fresh: readonly ListedHit[],
  held: number | undefined,
  limit: number,
  order: SearchOrder = 'newest',
): ShownHits {
  const compare = byOrder(order)
  const here = new Set(shown.hits.map(({ name }) => name))
  const pool = [...new Map([...shown.waiting, ...fresh].map((one) => [one.name, one])).values()]
  const others = pool.filter(({ name }) => !here.has(name))
  const index = shown.hits.findIndex(({ id }) => id === held)
  const anchor = shown.hits[index]
  if (anchor === undefined) {
    const first = [...shown.hits, ...others].sort(compare).slice(0, limit)
    return { hits: arrange(first, order), waiting: [] }
  }
  const above = new Set(shown.hits.slice(0, index).map(({ group }) => group))
  const first = shown.hits.find(({ group }) => group === anchor.group) ?? anchor
  const waits = (found: ListedHit) =>
    found.group === anchor.group
      ? compare(found, anchor) < 0
      : above.has(found.group) || compare(found, first) < 0
  const below = others.filter((found) => !waits(found)).sort(compare)
  const room = Math.max(0, limit - shown.hits.length)
  return {
    hits: arrange([...shown.hits, ...below.slice(0, room)], order),
    waiting: others.filter(waits).sort(compare),
  }
}

/** Replaces the hits by the complete answer; new ones above a held hit wait. */
export function settleHits(
  shown: ShownHits,
  answer: readonly ListedHit[],
  held: number | undefined,
  order: SearchOrder = 'newest',
): ShownHits {
  const named = new Map(answer.map((found) => [found.name, found]))
  const stay = shown.hits.flatMap(({ name }) => named.get(name) ?? [])
  if (!stay.some(({ id }) => id === held)) return { hits: arrange(answer, order), waiting: [] }
  return foldHits({ hits: arrange(stay, order), waiting: [] }, answer, held, answer.length, order)
}

/** Before main's answer is there, hits are sorted by what they tell of themselves. */
function byOrder(order: SearchOrder): (a: ListedHit, b: ListedHit) => number {
  return (a, b) => {
    if (a.rank !== undefined && b.rank !== undefined) return a.rank - b.rank
    const [better, other] = [a.hit.relevance ?? 0, b.hit.relevance ?? 0]
    if (order === 'best' && better !== other) return other - better
    if (a.time !== b.time) return isBefore(order, a.time, b.time) ? -1 : 1
    if (a.group !== b.group) return a.group < b.group ? -1 : 1
    return (a.hit.line ?? 0) - (b.hit.line ?? 0)
  }
}

/** What has no time comes last. */
function isBefore(order: SearchOrder, a: number, b: number): boolean {
  if (order !== 'oldest') return a > b
  return a !== Number.NEGATIVE_INFINITY && (b === Number.NEGATIVE_INFINITY || a < b)
}
