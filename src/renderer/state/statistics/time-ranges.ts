import { machineClock } from '../../../shared/model/basics/time-spec'
import {
  addDays,
  type CalendarStep,
  dayKey,
  nextBegin,
  stepBegin,
} from '../../../shared/model/statistics/calendar'

/** Times that statistics are shown of, and the steps of their pictures. */
export const timeRanges = ['30d', '12w', 'year', 'all'] as const
/** Time that statistics are shown of. */
export type StatisticsRange = (typeof timeRanges)[number]

/** Days of a range, both counted, and the step of its pictures; nothing where it has no bounds. */
export interface RangeDays {
  readonly from?: string
  readonly until?: string
  readonly step?: CalendarStep
}

/** Returns the days of a range that ends today: 30 days, 12 weeks from Monday, or 12 months from their first day. */
export function daysOfRange(range: StatisticsRange, nowMs: number): RangeDays {
  const until = dayKey(nowMs, machineClock(nowMs))
  switch (range) {
    case '30d':
      return { from: addDays(until, -29), until, step: 'day' }
    case '12w':
      return { from: addDays(stepBegin(until, 'week'), -7 * 11), until, step: 'week' }
    case 'year': {
      // The month after this one, a year ago.
      const begin = nextBegin(stepBegin(until, 'month'), 'month')
      const year = String(Number(begin.slice(0, -6)) - 1).padStart(4, '0')
      return { from: `${year}${begin.slice(-6)}`, until, step: 'month' }
    }
    case 'all':
      return {}
  }
}
