import type { LocalClock } from '../basics/time-spec'

/** Lengths of time that numbers are shown by. */
export const calendarSteps = ['day', 'week', 'month', 'year'] as const
/** A length of time that numbers are shown by. */
export type CalendarStep = (typeof calendarSteps)[number]

const dayMs = 86_400_000

/** Returns the local day of a time (Unix milliseconds) as `YYYY-MM-DD`. */
export function dayKey(ms: number, clock: LocalClock): string {
  const { year, month, day } = clock.dayOf(ms)
  return `${padded(year, 4)}-${padded(month, 2)}-${padded(day, 2)}`
}

/** Returns the weekday of a day name, 1 for Monday to 7 for Sunday. */
export function weekdayOf(day: string): number {
  return new Date(utcMs(day)).getUTCDay() || 7
}

/** Returns the day so many days later. */
export function addDays(day: string, days: number): string {
  return utcName(utcMs(day) + days * dayMs)
}

/** Returns the first day of the day, week (from Monday), month or year that a day is in. */
export function stepBegin(day: string, step: CalendarStep): string {
  if (step === 'week') return addDays(day, 1 - weekdayOf(day))
  if (step === 'month') return `${day.slice(0, -2)}01`
  return step === 'year' ? `${day.slice(0, -5)}01-01` : day
}

/** Returns the first day of the next step. */
export function nextBegin(begin: string, step: CalendarStep): string {
  if (step === 'day') return addDays(begin, 1)
  if (step === 'week') return addDays(begin, 7)
  // Longer than any month or year, and shorter than two.
  return stepBegin(addDays(begin, step === 'month' ? 31 : 366), step)
}

/** Returns the days from the first to the last, both counted. */
export function countDays(first: string, last: string): number {
  return Math.round((utcMs(last) - utcMs(first)) / dayMs) + 1
}

/** A calendar without a time zone: the days of all have the same names and order. */
function utcMs(day: string): number {
  const [, year = '', month = '', date = ''] = /^(-?\d+)-(\d{2})-(\d{2})$/.exec(day) ?? []
  const time = new Date(0)
  // `Date.UTC` would take the years 0 to 99 for 1900 to 1999.
  time.setUTCFullYear(Number(year), Number(month) - 1, Number(date))
  return time.getTime()
}

function utcName(ms: number): string {
  const time = new Date(ms)
  const [year, month, date] = [time.getUTCFullYear(), time.getUTCMonth() + 1, time.getUTCDate()]
  return `${padded(year, 4)}-${padded(month, 2)}-${padded(date, 2)}`
}

function padded(number: number, length: number): string {
  return String(number).padStart(length, '0')
}
