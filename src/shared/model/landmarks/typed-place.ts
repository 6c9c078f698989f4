import { entryTimeMs } from '../basics/time'
import { type CalendarDay, type LocalClock, parseTimePoint } from '../basics/time-spec'

/** A place as a person types it: the number of an entry, or a time in Unix seconds. */
export type TypedPlace =
  | { readonly type: 'number'; readonly number: number }
  | { readonly type: 'time'; readonly time: number }

/**
 * Reads a place in a conversation: `1204` or `#1,204` is an entry's number; `14:05`, `2026-03-09`, `2026-03-09 14:05`, `yesterday`,
 * `yesterday 9:30`, `2h` (ago) are times. A time of day without a day is of the day on which `nearMs` is. Undefined for any other text,
 * for a number that is too large to be counted and for a time outside the calendar.
 *
 * @param nearMs Unix milliseconds
 */
export function parseTypedPlace(
  text: string,
  clock: LocalClock,
  nearMs: number,
): TypedPlace | undefined {
  const words = text.trim().toLowerCase()
  const number = /^#?\s*(\d{1,3}(?:[,.\u00a0\u202f ]\d{3})+|\d{1,9})$/.exec(words)?.[1]
  if (number !== undefined) {
    const value = Number(number.replace(/\D/g, ''))
    return value === 0 || !Number.isSafeInteger(value)
      ? undefined
      : { type: 'number', number: value }
  }
  const [, dayWords = '', hour, minute] = /^(?:(\S+)[t ]\s*)?(\d{1,2}):(\d{2})$/.exec(words) ?? []
  if (hour === undefined || minute === undefined) {
    const point = words === '' ? '' : parseTimePoint(words, clock)
    return typeof point === 'number' ? timePlace(point) : undefined
  }
  if (Number(hour) > 23 || Number(minute) > 59) return undefined
  const day = dayWords === '' ? clock.dayOf(nearMs) : dayIn(dayWords, clock)
  if (day === undefined) return undefined
  return timePlace(atClock(day, Number(hour), Number(minute), clock))
}

function timePlace(time: number): TypedPlace | undefined {
  // The calendar has no other ones, and nothing can write them.
  return entryTimeMs(time) === undefined ? undefined : { type: 'time', time }
}

function dayIn(words: string, clock: LocalClock): CalendarDay | undefined {
  // What is told in hours is no day.
  if (!/^(?:today|yesterday|\d{4}-\d{2}-\d{2})$/.test(words)) return undefined
  const point = parseTimePoint(words, clock)
  return typeof point === 'number' ? clock.dayOf(point * 1000) : undefined
}

/** Unix seconds of a time of day. On a day that changes the clock it is counted from the noon that is nearest to it. */
function atClock(day: CalendarDay, hour: number, minute: number, clock: LocalClock): number {
  const start = clock.startOf(day)
  const plain = start + (hour * 60 + minute) * 60_000
  // The hour that the clock shows then: on most days the one that is meant.
  const shown = clock.hourOf(plain)
  const hours = ((hour - shown + 36) % 24) - 12
  return (plain + hours * 3_600_000) / 1000
}
