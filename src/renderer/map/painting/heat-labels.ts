import type { Heat, HeatKind } from '../../../shared/model/map/heat'
import { formatDollars, formatShortCount } from '../../models/model-labels'
import { daysBetween, listTime, shortDate } from '../../ui/format/format'

/** Names of what nodes are coloured by. */
export const heatNames: Readonly<Record<HeatKind, string>> = {
  cost: 'Cost',
  tokens: 'Tokens',
  failures: 'Failed tools',
  age: 'Age',
}

/** Names of the extremes: the least and the most. */
export const extremeNames: Readonly<Record<HeatKind, readonly [string, string]>> = {
  cost: ['Least', 'Most'],
  tokens: ['Fewest', 'Most'],
  failures: ['Fewest', 'Most'],
  age: ['Oldest', 'Newest'],
}

/** Formats a value of a heat in a few characters. */
export function heatText(kind: HeatKind, value: number, nowMs: number): string {
  switch (kind) {
    case 'cost':
      return formatDollars(value)
    case 'tokens':
    case 'failures':
      return formatShortCount(value)
    case 'age':
      return listTime(value, nowMs)
  }
}

/** Returns the range of a heat in words: "Cost: $0.02 to $1.37". */
export function heatRange({ kind, values, least, most }: Heat, nowMs: number): string {
  if (least === undefined || most === undefined) return `${heatNames[kind]}: not recorded`
  const [low, high] = [values[least] ?? 0, values[most] ?? 0]
  const isDays = kind === 'age' && daysBetween(low, high) !== 0
  const [from, to] = [low, high].map((value) =>
    isDays ? shortDate(value, nowMs) : heatText(kind, value, nowMs),
  )
  return `${heatNames[kind]}: ${from === to ? from : `${from} to ${to}`}`
}
