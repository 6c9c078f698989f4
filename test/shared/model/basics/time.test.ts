import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  entryTimeMs,
  isoMs,
  isoSeconds,
  isoTime,
  rfc3339Seconds,
} from '../../../../src/shared/model/basics/time'

it.each([
  [0, 0],
  [1_780_000_000.5, 1_780_000_000_500],
  [null, undefined],
  [undefined, undefined],
  [1e13, undefined],
  [-1e300, undefined],
  [Number.NaN, undefined],
])('takes %s for the moment %s', (timestamp, moment) => {
  expect(entryTimeMs(timestamp)).toBe(moment)
})

it('gives only moments whose day begins on the calendar', () => {
  for (const sign of [1, -1]) {
    const last = entryTimeMs(sign * (8.64e12 - 86_400)) ?? Number.NaN
    expect(new Date(last).setHours(0, 0, 0, 0)).not.toBeNaN()
  }
  expect(isoTime(1e13)).toBeNull()
})

it.each([
  [1_073_741_824.179, '2004-01-10T13:37:04.179Z'],
  [1_770_714_001.1234567, '2026-02-10T09:00:01.123Z'],
  [-0.25, '1969-12-31T23:59:59.750Z'],
  [1e-7, '1970-01-01T00:00:00.000Z'],
  [Number.NaN, null],
  [Number.POSITIVE_INFINITY, null],
])('writes %s seconds as %s', (seconds, iso) => {
  expect(isoTime(seconds)).toBe(iso)
})

it('writes a time that was read from its own words as the same words', () => {
  fc.assert(
    fc.property(fc.integer({ min: -8e14, max: 8e14 }), (ms) => {
      const iso = new Date(ms).toISOString()
      expect(isoTime(Date.parse(iso) / 1000)).toBe(iso)
    }),
  )
})

it.each([
  ['2026-02-10T09:00:01.250Z', 1_770_714_001_250],
  ['1969-12-31T23:59:59.750Z', -250],
  ['no time', undefined],
  ['', undefined],
  [null, undefined],
  [undefined, undefined],
])('reads %j as %s milliseconds', (iso, ms) => {
  expect(isoMs(iso)).toBe(ms)
  expect(isoSeconds(iso)).toBe(ms === undefined ? undefined : ms / 1000)
})

it.each([
  ['2026-02-10T09:00:01Z', 1_770_714_001],
  ['2026-02-10t10:00:01.123456789+01:00', 1_770_714_001.1234567],
  ['2026-02-30T09:00:01Z', undefined],
  ['2026-02-10T09:00:01', undefined],
  ['10 February 2026', undefined],
])('reads %j of RFC 3339 as %s seconds', (text, seconds) => {
  expect(rfc3339Seconds(text)).toBe(seconds)
})
