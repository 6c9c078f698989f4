import { describe, expect, it } from 'vitest'
import {
  callUserMessage,
  shownText,
  speakerOf,
} from '../../../../src/shared/model/conversation/entry'

const call = (content: string, fields: object = {}) => ({
  entry_type: 'flow_control_call',
  to: 'call_user',
  content,
  ...fields,
})

describe('call_user', () => {
  it('with words is said by the agent, line ends and all', () => {
    const entry = call('{"message":" Two\\nlines. "}')
    expect([speakerOf(entry), shownText(entry)]).toEqual(['agent', ' Two\nlines. '])
    expect(callUserMessage(entry)).toEqual({ words: ' Two\nlines. ' })
  })

  it('keeps the arguments beside its words', () => {
    expect(callUserMessage(call('{"message":"Done.","mood":[1]}'))).toEqual({
      words: 'Done.',
      others: '{"mood":[1]}',
    })
  })

  it.each([
    '',
    '{}',
    '{"message":""}',
    '{"message":" \\n"}',
    '{"message":1}',
    '[]',
    'null',
    '{"mess',
  ])('says nothing with %j, and stays a call', (content) => {
    expect([speakerOf(call(content)), shownText(call(content))]).toEqual([undefined, content])
  })

  it('is nothing that any other entry can say', () => {
    const words = '{"message":"Done."}'
    expect(callUserMessage(call(words, { to: 'call_agent' }))).toBeUndefined()
    expect(callUserMessage(call(words, { entry_type: 'flow_control_result' }))).toBeUndefined()
    expect(callUserMessage(call(words, { entry_type: 'message' }))).toBeUndefined()
  })
})
