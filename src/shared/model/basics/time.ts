import { z } from 'zod'

/** Formats Unix seconds as ISO 8601 in UTC. Null for none, and for a number outside the calendar. */
export function isoTime(seconds: number | undefined): string | null {
  if (seconds === undefined) return null
  const date = new Date(millisecondsOf(seconds))
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}

/** Formats Unix milliseconds as ISO 8601 in UTC. Null for none, and for a number outside the calendar. */
export function isoTimeOfMs(ms: number | undefined): string | null {
  // Seconds times a thousand have decimals: 178.9999 is 179.
  const date = new Date(Math.round(ms ?? Number.NaN))
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}

/** Reads a time in ISO 8601 as Unix milliseconds; undefined for none, and for a text that is no time. */
export function isoMs(iso: string | null | undefined): number | undefined {
  const ms = iso == null ? Number.NaN : Date.parse(iso)
  return Number.isNaN(ms) ? undefined : ms
}

/** Reads a time in ISO 8601 as Unix seconds, milliseconds as decimals; undefined for none, and for a text that is no time. */
export function isoSeconds(iso: string | null | undefined): number | undefined {
  const ms = isoMs(iso)
  return ms === undefined ? undefined : ms / 1000
}

const Rfc3339 = z.iso.datetime({ offset: true })

/** Reads RFC 3339 with any number of decimals as Unix seconds, in a double's precision; undefined for other text. */
export function rfc3339Seconds(time: string): number | undefined {
  const text = time.toUpperCase()
  const [, whole = '', decimals = '', zone = ''] = /^(.{19})(\.\d+)?(.+)$/.exec(text) ?? []
  // Date.parse alone would take the 30th of February for the 2nd of March.
  const seconds = Rfc3339.safeParse(text).success ? isoSeconds(whole + zone) : undefined
  return seconds === undefined ? undefined : seconds + Number(`0${decimals}`)
}

/** Whole ones, by the number's own decimals: multiplied, .179 would come out as 178.9999 and lose one. */
function millisecondsOf(seconds: number): number {
  const text = String(seconds)
  if (text.includes('e')) return seconds * 1000
  const [whole = '', decimals = ''] = text.split('.')
  const ms = Number(decimals.slice(0, 3).padEnd(3, '0'))
  return Number(whole) * 1000 + (seconds < 0 ? -ms : ms)
}

// A day less than JavaScript's calendar holds, so that the beginning of that day is a time as well.
const lastSeconds = 8.64e12 - 86_400

/**
 * Returns an entry's time in Unix milliseconds. Undefined for none, and for a number outside the calendar: files are
 * hostile.
 */
export function entryTimeMs(timestamp: number | null | undefined): number | undefined {
  if (timestamp == null || !(Math.abs(timestamp) <= lastSeconds)) return undefined
  return timestamp * 1000
}
