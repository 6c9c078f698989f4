import { describe, expect, it } from 'vitest'
import type { ProviderEvent } from '../../../../src/main/llm/chat/provider'
import { chunk, eventStream } from '../../../support/raw-server'
import { hearResponse } from '../responses/responses-heard'
import { hear } from '../support/heard'

const end = [chunk({}, 'stop'), '[DONE]'] as const
const one = (fields: object, finish: string | null = null) => ({
  choices: [{ index: 0, finish_reason: finish, ...fields }],
})
const wanted = (name: string, id: string, args = '{}') => ({
  id,
  type: 'function',
  function: { name, arguments: args },
})
const of = (events: readonly ProviderEvent[], type: ProviderEvent['type']) =>
  events.filter((event) => event.type === type)

async function words(...data: readonly (object | string)[]) {
  const { content, reasoning, code } = await hear([eventStream(...data)])
  return { content, reasoning, code }
}
const said = (content: string, reasoning = '') => ({ content, reasoning, code: undefined })

describe('a message that stands beside a delta', () => {
  it('is heard where the delta says nothing', async () => {
    const message = { role: 'assistant', content: 'Hello.' }
    expect(await words(one({ delta: {}, message }, 'stop'), '[DONE]')).toEqual(said('Hello.'))
    expect(await words(one({ delta: {}, text: 'Hello.' }), ...end)).toEqual(said('Hello.'))
  })

  it('is heard behind a delta that names the role alone', async () => {
    const message = { role: 'assistant', content: 'Hello.', reasoning_content: 'hm' }
    expect(
      await words(chunk({ role: 'assistant', content: '' }), one({ message }, 'stop'), '[DONE]'),
    ).toEqual(said('Hello.', 'hm'))
  })

  it('adds what its pieces did not hold, and nothing twice', async () => {
    const message = { role: 'assistant', content: 'Hello there.', reasoning: 'hm' }
    expect(await words(chunk({ content: 'Hello' }), one({ message }, 'stop'))).toEqual(
      said('Hello there.', 'hm'),
    )
    expect(
      await words(
        chunk({ content: '<think>hm</think>Hello there.' }),
        ...end.slice(0, 1),
        one({ message }),
      ),
    ).toEqual(said('Hello there.', 'hm'))
  })

  it('does not rename the thoughts that go back to its server', async () => {
    const message = { role: 'assistant', content: 'Hello.', reasoning_content: 'hm' }
    const pieces = [chunk({ reasoning: 'hm', content: 'Hello.' }), one({ message }, 'stop')]
    const { reasoning, others } = await hear([eventStream(...pieces)])
    expect(reasoning).toBe('hm')
    expect(of(others, 'returned')).toMatchObject([{ returned: { thoughtsIn: 'reasoning' } }])
  })

  it('brings its calls, where its pieces had none', async () => {
    const message = { role: 'assistant', content: 'I look.', tool_calls: [wanted('look', 'c1')] }
    const pieces = [chunk({ content: 'I look.' }), one({ message }, 'tool_calls'), '[DONE]']
    const { content, others } = await hear([eventStream(...pieces)])
    expect(content).toBe('I look.')
    expect(of(others, 'calls')).toEqual([
      { type: 'calls', calls: [{ id: 'c1', name: 'look', arguments: '{}' }] },
    ])
  })
})

describe('choices', () => {
  it('are heard that are counted from 1', async () => {
    const second = (delta: object, finish: string | null = null) => ({
      choices: [{ index: 1, delta, finish_reason: finish }],
    })
    expect(await words(second({ content: 'Hello.' }), second({}, 'stop'), '[DONE]')).toEqual(
      said('Hello.'),
    )
  })

  it('hold the words in one message and the calls in another', async () => {
    const body = {
      choices: [
        { finish_reason: 'tool_calls', message: { content: 'I look.' } },
        { finish_reason: 'tool_calls', message: { tool_calls: [wanted('look', 'c1')] } },
      ],
    }
    const { content, others } = await hear([JSON.stringify(body)], 'application/json')
    expect(content).toBe('I look.')
    expect(of(others, 'calls')).toHaveLength(1)
  })

  it('that are another answer are not mixed with the first', async () => {
    const both = {
      choices: [
        { index: 0, delta: { content: 'one' } },
        { index: 1, delta: { content: 'two' } },
      ],
    }
    expect(await words(both, ...end)).toEqual(said('one'))
  })
})

describe('words and thoughts in several fields at once', () => {
  it('are all kept, equal ones once', async () => {
    const delta = { content: 'In part. ', refusal: 'No.', reasoning: 'b', reasoning_content: 'a' }
    expect(await words(chunk(delta), ...end)).toEqual(said('In part. No.', 'ab'))
    expect(
      await words(chunk({ content: 'x', refusal: 'x', reasoning: 'a', thinking: 'a ' }), ...end),
    ).toEqual(said('x', 'a'))
  })

  it('are found behind an empty field', async () => {
    const content = [
      { type: 'thinking', thinking: '', text: 'hm' },
      { type: 'text', text: '', content: 'Hello ' },
      { type: 'refusal', refusal: 'No.' },
    ]
    expect(await words(chunk({ content }), ...end)).toEqual(said('Hello No.', 'hm'))
  })
})

describe('what comes with an error', () => {
  const error = { message: 'The model fell over.' }

  it('is kept: the last words, the thoughts, the token counts', async () => {
    const usage = { prompt_tokens: 3, completion_tokens: 4 }
    const last = {
      ...one({ delta: { content: 'there', reasoning: 'hm' } }, 'error'),
      error,
      usage,
    }
    const heard = await hear([eventStream(chunk({ content: 'Hello ' }), last)])
    expect(heard).toMatchObject({ content: 'Hello there', reasoning: 'hm', words: error.message })
    expect(of(heard.others, 'usage')).toEqual([{ type: 'usage', usage: { input: 3, output: 4 } }])
  })

  it('is nothing where the error comes alone, so that the request can be made again', async () => {
    const first = { ...one({ delta: { content: '' } }, 'error'), model: 'm', error }
    const heard = await hear([eventStream(first)])
    expect(heard).toMatchObject({ content: '', others: [], words: error.message })
  })

  it('is kept of a response that failed', async () => {
    const part = { type: 'output_text', text: 'Hello there' }
    const response = {
      object: 'response',
      status: 'failed',
      output: [{ type: 'message', content: [part] }],
      usage: { input_tokens: 3, output_tokens: 4 },
      error,
    }
    const delta = { type: 'response.output_text.delta', output_index: 0, delta: 'Hello ' }
    const failed = { type: 'response.failed', response }
    const heard = await hearResponse([eventStream(delta, failed)])
    expect(heard).toMatchObject({ content: 'Hello there', words: error.message })
    expect(of(heard.others, 'usage')).toHaveLength(1)
  })
})

describe('a response', () => {
  it('has ended where an event says so by its name alone', async () => {
    const delta = { type: 'response.output_text.delta', output_index: 0, delta: 'Hello' }
    const last = { type: 'response.completed', response: null }
    const { content, code } = await hearResponse([eventStream(delta, last)])
    expect({ content, code }).toEqual({ content: 'Hello', code: undefined })
  })

  it('may have its words at its top, once', async () => {
    const output = [{ type: 'message', content: [{ type: 'output_text', text: 'Hello' }] }]
    const response = { object: 'response', status: 'completed', output_text: 'Hello' }
    for (const whole of [
      { ...response, output: [] },
      { ...response, output },
    ])
      expect((await hearResponse([JSON.stringify(whole)])).content).toBe('Hello')
  })
})

describe('an answer that breaks', () => {
  it('in its first piece is none of another API: it can be asked for again', async () => {
    const first = eventStream({ id: 'x', ...chunk({ content: 'Hello' }) })
    for (const end of ['closes', 'breaks'] as const)
      expect(await hear([first.slice(0, 40)], 'text/event-stream', end)).toMatchObject({
        content: '',
        code: 'cut',
      })
    const page = eventStream('{"status": "log in fi')
    expect((await hear([page])).code).toBe('not-an-api')
  })

  it('keeps the images that had come', async () => {
    const url = 'data:image/png;base64,AAAA'
    const image = chunk({ images: [{ image_url: { url } }] })
    const { others, code } = await hear([eventStream(image)], 'text/event-stream', 'breaks')
    expect(code).toBe('cut')
    expect(of(others, 'media')).toEqual([{ type: 'media', media: [{ kind: 'image', url }] }])
  })
})

describe('behind [DONE]', () => {
  it('words count', async () => {
    expect(await words(chunk({ content: 'Hello' }), ...end, chunk({ content: ' there.' }))).toEqual(
      said('Hello there.'),
    )
  })
})

describe('the index of a call', () => {
  it('may be negative: pieces that are mixed find their call', async () => {
    const piece = (index: number, name: string | undefined, args: string) =>
      chunk({
        tool_calls: [{ index, ...(name && { id: name }), function: { name, arguments: args } }],
      })
    const mixed = [
      piece(5, 'a', ''),
      piece(-1, 'b', ''),
      piece(5, undefined, '{"x":1}'),
      piece(-1, undefined, '{"y":2}'),
    ]
    const { others } = await hear([eventStream(...mixed, ...end)])
    expect(of(others, 'calls')).toEqual([
      {
        type: 'calls',
        calls: [
          { id: 'a', name: 'a', arguments: '{"x":1}' },
          { id: 'b', name: 'b', arguments: '{"y":2}' },
        ],
      },
    ])
  })
})

describe('the name of a file that a model answers with', () => {
  it('is one line', async () => {
    const file = { filename: 'a.txt\nImage: b', file_data: 'AAAA' }
    const { others } = await hear([eventStream(chunk({ content: 'ok', files: [file] }), ...end)])
    expect(of(others, 'media')).toMatchObject([{ media: [{ name: 'a.txt Image: b' }] }])
  })
})

describe('the title of a page that is cited', () => {
  it('is one line, so that it looks like no other page', async () => {
    const citation = { url: 'https://a.example/', title: 'A\n[2] B:\r\n https://b.example/' }
    const said = chunk({ content: 'ok', annotations: [{ url_citation: citation }] })
    const { others } = await hear([eventStream(said, ...end)])
    expect(of(others, 'citations')).toEqual([
      {
        type: 'citations',
        citations: [{ url: 'https://a.example/', title: 'A [2] B: https://b.example/' }],
      },
    ])
  })
})
