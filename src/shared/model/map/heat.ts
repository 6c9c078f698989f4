import { type FactSums, sumFacts } from './fact-sums'
import type { MapFacts } from './family-map'

/** Numbers by which nodes of a map are coloured. */
export const heatKinds = ['cost', 'tokens', 'failures', 'age'] as const
/** Number by which nodes of a map are coloured. */
export type HeatKind = (typeof heatKinds)[number]

/** Steps of the colours: 1 for the least, 4 for the most. */
export const heatSteps = 4

/** Heat of the stretches of a map, by position. */
export interface Heat {
  readonly kind: HeatKind
  /** Cost, tokens, failures, or Unix ms of the last message; NaN where nothing says it. */
  readonly values: Float64Array
  /** 1 to `heatSteps`; 0 where there is nothing to colour: no value, or no failure. */
  readonly steps: Uint8Array
  /** Positions of the extremes; undefined where no stretch has a value. Of age the oldest and the newest. */
  readonly least: number | undefined
  readonly most: number | undefined
}

/**
 * Computes the heat of stretches of a map by the sums that statistics have too. Steps are logarithmic, since a few nodes
 * cost most; of age, by the time since the last message, the newest is 4. Linear in the messages.
 *
 * @param stretches positions of the nodes in each
 */
export function heatOf(
  facts: MapFacts,
  stretches: readonly (readonly number[])[],
  kind: HeatKind,
  nowMs: number,
): Heat {
  const values = Float64Array.from(stretches, (nodes) => heatValue(sumFacts(facts, nodes), kind))
  let least: number | undefined
  let most: number | undefined
  values.forEach((value, i) => {
    if (Number.isNaN(value)) return
    if (least === undefined || value < (values[least] ?? 0)) least = i
    if (most === undefined || value > (values[most] ?? 0)) most = i
  })
  const scale = scaleOf(values, kind, nowMs)
  const steps = Uint8Array.from(values, (value) => {
    if (!isColoured(value, kind)) return 0
    return 1 + Math.min(heatSteps - 1, Math.floor(scale(value) * heatSteps))
  })
  return { kind, values, steps, least, most }
}

/** Returns the value of a heat; NaN where nothing says it: a node without a priced answer cost an unknown amount, not nothing. */
export function heatValue(sums: FactSums, kind: HeatKind): number {
  if (sums.entries === 0) return Number.NaN
  switch (kind) {
    case 'cost':
      return sums.cost ?? Number.NaN
    case 'tokens':
      return sums.tokens === 0 ? Number.NaN : sums.tokens
    case 'failures':
      return sums.calls === 0 && sums.failures === 0 ? Number.NaN : sums.failures
    case 'age':
      return sums.lastMs ?? Number.NaN
  }
}

/** Shortest age that is told apart, in ms. */
const leastAgeMs = 60_000

/** Returns false for nothing, which is colourless: no failure, no cost. */
function isColoured(value: number, kind: HeatKind): boolean {
  return !Number.isNaN(value) && (kind === 'age' || value > 0)
}

/** Returns where a value is between the extremes of those that are coloured, from 0 to 1; 1 where they are equal. */
function scaleOf(values: Float64Array, kind: HeatKind, nowMs: number): (value: number) => number {
  const size = (value: number) =>
    kind === 'age' ? -Math.log(Math.max(leastAgeMs, nowMs - value)) : Math.log(value)
  const sizes = values.filter((value) => isColoured(value, kind)).map(size)
  const from = sizes.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
  const to = sizes.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
  return (value) => (to <= from ? 1 : (size(value) - from) / (to - from))
}
