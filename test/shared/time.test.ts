import { expect, it } from 'vitest'
import { isoTime, momentOf } from '../../src/shared/model/time'

it.each([
  [0, 0],
  [1_780_000_000.5, 1_780_000_000_500],
  [null, undefined],
  [undefined, undefined],
  [1e13, undefined],
  [-1e300, undefined],
  [Number.NaN, undefined],
])('takes %s for the moment %s', (timestamp, moment) => {
  expect(momentOf(timestamp)).toBe(moment)
})

it('gives only moments whose day begins on the calendar', () => {
  for (const sign of [1, -1]) {
    const last = momentOf(sign * (8.64e12 - 86_400)) ?? Number.NaN
    expect(new Date(last).setHours(0, 0, 0, 0)).not.toBeNaN()
  }
  expect(isoTime(1e13)).toBeNull()
})
