import fc from 'fast-check'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type JoinedDelta, joinDeltas } from '../../../../src/main/llm/run/join-deltas'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('tells the first piece at once and joins those that come together', () => {
  const told: JoinedDelta[] = []
  const deltas = joinDeltas((delta) => told.push(delta))

  deltas.add('content', 'a')
  deltas.add('content', 'b')
  deltas.add('content', 'c')
  expect(told).toEqual([{ seq: 0, kind: 'content', text: 'a' }])
  vi.advanceTimersByTime(40)
  expect(told.slice(1)).toEqual([{ seq: 1, kind: 'content', text: 'bc' }])
  deltas.close()
})

it('tells at most one message per interval in a flood', () => {
  const told: JoinedDelta[] = []
  const deltas = joinDeltas((delta) => told.push(delta))
  for (let n = 0; n < 10_000; n++) {
    deltas.add('content', 'x')
    if (n % 10 === 0) vi.advanceTimersByTime(1)
  }
  deltas.close()

  expect(told.map(({ text }) => text).join('')).toBe('x'.repeat(10_000))
  expect(told.length).toBeLessThan(40)
})

it('leaves no timer behind when nothing waits', () => {
  const deltas = joinDeltas(() => undefined)
  deltas.add('content', 'a')
  vi.advanceTimersByTime(100)
  expect(vi.getTimerCount()).toBe(0)
  deltas.add('content', 'b')
  deltas.close()
  expect(vi.getTimerCount()).toBe(0)
})

it('keeps every piece in its order and numbers without a gap, however they come', () => {
  const piece = fc.record({
    kind: fc.constantFrom('content' as const, 'reasoning' as const),
    text: fc.string({ minLength: 1, maxLength: 4 }),
    waitMs: fc.integer({ min: 0, max: 60 }),
  })
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const told: JoinedDelta[] = []
      const deltas = joinDeltas((delta) => told.push(delta))
      for (const { kind, text, waitMs } of pieces) {
        deltas.add(kind, text)
        vi.advanceTimersByTime(waitMs)
      }
      deltas.close()

      const spelled = (all: readonly { kind: string; text: string }[]) =>
        all.flatMap(({ kind, text }) => [...text].map((letter) => `${kind[0]}${letter}`))
      expect(spelled(told)).toEqual(spelled(pieces))
      expect(told.map(({ seq }) => seq)).toEqual(told.map((_, index) => index))
      const of = (kind: string) =>
        pieces.flatMap((one) => (one.kind === kind ? [one.text] : [])).join('')
      expect(deltas.soFar()).toEqual({
        content: of('content'),
        reasoning: of('reasoning'),
        nextSeq: told.length,
      })
    }),
  )
})

it('starts the text so far anew for another answer, and goes on counting', () => {
  const told: JoinedDelta[] = []
  const deltas = joinDeltas((delta) => told.push(delta))
  deltas.add('reasoning', 'hm')
  deltas.add('content', 'one')
  deltas.restart()
  expect(told.at(-1)).toEqual({ seq: 1, kind: 'content', text: 'one' })
  deltas.add('content', 'two')
  deltas.flush()
  expect(deltas.soFar()).toEqual({ content: 'two', reasoning: '', nextSeq: 3 })
  deltas.close()
})

it('makes thoughts of what was told as words, in order, for whoever asks later too', () => {
  const told: JoinedDelta[] = []
  const deltas = joinDeltas((delta) => told.push(delta))
  deltas.add('content', 'Let me ')
  deltas.add('content', 'see.\n')
  deltas.add('parted', '')
  deltas.add('content', 'Four.')
  deltas.close()
  expect(told.map(({ kind, text }) => [kind, text])).toEqual([
    ['content', 'Let me '],
    ['content', 'see.\n'],
    ['parted', ''],
    ['content', 'Four.'],
  ])
  expect(deltas.soFar()).toEqual({ content: 'Four.', reasoning: 'Let me see.', nextSeq: 4 })
})
