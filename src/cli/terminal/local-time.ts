import { isoMs } from '../../shared/model/basics/time'
/**
 * Times as people read them: where they sit, as their clocks show them and as the options for times are understood.
 * Undefined for none, and for what is no time of this calendar: files are hostile. What scripts read is ISO 8601 in UTC.
 */

/** Writes a time as `2026-03-09 14:05`; given in Unix seconds or as ISO 8601. */
export function localMinute(time: number | string | null | undefined): string | undefined {
  return localSecond(time)?.slice(0, -3)
}

/** Writes a time's day as `2026-03-09`; given as `localMinute` takes it. */
export function localDay(time: number | string | null | undefined): string | undefined {
  return localSecond(time)?.split(' ')[0]
}

/** Writes a time as `2026-03-09 14:05:33`; given as `localMinute` takes it. */
export function localSecond(time: number | string | null | undefined): string | undefined {
  const ms = typeof time === 'string' ? isoMs(time) : time == null ? undefined : time * 1000
  if (ms === undefined) return undefined
  const date = new Date(ms)
  if (Number.isNaN(date.getTime())) return undefined
  const year = String(date.getFullYear()).padStart(4, '0')
  const day = `${year}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}
