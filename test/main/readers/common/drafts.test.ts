import { expect, it } from 'vitest'
import { keyIn } from '../../../../src/main/readers/common/drafts'
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
