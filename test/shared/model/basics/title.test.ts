import { expect, it } from 'vitest'
import { freeName } from '../../../../src/renderer/composer/free-name'
import { isGeneratedName, titleLine } from '../../../../src/shared/model/basics/title'

it('knows the names that Skein and chibi make up, and takes no other for one', () => {
  const first = freeName(new Date(2026, 0, 9), new Set())
  const second = freeName(new Date(2026, 0, 9), new Set([first]))
  for (const name of [first, second, '20261128_164853', '20261128_164853_2'])
    expect(isGeneratedName(name), name).toBe(true)
  for (const name of [
    'garden',
    'chat',
    'chat-2026',
    'my-chat-2026-11-28',
    '2026',
    'chat-2026-11-28-plan',
  ])
    expect(isGeneratedName(name), name).toBe(false)
})

it('makes one line of any text, of whose length only the beginning is looked at', () => {
  expect(titleLine(`  a\r\n\tb${'\u2028'.repeat(10)}c`, 80)).toBe('a b c')
  for (const piece of ['x', ' ', '\u202e', '👩‍👩‍👧']) {
    const beginning = piece.repeat(640).slice(0, 640)
    const line = titleLine(beginning, 80)
    expect(Array.from(line).length).toBeLessThanOrEqual(80)
    for (const rest of [' tulips', piece.repeat(2_000_000)])
      expect(titleLine(beginning + rest, 80), piece).toBe(line)
  }
})
