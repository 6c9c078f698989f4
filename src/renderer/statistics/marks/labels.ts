import { plural } from '../../../shared/model/basics/plural'
import { visibleText } from '../../../shared/model/basics/visible'
import type { CalendarStep } from '../../../shared/model/statistics/calendar'
import type { StepRange } from '../../../shared/model/statistics/steps'
import { formatCount, formatDuration, formatQuantity } from '../../ui/format/format'

const compactFormat = new Intl.NumberFormat(undefined, {
  notation: 'compact',
  maximumFractionDigits: 1,
})
const costFormat = new Intl.NumberFormat(undefined, { style: 'currency', currency: 'USD' })
const fineCostFormat = new Intl.NumberFormat(undefined, {
  style: 'currency',
  currency: 'USD',
  maximumSignificantDigits: 2,
})
const percentFormat = new Intl.NumberFormat(undefined, {
  style: 'percent',
  maximumFractionDigits: 1,
})
// Days of the calendar have no zone: UTC on both sides leaves them as they are.
const dayFormat = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
})
const datedDayFormat = new Intl.DateTimeFormat(undefined, {
  dateStyle: 'medium',
  timeZone: 'UTC',
})
const monthFormat = new Intl.DateTimeFormat(undefined, { month: 'short', timeZone: 'UTC' })
const datedMonthFormat = new Intl.DateTimeFormat(undefined, {
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})
const weekdayFormat = new Intl.DateTimeFormat(undefined, { weekday: 'short', timeZone: 'UTC' })
const longWeekdayFormat = new Intl.DateTimeFormat(undefined, { weekday: 'long', timeZone: 'UTC' })

/** Formats a large number in few characters: "37.1M". */
export function compactCount(number: number): string {
  return compactFormat.format(number)
}

/** Formats a cost in US dollars; small ones with two digits, and a dash where none is known. */
export function formatCost(cost: number | null): string {
  if (cost === null) return '–'
  return cost === 0 || cost >= 0.995 ? costFormat.format(cost) : fineCostFormat.format(cost)
}

/** Formats a share in percent; a dash of nothing. */
export function formatShare(part: number, whole: number): string {
  return whole === 0 ? '–' : percentFormat.format(part / whole)
}

/** Formats a number of conversations. */
export function conversationsText(number: number): string {
  return formatQuantity(number, 'conversation')
}

/** Returns the short or the long name of a weekday, 1 for Monday. */
export function weekdayName(weekday: number, isLong = false): string {
  // The 1st of January 2024 was a Monday.
  return (isLong ? longWeekdayFormat : weekdayFormat).format(Date.UTC(2024, 0, weekday))
}

/** Formats an hour of the day: "15:00". */
export function hourName(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`
}

/** Formats a stretch of time in full, for a mark and a table. */
export function stretchName(from: string, until: string, step: CalendarStep): string {
  switch (step) {
    case 'day':
      return datedDayFormat.format(dayTime(from))
    case 'week':
      return datedDayFormat.formatRange(dayTime(from), dayTime(until))
    case 'month':
      return datedMonthFormat.format(dayTime(from))
    case 'year':
      return from.slice(0, 4)
  }
}

/** Formats a stretch of time in few characters, for an axis. */
export function tickName(from: string, step: CalendarStep): string {
  if (step === 'month') return monthFormat.format(dayTime(from))
  return step === 'year' ? from.slice(0, 4) : dayFormat.format(dayTime(from))
}

/** Returns the name of a project; of none too. */
export function projectName(project: string | null): string {
  return project === null ? 'No project' : visibleText(project)
}

/** Returns the name of a model; of none too. */
export function modelName(model: string | null): string {
  return model === null || model === '' ? 'Unknown model' : visibleText(model)
}

/** Formats a range of whole numbers with its noun: "20 to 49 entries". */
export function countRange({ from, until }: StepRange, noun: string, many?: string): string {
  if (until === null) return `${formatCount(from)} or more ${plural(2, noun, many)}`
  if (until === from + 1) return formatQuantity(from, noun, many)
  if (from === 0) return `Fewer than ${formatQuantity(until, noun, many)}`
  return `${formatCount(from)} to ${formatQuantity(until - 1, noun, many)}`
}

/** Formats seconds: "2.3 s", "3 min 5 s", "9 h 30 min". */
export function secondsText(seconds: number): string {
  const minutes = Math.round(seconds / 60)
  return minutes < 120
    ? formatDuration(seconds * 1000)
    : `${formatCount(Math.floor(minutes / 60))} h ${minutes % 60} min`
}

/** Formats a range of seconds. */
export function secondsRange({ from, until }: StepRange): string {
  if (until === null) return `${formatCount(from)} s or more`
  return `${formatCount(from)} to ${formatCount(until)} s`
}

function dayTime(day: string): number {
  return Date.parse(`${day}T00:00:00Z`)
}
