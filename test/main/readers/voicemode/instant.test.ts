import fc from 'fast-check'
import { expect, it } from 'vitest'
import { instantOf } from '../../../../src/main/readers/voicemode/instant'

const two = (number: number) => String(number).padStart(2, '0')

it('reads an instant however its seconds and its offset are written', () => {
  const moments = fc.record({
    ms: fc.integer({ min: -1e12, max: 4e12 }).map((ms) => Math.floor(ms / 1000) * 1000),
    fraction: fc.stringMatching(/^\d{1,9}$/),
    mark: fc.constantFrom('.', ','),
    ahead: fc.integer({ min: -14 * 60, max: 14 * 60 }),
    zone: fc.constantFrom('long', 'short', 'Z', 'z'),
  })
  fc.assert(
    fc.property(moments, ({ ms, fraction, mark, ahead, zone }) => {
      const minutes = zone === 'long' || zone === 'short' ? ahead : 0
      const local = new Date(ms + minutes * 60_000).toISOString().slice(0, 19)
      const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
      const colon = zone === 'long' ? ':' : ''
      const offset = `${minutes < 0 ? '-' : '+'}${two(hours)}${colon}${two(rest)}`
      const end = zone === 'Z' || zone === 'z' ? zone : offset
      const micros = Number(fraction.slice(0, 6).padEnd(6, '0'))
      expect(instantOf(`${local}${mark}${fraction}${end}`)).toBe((ms * 1000 + micros) / 1e6)
    }),
  )
})

it.each([
  '2025-09-01T08:00:60.5+00:00x',
  '2025-09-01T08:00:0a.5+00:00',
  '2025-09-01T08:00:01.5+0a:00',
  '2025-09-01T08:00:01.+00:00',
  '2025-09-01T08:00:01.5+00 00',
  '2025-09-01T08:00:61.5Z',
  '2025-02-30T08:00:01.5Z',
  '2025-09-01T08:00:01.5',
])('reads no instant in %j', (text) => {
  expect(instantOf(text)).toBeUndefined()
})
