import { isoSeconds } from '../basics/time'

/**
 * Parses `2026`, `2026-03`, `2026-03-09` or a time such as `2026-03-09T14:30` to its first moment, in Unix seconds;
 * undefined for anything else. Days are those of this machine's time zone; a time may name its own (`Z`, `+02:00`).
 */
export function startOfPeriod(text: string): number | undefined {
  const day = dayOf(text)
  if (day === undefined)
    return /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(text) ? isoSeconds(text) : undefined
  const { year, month = 1, date = 1 } = day
  const start = localDay(year, month - 1, date)
  return start.getMonth() === month - 1 && start.getDate() === date
    ? start.getTime() / 1000
    : undefined
}

/** Parses a year, a month or a day to the first moment behind it, in Unix seconds; undefined for anything else, also a time. */
export function endOfPeriod(text: string): number | undefined {
  const day = dayOf(text)
  if (day === undefined || startOfPeriod(text) === undefined) return undefined
  const { year, month, date } = day
  if (month === undefined) return localDay(year + 1, 0, 1).getTime() / 1000
  return localDay(year, date === undefined ? month : month - 1, (date ?? 0) + 1).getTime() / 1000
}

/** Returns the month of a time as `2026-03`, in this machine's time zone. @param seconds in Unix time */
export function monthOf(seconds: number): string {
  const time = new Date(seconds * 1000)
  return `${String(time.getFullYear()).padStart(4, '0')}-${String(time.getMonth() + 1).padStart(2, '0')}`
}

function dayOf(text: string): { year: number; month?: number; date?: number } | undefined {
  const found = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/.exec(text)
  if (found === null) return undefined
  const [, year, month, date] = found
  return {
    year: Number(year),
    ...(month === undefined ? {} : { month: Number(month) }),
    ...(date === undefined ? {} : { date: Number(date) }),
  }
}

/** The constructor would take the years 0 to 99 for 1900 to 1999. */
function localDay(year: number, month: number, date: number): Date {
  const day = new Date(2000, 0, 1)
  day.setFullYear(year, month, date)
  return day
}
