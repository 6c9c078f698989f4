import { isoSeconds } from '../basics/time'

/**
 * Parses `2026`, `2026-03`, `2026-03-09` or a time such as `2026-03-09T14:30` to its first moment, in Unix seconds;
 * undefined for anything else. Days are those of this machine's time zone; a time may name its own (`Z`, `+02:00`).
 */
export function startOfPeriod(text: string): number | undefined {
  const day = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/.exec(text)
  if (day === null)
    return /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(text) ? isoSeconds(text) : undefined
  const [year, month, date] = [Number(day[1]), Number(day[2] ?? 1), Number(day[3] ?? 1)]
  const start = new Date(2000, 0, 1)
  // The constructor would take the years 0 to 99 for 1900 to 1999.
  start.setFullYear(year, month - 1, date)
  return start.getMonth() === month - 1 && start.getDate() === date
    ? start.getTime() / 1000
    : undefined
}
