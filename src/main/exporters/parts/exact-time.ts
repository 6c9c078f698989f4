import { isoSeconds } from '../../../shared/model/basics/time'

const lastSecond = Date.UTC(9999, 11, 31, 23, 59, 59) / 1000

/** Whether the systems' own forms can say a time: since 1970, and in a year of four digits. */
export function isExportableTime(timestamp: number | null): timestamp is number {
  return timestamp !== null && timestamp >= 0 && timestamp < lastSecond
}

/** `2026-02-10T09:00:01` in UTC, without the decimals. */
export function formatWholeSeconds(timestamp: number): string {
  return new Date(Math.floor(timestamp) * 1000).toISOString().slice(0, 19)
}

/**
 * The decimals of a time, as many digits as asked for. They are those of the shortest number that is the same double: so
 * 1770714001.1234567 gives `123456700`, and no digits that only the double's own grid has.
 */
export function formatDecimals(timestamp: number, digits: number): string {
  const [, decimals = ''] = String(timestamp).split('.')
  // Only times within a millionth of a second of 1970 are written with an exponent.
  if (decimals.includes('e')) return '0'.repeat(digits)
  if (decimals.length <= digits) return decimals.padEnd(digits, '0')
  const rounded = String(Math.round(Number(`0.${decimals}`) * 10 ** digits)).padStart(digits, '0')
  return rounded.length > digits ? '9'.repeat(digits) : rounded
}

/** A conversation's beginning in Unix seconds; 0 where none is known, or none that can be said. */
export function creationSeconds(created: string | null): number {
  const begin = isoSeconds(created) ?? null
  return isExportableTime(begin) ? begin : 0
}

/** The times of entries in turn: one without a time gets the one before, the first ones the conversation's own beginning. */
export function filledTimes(created: string | null): (timestamp: number | null) => number {
  let last = creationSeconds(created)
  return (timestamp) => {
    if (isExportableTime(timestamp)) last = timestamp
    return last
  }
}
