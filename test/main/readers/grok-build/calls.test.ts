import { expect, it } from 'vitest'
import { GrokCalls, type ShownOutput } from '../../../../src/main/readers/grok-build/calls'

it('reads each part that a call shows as it comes and at the end, however many updates follow', () => {
  let reads = 0
  const diff = (path: string) => ({
    path,
    oldText: 'few',
    get newText() {
      reads += 1
      return 'many'
    },
  })
  const calls = new GrokCalls()
  const step: { shown?: ShownOutput } = {}
  calls.take('tool_call', { toolCallId: 'c' }, step)
  const count = 200
  for (let at = 0; at < count; at += 1)
    calls.take('tool_call_update', { toolCallId: 'c', content: [diff(`${at % 150}.md`)] }, {})
  calls.end()
  // Once more for what is left at the end.
  expect(reads).toBe(count + 150)
  // A file that is told again is at its new place.
  const paths = (Array.isArray(step.shown?.content) ? step.shown.content : []).map(
    ({ path }) => path,
  )
  expect(paths).toEqual(Array.from({ length: 150 }, (_, at) => `${(at + 50) % 150}.md`))
})

it('keeps parts of one kind that are told together', () => {
  const calls = new GrokCalls()
  const step: { shown?: ShownOutput } = {}
  calls.take(
    'tool_call',
    { toolCallId: 'c', content: ['a', { path: 'x', newText: 'y' }, 'b'] },
    step,
  )
  calls.end()
  expect(step.shown?.content).toEqual(['a', { path: 'x', newText: 'y' }, 'b'])
})
