import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  intersectTimeRanges,
  isInTimeRange,
  isTimeSpec,
  type LocalClock,
  machineClock,
  parseTimePoint,
  parseTimeRange,
} from '../../src/shared/model/basics/time-spec'

const hour = 3_600_000

/** Days that begin so many hours before those of Greenwich. */
function clockAt(now: string, hoursAhead: number): LocalClock {
  const shifted = (ms: number) => new Date(ms + hoursAhead * hour)
  return {
    now: Date.parse(now),
    dayOf: (ms) => ({
      year: shifted(ms).getUTCFullYear(),
      month: shifted(ms).getUTCMonth() + 1,
      day: shifted(ms).getUTCDate(),
    }),
    hourOf: (ms) => shifted(ms).getUTCHours(),
    startOf: ({ year, month, day }) => Date.UTC(year, month - 1, day) - hoursAhead * hour,
  }
}

/** In Sydney it is the first of March already. */
const sydney = clockAt('2028-02-29T15:30:00Z', 10)
const iso = (seconds: number | undefined) =>
  seconds === undefined ? undefined : new Date(seconds * 1000).toISOString()
const told = (text: string) => {
  const range = parseTimeRange(text, sydney)
  return typeof range === 'string' ? range : [iso(range.from), iso(range.until)]
}

it.each([
  ['2026-03-09', '2026-03-08T14:00:00.000Z', '2026-03-09T14:00:00.000Z'],
  ['today', '2028-02-29T14:00:00.000Z', '2028-03-01T14:00:00.000Z'],
  ['Yesterday', '2028-02-28T14:00:00.000Z', '2028-02-29T14:00:00.000Z'],
  ['7d', '2028-02-22T15:30:00.000Z', undefined],
  ['2d4h', '2028-02-27T11:30:00.000Z', undefined],
  ['30m', '2028-02-29T15:00:00.000Z', undefined],
  ['45s', '2028-02-29T15:29:15.000Z', undefined],
  ['2026-03-09..2026-03-11', '2026-03-08T14:00:00.000Z', '2026-03-11T14:00:00.000Z'],
  ['3d..', '2028-02-26T15:30:00.000Z', undefined],
  ['..yesterday', undefined, '2028-02-29T14:00:00.000Z'],
  ['7d..2d', '2028-02-22T15:30:00.000Z', '2028-02-27T15:30:00.000Z'],
  ['today..today', '2028-02-29T14:00:00.000Z', '2028-03-01T14:00:00.000Z'],
])('reads %s where the clock is ten hours ahead', (text, from, until) => {
  expect(told(text)).toEqual([from, until])
})

it.each([
  ['..', '".." has neither a beginning nor an end.'],
  ['2026-02-30', 'The calendar has no 2026-02-30.'],
  ['2026-13-01', 'The calendar has no 2026-13-01.'],
  ['today..7d', '"today..7d" ends before it begins.'],
])('says why %s is none', (text, words) => {
  expect(told(text)).toBe(words)
})

it.each(['', '3', '3x', 'd', '7d2', 'tomorrow', '2026-3-9', '7d...', '1d..2d..3d'])(
  'takes %j for no time',
  (text) => {
    expect(told(text)).toMatch(/" is no time: YYYY-MM-DD, today/)
  },
)

it('takes where a time begins as its point, and a range for none', () => {
  expect(iso(parseTimePoint('yesterday', sydney) as number)).toBe('2028-02-28T14:00:00.000Z')
  expect(parseTimePoint('3d..', sydney)).toMatch(/is a range/)
})

it('ends a day where the next one begins, also when the clocks change in it', () => {
  // Only a machine in such a zone shows more than 24 hours; wherever it stands, days meet.
  const clock = machineClock(Date.parse('2026-06-15T12:00:00Z'))
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 20_000 }), (day) => {
      const date = (shift: number) =>
        new Date(Date.UTC(1990, 0, day + shift)).toISOString().slice(0, 10)
      const [first, second] = [parseTimeRange(date(0), clock), parseTimeRange(date(1), clock)]
      expect(first).toMatchObject({ until: (second as { from: number }).from })
    }),
  )
})

it.each([
  ['10', false],
  ['-1', false],
  ['1.5', false],
  ['', false],
  ['7d', true],
  ['today', true],
  ['3..', true],
  ['2026-03-09', true],
])('takes --last %s for a time: %s', (text, is) => {
  expect(isTimeSpec(text)).toBe(is)
})

it('holds in an intersection what both ranges hold, and nothing else', () => {
  const end = fc.option(fc.integer({ min: -5, max: 5 }), { nil: undefined })
  const range = fc.record({ from: end, until: end })
  fc.assert(
    fc.property(range, range, fc.integer({ min: -7, max: 7 }), (a, b, at) => {
      expect(isInTimeRange(at, intersectTimeRanges(a, b))).toBe(
        isInTimeRange(at, a) && isInTimeRange(at, b),
      )
    }),
  )
})
