import { expect, it } from 'vitest'
import { machineClock } from '../../../../src/shared/model/basics/time-spec'
import { parseTypedPlace } from '../../../../src/shared/model/landmarks/typed-place'

const now = new Date(2026, 2, 12, 16, 20).getTime()
const near = new Date(2026, 2, 9, 8, 0).getTime()
const typed = (text: string) => parseTypedPlace(text, machineClock(now), near)
const time = (...parts: readonly [number, number, number, number, number]) => ({
  type: 'time',
  time: new Date(...parts).getTime() / 1000,
})

it.each(['1204', '#1204', '1,204', ' 1.204 ', '1\u202f204', '# 1204'])(
  'takes %s for the number of an entry',
  (text) => expect(typed(text)).toEqual({ type: 'number', number: 1204 }),
)

it('takes a time of day for one of the day where the reader is, and of a day that is named', () => {
  expect(typed('14:05')).toEqual(time(2026, 2, 9, 14, 5))
  expect(typed('7:30')).toEqual(time(2026, 2, 9, 7, 30))
  expect(typed('Yesterday 14:05')).toEqual(time(2026, 2, 11, 14, 5))
  expect(typed('2026-02-01 00:00')).toEqual(time(2026, 1, 1, 0, 0))
  expect(typed('2026-02-01T23:59')).toEqual(time(2026, 1, 1, 23, 59))
})

it('takes days and times ago as the command line does', () => {
  expect(typed('yesterday')).toEqual(time(2026, 2, 11, 0, 0))
  expect(typed('2026-02-01')).toEqual(time(2026, 1, 1, 0, 0))
  expect(typed('2h')).toEqual({ type: 'time', time: now / 1000 - 7200 })
})

it('shows the hour that is meant on a day that changes the clock', () => {
  // The clock goes from 2:00 to 3:00 of this day.
  const start = Date.UTC(2026, 2, 29)
  const clock = {
    ...machineClock(now),
    startOf: () => start,
    hourOf: (ms: number) => {
      const hour = Math.floor((ms - start) / 3_600_000)
      return (hour >= 2 ? hour + 1 : hour) % 24
    },
  }
  const found = parseTypedPlace('2026-03-29 14:05', clock, near)
  expect(found).toEqual({ type: 'time', time: (start + (13 * 60 + 5) * 60_000) / 1000 })
})

it.each([
  '',
  'the tide',
  '0',
  '25:00',
  '14:75',
  '2026-02-30',
  '14:05 or so',
  '2h 14:05',
  '1e5',
  '-3',
  // Before the calendar begins, and more than can be counted.
  '999999999d',
  '999,999,999,999,999,999',
])('takes “%s” for words', (text) => expect(typed(text)).toBeUndefined())
