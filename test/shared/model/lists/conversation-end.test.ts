import { expect, it } from 'vitest'
import { EntryDraft } from '../../../../src/shared/model/conversation/entry'
import { endAfter } from '../../../../src/shared/model/lists/conversation-end'

const place = { file: 'active.jsonl', offset: 0, length: 1 }
const entry = (fields: Partial<EntryDraft>) => ({
  ...EntryDraft.parse({
    id: 'one',
    timestamp: 1,
    from: 'mira',
    to: 'garden',
    content: 'words',
    entry_type: 'message',
    ...fields,
  }),
  ...place,
})
const person = entry({ role: 'user' })
const answer = (metadata?: Readonly<Record<string, unknown>>) =>
  entry({ role: 'agent', ...(metadata === undefined ? {} : { metadata }) })

it('a conversation ends as its last spoken entry says', () => {
  const ends = [
    [person, 'unfinished'],
    [answer(), 'answered'],
    [answer({ interrupted: 'stopped' }), 'unfinished'],
    [answer({ interrupted: 'failed' }), 'failed'],
    [answer({ error: true }), 'failed'],
    [entry({ entry_type: 'tool_call', to: 'look' }), 'unfinished'],
    [entry({ entry_type: 'tool_result', content: 'fine' }), 'unfinished'],
    [entry({ entry_type: 'tool_result', metadata: { is_error: true } }), 'failed'],
    [entry({ entry_type: 'run_error', content: 'no credit' }), 'failed'],
    [entry({ entry_type: 'flow_control_call', to: 'call_user', content: '{}' }), 'answered'],
  ] as const
  for (const [last, end] of ends)
    expect([last.entry_type, endAfter('answered', last)]).toEqual([last.entry_type, end])
})

it('what a program put in, and what nobody speaks, leaves the end as it was', () => {
  expect(endAfter('failed', entry({ role: 'user', metadata: { injected: true } }))).toBe('failed')
  expect(endAfter('unfinished', entry({ entry_type: 'archival', content: '' }))).toBe('unfinished')
  expect(endAfter(null, entry({ role: 'system' }))).toBe(null)
})
