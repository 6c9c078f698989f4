import { expect, it } from 'vitest'
import {
  addDays,
  calendarSteps,
  countDays,
  nextBegin,
  stepBegin,
  weekdayOf,
} from '../../../../src/shared/model/statistics/calendar'

it('parts the calendar into days, weeks from Monday, months and years, without a gap', () => {
  expect(weekdayOf('2026-11-29')).toBe(7)
  expect(stepBegin('2026-11-29', 'week')).toBe('2026-11-23')
  expect(stepBegin('2024-02-29', 'month')).toBe('2024-02-01')
  expect(stepBegin('2024-02-29', 'year')).toBe('2024-01-01')
  expect(countDays('2024-02-28', '2024-03-01')).toBe(3)
  for (const step of calendarSteps) {
    let begin = stepBegin('2023-12-30', step)
    for (let day = '2023-12-30'; day < '2025-03-02'; day = addDays(day, 1)) {
      const here = stepBegin(day, step)
      if (here !== begin) expect([step, day, here]).toEqual([step, day, nextBegin(begin, step)])
      begin = here
    }
  }
})

it('knows days of any year', () => {
  expect(addDays('0099-12-31', 1)).toBe('0100-01-01')
  expect(weekdayOf('1970-01-01')).toBe(4)
})
