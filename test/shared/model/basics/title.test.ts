import { expect, it } from 'vitest'
import { generateName, isGeneratedName, titleLine } from '../../../../src/shared/model/basics/title'
import { contextNameFault } from '../../../../src/shared/model/conversation/conversation'

it('knows the names that Skein and chibi make up, and takes no other for one', () => {
  const first = generateName(new Date(2026, 0, 9), new Set())
  const second = generateName(new Date(2026, 0, 9), new Set([first]))
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

it('makes a name of the day, with a number where the day is taken, that a context can have', () => {
  const day = new Date(2026, 10, 8)
  const taken = ['chat-2026-11-08', 'chat-2026-11-08-2']
  expect(generateName(day, new Set())).toBe(taken[0])
  expect(generateName(day, new Set(taken.slice(0, 1)))).toBe(taken[1])
  expect(generateName(day, new Set(taken))).toBe('chat-2026-11-08-3')
  expect(contextNameFault(generateName(day, new Set(taken)))).toBeUndefined()
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
