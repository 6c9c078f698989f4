import { expect, it } from 'vitest'
import { callerFacts } from '../../../../src/main/readers/common/caller'

it('names the conversation that called a subagent, and the call where it is known', () => {
  expect(callerFacts('garden')).toEqual({
    parent: { key: 'garden', entries: 0 },
    subagentOf: { key: 'garden' },
  })
  expect(callerFacts('garden', 'call_1').subagentOf).toEqual({ key: 'garden', call: 'call_1' })
})

it.each([
  ['an empty name', ''],
  ['one longer than a key', 'x'.repeat(513)],
  ['none', undefined],
])('takes %s for no caller', (_, name) => {
  expect(callerFacts(name)).toEqual({ parent: null })
})
