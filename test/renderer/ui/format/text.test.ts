import { describe, expect, it } from 'vitest'
import { countTextLines, cutText, linePieces } from '../../../../src/renderer/ui/format/cut-text'
import {
  dayName,
  daysBetween,
  formatByteSize,
  formatDuration,
  formatQuantity,
  formatTimeRange,
  listTime,
  shortTime,
} from '../../../../src/renderer/ui/format/format'

describe('a cut text', () => {
  it('ends after so many lines, and says how many there are', () => {
    expect(cutText('a\nb\nc\n', 2, 100)).toEqual({
      shown: 'a\nb\n',
      lines: 3,
      shownLines: 2,
      isCut: true,
    })
  })

  it('is whole where it fits', () => {
    expect(cutText('a\nb', 2, 100)).toEqual({
      shown: 'a\nb',
      lines: 2,
      shownLines: 2,
      isCut: false,
    })
  })

  it('never ends in the middle of a character', () => {
    expect(cutText('ab😀c', 9, 3).shown).toBe('ab')
    expect(cutText('ab😀c', 9, 4).shown).toBe('ab😀')
  })

  it('comes in pieces of whole lines that make the text again', () => {
    const text = Array.from({ length: 10 }, (_, line) => `line ${line}`).join('\n')
    expect(linePieces(text, 4)).toHaveLength(3)
    expect(linePieces(text, 4).join('\n')).toBe(text)
  })

  it.each([
    ['', 0],
    ['a', 1],
    ['a\n', 1],
    ['a\n\n', 2],
    ['\n', 1],
  ])('%j has its lines counted', (text, lines) => {
    expect(countTextLines(text)).toBe(lines)
  })
})

describe('numbers and times', () => {
  const now = new Date(2026, 10, 28, 9, 30).getTime()

  it('sizes are in the unit that people use', () => {
    expect([0, 1, 811, 88_000, 1_640_000, 999.6 * 1024, 5e9].map(formatByteSize)).toEqual([
      '0 bytes',
      '1 byte',
      '811 bytes',
      '86 KB',
      '1.6 MB',
      '1.0 MB',
      '4.7 GB',
    ])
  })

  it('counts stand beside their words', () => {
    expect([
      formatQuantity(1, 'line'),
      formatQuantity(4318, 'line'),
      formatQuantity(2, 'entry', 'entries'),
    ]).toEqual(['1 line', `${(4318).toLocaleString()} lines`, '2 entries'])
  })

  it('durations are short', () => {
    expect([200, 8000, 41_000, 125_000].map(formatDuration)).toEqual([
      '0.2 s',
      '8 s',
      '41 s',
      '2 min 5 s',
    ])
  })

  it('days are counted by the calendar, also over a change of the clock', () => {
    expect(daysBetween(new Date(2026, 10, 27, 23, 59).getTime(), now)).toBe(1)
    expect(daysBetween(new Date(2026, 9, 24).getTime(), new Date(2026, 9, 26).getTime())).toBe(2)
    expect(dayName(now, now)).toBe('Today')
    expect(dayName(new Date(2026, 10, 27).getTime(), now)).toBe('Yesterday')
  })

  it('a range tells once what two moments have in common, in the order in which they were given', () => {
    const from = new Date(2026, 10, 28, 8, 5).getTime()
    const to = new Date(2026, 10, 28, 9, 7).getTime()
    const times = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
    expect(shortTime(from)).toBe(times.format(from))
    expect(formatTimeRange(from, from)).toBe(times.format(from))
    expect(formatTimeRange(from, to)).toBe(times.formatRange(from, to))
    expect(formatTimeRange(to, from)).toBe(`${times.format(to)} – ${times.format(from)}`)
  })

  it('a list shows the clock for today and yesterday, then the day, then the date', () => {
    const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })
    const at = (day: number) => new Date(2026, 10, day, 8, 5).getTime()
    expect(listTime(at(28), now)).toBe(clock.format(at(28)))
    expect(listTime(at(27), now)).toBe(clock.format(at(27)))
    expect(listTime(at(24), now)).toBe(
      new Intl.DateTimeFormat(undefined, { weekday: 'short' }).format(at(24)),
    )
    expect(listTime(at(3), now)).toContain('3')
    expect(listTime(new Date(2024, 1, 3).getTime(), now)).toContain('2024')
  })
})
