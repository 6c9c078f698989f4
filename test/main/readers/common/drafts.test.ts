import { expect, it } from 'vitest'
import { callerFacts, keyIn } from '../../../../src/main/readers/common/drafts'
import { crushHead } from '../../../../src/main/readers/crush/head'
import { droidFields } from '../../../../src/main/readers/droid/line'
import { gooseHead } from '../../../../src/main/readers/goose/head'
import { grokBuildLine } from '../../../../src/main/readers/grok-build/line'
import { zedHead } from '../../../../src/main/readers/zed/head'

it('takes the key of a conversation that a record names, and nothing that can be none', () => {
  expect(keyIn('a')).toBe('a')
  expect(['', ' ', 7, null, undefined, 'a'.repeat(513)].map(keyIn)).toEqual(
    Array(6).fill(undefined),
  )
})

it.each([
  ['Grok Build', grokLine],
  ['Zed', (parent_id: string) => zedHead({ parent_id })],
  ['Goose', (id: string) => gooseHead({ parent_session_id: id, session_type: 'sub_agent' })],
  ['Crush', (id: string) => crushHead({ id: 'a', parent_session_id: id })],
  ['Droid', (callingSessionId: string) => droidFields({ type: 'session_start', callingSessionId })],
])('reads a subagent of %s whose caller has a name that is too long', (_, read) => {
  expect(JSON.stringify(read('caller'))).toContain('"caller"')
  expect(JSON.stringify(read('c'.repeat(513)))).not.toContain('cc')
})

function grokLine(parent: string) {
  return grokBuildLine({ session: { parent, isSubagent: true } }, '', 'line')
}

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
