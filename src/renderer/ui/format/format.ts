import { plural } from '../../../shared/model/basics/plural'

export { formatByteSize } from '../../../shared/model/basics/byte-size'

// Times and counts are formatted in the language and the zone of the system.

const clockFormat = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })
const weekdayFormat = new Intl.DateTimeFormat(undefined, { weekday: 'short' })
const dateFormat = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })
const datedFormat = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
})
const dayFormat = new Intl.DateTimeFormat(undefined, {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
})
const datedDayFormat = new Intl.DateTimeFormat(undefined, {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
})
const monthFormat = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric' })
const exactFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' })
const shortFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const countFormat = new Intl.NumberFormat()

const dayMs = 86_400_000

/** Formats the time of day. */
export function clockTime(ms: number): string {
  return clockFormat.format(ms)
}

/** Formats date, time and zone in full, for tooltips. */
export function exactTime(ms: number): string {
  return exactFormat.format(ms)
}

/** Formats date and time of day: "Nov 29, 2026, 4:31 AM". */
export function shortTime(ms: number): string {
  return shortFormat.format(ms)
}

/** Formats two times without repeating what they share: "Nov 29, 2026, 4:31 – 4:47 AM". */
export function formatTimeRange(fromMs: number, toMs: number): string {
  if (fromMs > toMs) return `${shortTime(fromMs)} – ${shortTime(toMs)}`
  return shortFormat.formatRange(fromMs, toMs)
}

/** Counts the days from one time's local date to another's; 0 on the same day. */
export function daysBetween(ms: number, nowMs: number): number {
  return Math.round((startOfDay(nowMs) - startOfDay(ms)) / dayMs)
}

/** Formats a time for a list: the clock for today and yesterday, the weekday within a week, else the date. */
export function listTime(ms: number, nowMs: number): string {
  const days = daysBetween(ms, nowMs)
  if (days <= 1) return clockFormat.format(ms)
  if (days < 7) return weekdayFormat.format(ms)
  return shortDate(ms, nowMs)
}

/** Returns the name of a time's day: “Today”, “Yesterday”, or the date with its weekday. */
export function dayName(ms: number, nowMs: number): string {
  const days = daysBetween(ms, nowMs)
  if (days === 0) return 'Today'
  if (days === 1) return 'Yesterday'
  return sameYear(ms, nowMs) ? dayFormat.format(ms) : datedDayFormat.format(ms)
}

/** Formats a date without its year, unless that is another than this one's: "9 Nov". */
export function shortDate(ms: number, nowMs: number): string {
  return sameYear(ms, nowMs) ? dateFormat.format(ms) : datedFormat.format(ms)
}

/** Formats the month of a time with its year. */
export function monthName(ms: number): string {
  return monthFormat.format(ms)
}

/** Formats the date of a time with its year. */
export function dateWithYear(ms: number): string {
  return datedFormat.format(ms)
}

/** Formats a number with separators of thousands. */
export function formatCount(number: number): string {
  return countFormat.format(number)
}

/** Formats a number with its noun: "1 line", "418 lines". */
export function formatQuantity(number: number, one: string, many?: string): string {
  return `${formatCount(number)} ${plural(number, one, many)}`
}

/** Formats a duration in ms: "0.2 s", "8 s", "2 min 5 s". */
export function formatDuration(ms: number): string {
  if (ms < 10_000) return `${Number((ms / 1000).toFixed(1))} s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 120) return `${seconds} s`
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

function startOfDay(ms: number): number {
  return new Date(ms).setHours(0, 0, 0, 0)
}

function sameYear(a: number, b: number): boolean {
  return new Date(a).getFullYear() === new Date(b).getFullYear()
}
