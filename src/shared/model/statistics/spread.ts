import { z } from 'zod'

/** Sums of seconds, from which a spread is made. */
export const SpreadSums = z.object({
  count: z.number(),
  sum: z.number(),
  min: z.number(),
  max: z.number(),
})
export type SpreadSums = Readonly<z.infer<typeof SpreadSums>>

/** Number, average and extremes of seconds. */
export const Spread = z.object({
  count: z.int(),
  average: z.number(),
  min: z.number(),
  max: z.number(),
})
export type Spread = Readonly<z.infer<typeof Spread>>

/** Adds two sums; undefined is none yet. */
export function addSpreads(a: SpreadSums | undefined, b: SpreadSums): SpreadSums {
  if (a === undefined) return b
  return {
    count: a.count + b.count,
    sum: a.sum + b.sum,
    min: Math.min(a.min, b.min),
    max: Math.max(a.max, b.max),
  }
}

/** Returns the spread of sums, to a thousandth of a second; null for none. */
export function spreadOf(sums: SpreadSums | undefined): Spread | null {
  if (sums === undefined) return null
  return {
    count: sums.count,
    average: toMilliseconds(sums.sum / sums.count),
    min: toMilliseconds(sums.min),
    max: toMilliseconds(sums.max),
  }
}

/** The difference of two times has more decimals than either. */
function toMilliseconds(seconds: number): number {
  return Math.round(seconds * 1000) / 1000
}
