import { isoSeconds } from '../../../shared/model/basics/time'

const lastSecond = Date.UTC(9999, 11, 31, 23, 59, 59) / 1000

/** Returns true where the formats of other programs can hold a time: from 1970 to the end of the year 9999. */
export function isExportableTime(timestamp: number | null): timestamp is number {
  return timestamp !== null && timestamp >= 0 && timestamp < lastSecond
}

/** Formats Unix milliseconds in UTC: `2026-02-10T09:00:01.250Z`. */
export function formatMilliseconds(ms: number): string {
  return new Date(ms).toISOString()
}

/** Formats Unix seconds in UTC without decimals: `2026-02-10T09:00:01`. */
export function formatWholeSeconds(timestamp: number): string {
  return new Date(Math.floor(timestamp) * 1000).toISOString().slice(0, 19)
}

/**
 * Formats the decimals of a time with `digits` digits. They are those of the shortest number that is the same
 * double: 1770714001.1234567 gives `123456700`, without digits that come from the double's own grid.
 */
export function formatDecimals(timestamp: number, digits: number): string {
  const [, decimals = ''] = String(timestamp).split('.')
  // Only times within a millionth of a second of 1970 are written with an exponent.
  if (decimals.includes('e')) return '0'.repeat(digits)
  if (decimals.length <= digits) return decimals.padEnd(digits, '0')
  const rounded = String(Math.round(Number(`0.${decimals}`) * 10 ** digits)).padStart(digits, '0')
  return rounded.length > digits ? '9'.repeat(digits) : rounded
}

/**
 * Returns a conversation's creation in Unix seconds; 0 where none is known, and for a time that no format can hold.
 */
export function creationSeconds(created: string | null): number {
  const begin = isoSeconds(created) ?? null
  return isExportableTime(begin) ? begin : 0
}

/**
 * Returns a function that fills the times of entries in order: an entry without a time gets the one before, the
 * first ones the conversation's creation.
 */
export function filledTimes(created: string | null): (timestamp: number | null) => number {
  let last = creationSeconds(created)
  return (timestamp) => {
    if (isExportableTime(timestamp)) last = timestamp
    return last
  }
}
