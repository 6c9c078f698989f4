import type { SearchOrder } from '../../../shared/model/search'

/**
 * Returns the score of a time in an order: hits with a higher score come first. What has no time comes last in both orders by time; in a
 * search for the best hits no time says anything, and each may come first.
 *
 * @param time in Unix seconds; -Infinity where it is unknown
 */
export function timeScore(order: SearchOrder, time: number): number {
  if (order === 'best') return Number.POSITIVE_INFINITY
  return order === 'oldest' && time !== Number.NEGATIVE_INFINITY ? -time : time
}

/** Facts that the place of a hit among others is decided by. */
export interface HitPlace {
  readonly score: number
  /** Unix seconds; -Infinity where it is unknown. Of equal scores the newest comes first. */
  readonly time: number
  readonly key: string
  readonly line: number
}

/** Compares two hits for sorting: the higher score first, then the newer one, then by key and line. */
export function compareHits(a: HitPlace, b: HitPlace): number {
  return (
    compareValues(b.score, a.score) ||
    compareValues(b.time, a.time) ||
    compareValues(a.key, b.key) ||
    compareValues(a.line, b.line)
  )
}

/** Compares two values for sorting, not by subtraction: -Infinity less itself is no number. */
export function compareValues<T extends number | string>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0
}
