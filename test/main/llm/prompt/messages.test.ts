import { describe, expect, it } from 'vitest'
import { toChatMessages, tracedMessages } from '../../../../src/main/llm/prompt/messages'
import type { Entry, EntryId } from '../../../../src/shared/model/conversation/entry'

let count = 0
function entry(entry_type: string, content: string, more: Partial<Entry> = {}): Entry {
  count += 1
  return {
    id: `e${count}` as EntryId,
    timestamp: count,
    from: 'garden',
    to: 'user',
    content,
    entry_type,
    file: 'context.jsonl',
    offset: count,
    length: 1,
    ...more,
  }
}
const call = (name: string, content: string, more: Partial<Entry> = {}) =>
  entry('tool_call', content, { to: name, ...more })
const result = (name: string, content: string, more: Partial<Entry> = {}) =>
  entry('tool_result', content, { from: name, to: 'garden', ...more })

const wireCall = (id: string, name: string, args: string) => ({
  id,
  type: 'function',
  function: { name, arguments: args },
})

describe('chat messages', () => {
  it('tell speakers by role, else by whom it goes to', () => {
    const window = [
      entry('context_created', 'Context created', { from: 'system', to: 'garden' }),
      entry('message', 'old question', { from: 'someone', to: 'garden' }),
      entry('message', 'old answer'),
      entry('message', 'question', { from: 'someone', to: 'garden', role: 'user' }),
      entry('message', 'answer', { to: 'someone', role: 'agent' }),
      entry('message', 'note', { role: 'system' }),
    ]
    expect(toChatMessages(window, {})).toEqual([
      { role: 'user', content: 'old question' },
      { role: 'assistant', content: 'old answer' },
      { role: 'user', content: 'question' },
      { role: 'assistant', content: 'answer' },
      { role: 'system', content: 'note' },
    ])
  })

  it('leave out what nobody says to the model, and messages without text', () => {
    const window = [
      entry('run_error', 'It failed.', { from: 'system' }),
      entry('system_prompt_changed', 'new'),
      entry('flow_control_call', '{}'),
      entry('something_new', 'x'),
      entry('message', '', {
        role: 'agent',
        metadata: { reasoning: 'hm', interrupted: 'stopped' },
      }),
      entry('message', 'half an ans', { role: 'agent', metadata: { interrupted: 'stopped' } }),
      entry('message', 'one', { to: 'garden' }),
      entry('message', 'two', { to: 'garden' }),
    ]
    expect(toChatMessages(window, {})).toEqual([
      { role: 'assistant', content: 'half an ans' },
      { role: 'user', content: 'one\n\ntwo' },
    ])
  })

  it('pair calls and results by id, wherever the results stand', () => {
    const window = [
      call('read', '{"a":1}', { tool_call_id: 'c1' }),
      call('list', '{}', { tool_call_id: 'c2' }),
      result('list', 'of two', { tool_call_id: 'c2' }),
      result('read', 'of one', { tool_call_id: 'c1' }),
      entry('message', 'done'),
    ]
    expect(toChatMessages(window, {})).toEqual([
      {
        role: 'assistant',
        tool_calls: [wireCall('c1', 'read', '{"a":1}'), wireCall('c2', 'list', '{}')],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'of one' },
      { role: 'tool', tool_call_id: 'c2', content: 'of two' },
      { role: 'assistant', content: 'done' },
    ])
  })

  it('pair calls and results without ids by position, and take no result for two turns', () => {
    const first = call('a', '')
    const second = call('b', '{"x":1}')
    const third = call('c', '{}')
    const window = [first, result('a', 'A'), second, third, result('b', 'B'), result('c', 'C')]
    const synth = ({ id }: Entry) => `synth_${id}`
    expect(toChatMessages(window, {})).toEqual([
      { role: 'assistant', tool_calls: [wireCall(synth(first), 'a', '{}')] },
      { role: 'tool', tool_call_id: synth(first), content: 'A' },
      {
        role: 'assistant',
        tool_calls: [wireCall(synth(second), 'b', '{"x":1}'), wireCall(synth(third), 'c', '{}')],
      },
      { role: 'tool', tool_call_id: synth(second), content: 'B' },
      { role: 'tool', tool_call_id: synth(third), content: 'C' },
    ])
  })

  it('give a call without a result one, and a result without a call its call', () => {
    const orphan = result('read', 'late')
    const window = [
      orphan,
      result('read', 'late too', { tool_call_id: 'gone' }),
      call('list', '{}', { tool_call_id: 'c1' }),
      entry('message', 'next', { to: 'garden' }),
    ]
    expect(toChatMessages(window, {})).toEqual([
      { role: 'assistant', tool_calls: [wireCall(`synth_${orphan.id}`, 'read', '{}')] },
      { role: 'tool', tool_call_id: `synth_${orphan.id}`, content: 'late' },
      { role: 'assistant', tool_calls: [wireCall('gone', 'read', '{}')] },
      { role: 'tool', tool_call_id: 'gone', content: 'late too' },
      { role: 'assistant', tool_calls: [wireCall('c1', 'list', '{}')] },
      { role: 'tool', tool_call_id: 'c1', content: '(no result was kept)' },
      { role: 'user', content: 'next' },
    ])
  })

  it('know the entries of each: of a result its own, also where another says the same', () => {
    const said = entry('message', 'I look.', { role: 'agent' })
    const [a, b, c] = [call('a', '{}'), call('b', '{}'), call('c', '{}', { tool_call_id: 'c' })]
    const [ofA, ofB] = [result('a', 'Saved.'), result('b', 'Saved.')]
    const stray = result('d', 'Saved.', { tool_call_id: 'gone' })
    const ids = tracedMessages([said, a, b, c, ofA, ofB, stray], {}).map(({ entryIds }) => entryIds)
    expect(ids).toEqual([
      [said.id, a.id, b.id, c.id],
      [ofA.id],
      [ofB.id],
      [c.id],
      [stray.id],
      [stray.id],
    ])
  })

  it('join what was said before calls with them', () => {
    const window = [
      entry('message', 'before', { role: 'agent' }),
      entry('message', 'I look.', { role: 'agent' }),
      call('read', '{}', { tool_call_id: 'c1' }),
      result('read', 'text', { tool_call_id: 'c1' }),
      call('read', '{}', { tool_call_id: 'c2' }),
      result('read', 'text', { tool_call_id: 'c2' }),
      entry('message', 'said', { role: 'agent' }),
      entry('run_error', 'It failed.', { from: 'system' }),
      call('read', '{}', { tool_call_id: 'c3' }),
      result('read', 'text', { tool_call_id: 'c3' }),
    ]
    const answer = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'text' })
    expect(toChatMessages(window, {})).toEqual([
      {
        role: 'assistant',
        content: 'before\n\nI look.',
        tool_calls: [wireCall('c1', 'read', '{}')],
      },
      answer('c1'),
      { role: 'assistant', tool_calls: [wireCall('c2', 'read', '{}')] },
      answer('c2'),
      { role: 'assistant', content: 'said', tool_calls: [wireCall('c3', 'read', '{}')] },
      answer('c3'),
    ])
  })

  it('have the words of call_user from both eras, and nothing where it has none', () => {
    const flow = (content: string) => entry('flow_control_call', content, { to: 'call_user' })
    const window = [
      flow('{"message":"Which one?"}'),
      entry('flow_control_result', 'Returning to user', { from: 'call_user', to: 'garden' }),
      flow('{}'),
      flow('{"mess'),
      flow(''),
      entry('message', 'This one?', { to: 'someone', role: 'agent', flow_control: true }),
      entry('control_transfer', '', { to: 'someone', flow_control: true }),
    ]
    expect(toChatMessages(window, {})).toEqual([
      { role: 'assistant', content: 'Which one?\n\nThis one?' },
    ])
  })

  it('spell names as providers want them, and send arguments that are no object inside of one', () => {
    const sent = (name: string, content: string) =>
      toChatMessages([call(name, content, { tool_call_id: 'c' })], {})[0]
    const asked = (name: string, args: string) => ({
      role: 'assistant',
      tool_calls: [wireCall('c', name, args)],
    })
    expect(sent('files.read é', '{"a": 1}')).toEqual(asked('files_read__', '{"a": 1}'))
    expect(sent('', ' ')).toEqual(asked('unnamed', '{}'))
    expect(sent('x'.repeat(70), '{"a')).toEqual(asked('x'.repeat(64), '{"not_an_object":"{\\"a"}'))
    expect(sent('read', '[1]')).toEqual(asked('read', '{"not_an_object":"[1]"}'))
    expect(sent('read', 'null')).toEqual(asked('read', '{"not_an_object":"null"}'))
  })

  it('begin with the prompt and the summary, and with nothing where there is neither', () => {
    const window = [
      entry('compaction', 'Context compacted', { metadata: { summary: 'of the anchor' } }),
      entry('message', 'hi', { to: 'garden' }),
    ]
    const system = (prompt: Parameters<typeof toChatMessages>[1]) =>
      toChatMessages(window, prompt).filter(({ role }) => role === 'system')
    expect(system({ system: 'Be kind.', summary: 'So far.' })).toEqual([
      { role: 'system', content: 'Be kind.\n\n--- CONVERSATION SUMMARY ---\nSo far.' },
    ])
    expect(system({ system: ' \n' })).toEqual([
      { role: 'system', content: '--- CONVERSATION SUMMARY ---\nof the anchor' },
    ])
    expect(toChatMessages(window.slice(1), {})).toEqual([{ role: 'user', content: 'hi' }])
  })
})

it('a window of a hundred thousand messages of one speaker is one message, in the order of its entries', () => {
  const window = Array.from({ length: 100_000 }, (_, n) =>
    entry('message', n % 3 === 0 ? '' : `words ${n}`, { from: 'someone', to: 'garden' }),
  )
  const said = window.filter(({ content }) => content !== '')
  const [joined, ...others] = tracedMessages(window, {})
  expect(others).toEqual([])
  expect(joined?.message.role).toBe('user')
  expect(joined?.message.content).toBe(said.map(({ content }) => content).join('\n\n'))
  expect(joined?.entryIds.join()).toBe(said.map(({ id }) => id).join())
})
