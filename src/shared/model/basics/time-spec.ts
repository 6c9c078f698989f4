/** A stretch of time, in Unix seconds: from `from` on, until `until`, exclusive. An end that is undefined is open. */
export interface TimeRange {
  readonly from: number | undefined
  readonly until: number | undefined
}

/** Current time and calendar of the time zone in which a time is understood. */
export interface LocalClock {
  /** Unix milliseconds. */
  readonly now: number
  /** The calendar day of a time; `month` counts from 1. */
  dayOf(ms: number): CalendarDay
  /** 0 to 23. */
  hourOf(ms: number): number
  /** When a day begins, in Unix milliseconds; a `day` outside its month is counted on, so that 0 is the day before. */
  startOf(day: CalendarDay): number
}

/** Day of the calendar; `month` and `day` count from 1. */
export interface CalendarDay {
  readonly year: number
  readonly month: number
  readonly day: number
}

/** Returns a clock in this machine's time zone at `now` (Unix milliseconds). */
export function machineClock(now: number): LocalClock {
  return {
    now,
    dayOf(ms) {
      const date = new Date(ms)
      return { year: date.getFullYear(), month: date.getMonth() + 1, day: date.getDate() }
    },
    hourOf: (ms) => new Date(ms).getHours(),
    startOf({ year, month, day }) {
      const date = new Date(2000, 0, 1)
      // The constructor would take the years 0 to 99 for 1900 to 1999.
      date.setFullYear(year, month - 1, day)
      return date.getTime()
    },
  }
}

/** All that people need to know, as the end of a sentence. */
const timeSpecs =
  'YYYY-MM-DD, today, yesterday, 7d, 2d4h, 30m, 45s, or a range such as 7d..yesterday'

/**
 * Understands a time as people write it on the command line, or says in words why not.
 *
 * A day is all of that day; `7d` is the time since seven days ago; `A..B` goes from where A begins to where B ends, and
 * either side may be left out.
 */
export function parseTimeRange(text: string, clock: LocalClock): TimeRange | string {
  const dots = text.indexOf('..')
  if (dots === -1) {
    const one = momentOrDay(text, clock)
    return typeof one === 'string'
      ? one
      : rangeInSeconds(one.begin, one.isDay ? one.end : undefined)
  }
  const [left, right] = [text.slice(0, dots).trim(), text.slice(dots + 2).trim()]
  if (left === '' && right === '') return `"${text}" has neither a beginning nor an end.`
  const from = left === '' ? undefined : momentOrDay(left, clock)
  const until = right === '' ? undefined : momentOrDay(right, clock)
  if (typeof from === 'string') return from
  if (typeof until === 'string') return until
  if (from !== undefined && until !== undefined && from.begin > until.end)
    return `"${text}" ends before it begins.`
  return rangeInSeconds(from?.begin, until?.end)
}

/**
 * Parses a time as people write it into Unix seconds, where a day counts from its beginning. Returns a sentence for
 * a range and for any other text that is no time.
 */
export function parseTimePoint(text: string, clock: LocalClock): number | string {
  if (text.includes('..')) return `"${text}" is a range; here one time is needed.`
  const one = momentOrDay(text, clock)
  return typeof one === 'string' ? one : one.begin / 1000
}

/**
 * Returns true where a value of `--last` is a time and not a number of things: it has letters, a range, or a date.
 */
export function isTimeSpec(text: string): boolean {
  return !/^[+-]?[\d.]*$/.test(text) || text.includes('..')
}

/** Returns the range that both have in common; a range that ends before it begins where they have none. */
export function intersectTimeRanges(a: TimeRange, b: TimeRange): TimeRange {
  return {
    from: chosen([a.from, b.from], Math.max),
    until: chosen([a.until, b.until], Math.min),
  }
}

/** Returns true where a time in Unix seconds is in the range. */
export function isInTimeRange(seconds: number, { from, until }: TimeRange): boolean {
  return (from === undefined || seconds >= from) && (until === undefined || seconds < until)
}

interface Moment {
  /** Unix milliseconds; both the same where it is no day. `end` is exclusive for a day. */
  readonly begin: number
  readonly end: number
  readonly isDay: boolean
}

const unitMs: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 }

function momentOrDay(text: string, clock: LocalClock): Moment | string {
  const words = text.trim().toLowerCase()
  const today = clock.dayOf(clock.now)
  if (words === 'today') return dayAt(today, clock)
  if (words === 'yesterday') return dayAt({ ...today, day: today.day - 1 }, clock)
  const date = /^(\d{4})-(\d{2})-(\d{2})$/.exec(words)
  if (date !== null) {
    const day = { year: Number(date[1]), month: Number(date[2]), day: Number(date[3]) }
    const found = dayAt(day, clock)
    const { year, month, day: dayOfMonth } = clock.dayOf(found.begin)
    const isReal = year === day.year && month === day.month && dayOfMonth === day.day
    return isReal ? found : `The calendar has no ${text.trim()}.`
  }
  if (!/^(?:\d{1,9}[dhms])+$/.test(words)) return `"${text}" is no time: ${timeSpecs}.`
  let ms = 0
  for (const [, count, unit] of words.matchAll(/(\d+)([dhms])/g))
    ms += Number(count) * (unitMs[unit ?? ''] ?? 0)
  const moment = clock.now - ms
  return { begin: moment, end: moment, isDay: false }
}

function dayAt(day: CalendarDay, clock: LocalClock): Moment {
  // Not 24 hours on: days that change the clock are shorter or longer.
  const end = clock.startOf({ ...day, day: day.day + 1 })
  return { begin: clock.startOf(day), end, isDay: true }
}

function rangeInSeconds(beginMs: number | undefined, endMs: number | undefined): TimeRange {
  return {
    from: beginMs === undefined ? undefined : beginMs / 1000,
    until: endMs === undefined ? undefined : endMs / 1000,
  }
}

function chosen(
  values: readonly (number | undefined)[],
  choose: (...numbers: number[]) => number,
): number | undefined {
  const known = values.flatMap((value) => value ?? [])
  return known.length === 0 ? undefined : choose(...known)
}
