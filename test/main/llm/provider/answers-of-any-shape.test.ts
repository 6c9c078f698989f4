import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chunk, eventStream } from '../../../support/raw-server'
import { hear } from '../support/heard'
import { sentAnyhow } from '../support/sent-anyhow'

const told = async (...args: Parameters<typeof hear>) => {
  const { content, code } = await hear(...args)
  return { content, code }
}
const whole = { content: 'Hello there.', code: undefined }
const hello = eventStream(chunk({ role: 'assistant', content: 'Hello ' }))
const there = eventStream(chunk({ content: 'there.' }), chunk({}, 'stop'), '[DONE]')

const heartbeats = [
  ': still here\n\n',
  'data:\n\n',
  'data: \n\n',
  'data: null\n\n',
  'data: ping\n\n',
  'event: ping\ndata: ping\n\n',
  'event: keepalive\ndata:\n\n',
  'event: heartbeat\ndata: 1764000000\n\n',
  'event: tool.progress\ndata: running\n\n',
  'event: tool.progress\ndata: {"status":"running"}\n\n',
  'event: tool.progress\ndata: {"half\n\n',
  'data: {"error":""}\n\n',
  'data: {"error":{"code":0}}\n\n',
  'data: {"code":0,"message":"success"}\n\n',
  'id: 7\nretry: 10\n\n',
  '\n\n',
  '\r\n',
]

describe('heartbeats and events of a server’s own', () => {
  it.each(heartbeats)('mean nothing, wherever they come: %j', async (beat) => {
    expect(await told([beat, hello, there])).toEqual(whole)
    expect(await told([hello, beat, there])).toEqual(whole)
    expect(await told([hello, there, beat])).toEqual(whole)
  })

  it('are no answer by themselves', async () => {
    expect((await told(['data: ping\n\n'])).code).toBe('not-an-api')
  })

  it('are shown as the reason where a stream ends behind them', async () => {
    expect(await hear([hello, 'data: upstream timed out\n\n'])).toMatchObject({
      content: 'Hello ',
      code: 'cut',
      words: 'upstream timed out',
    })
  })
})

describe('a correct stream', () => {
  const answer = eventStream(
    chunk({ role: 'assistant', reasoning_content: 'hm 考 <b>' }),
    chunk({ content: '<thi' }),
    chunk({ content: 'nk>\nthought 🌱\n</th' }),
    chunk({ content: 'ink>\n\n# 花園 ' }),
    chunk({ content: 'and <think> in a sentence' }),
    chunk({
      tool_calls: [{ index: 0, id: 'c', type: 'function', function: { name: 'f', arguments: '' } }],
    }),
    chunk({ tool_calls: [{ index: 0, function: { arguments: '{"a":"ü"}' } }] }),
    { ...chunk({}, 'tool_calls'), usage: { prompt_tokens: 1, completion_tokens: 2 } },
    '[DONE]',
  )
  const events = answer.split(/(?<=\n\n)/)
  const right = {
    content: '# 花園 and <think> in a sentence',
    reasoning: 'hm 考 <b>thought 🌱',
    code: undefined,
    words: undefined,
    others: [
      { type: 'usage', usage: { input: 1, output: 2 } },
      { type: 'returned', returned: { server: '127.0.0.1', thoughtsIn: 'reasoning_content' } },
      { type: 'calls', calls: [{ id: 'c', name: 'f', arguments: '{"a":"ü"}' }] },
      { type: 'finish', reason: 'tool-calls' },
    ],
  }

  it('is the same answer however it is cut, with heartbeats anywhere, by any content type', async () => {
    await fc.assert(
      fc.asyncProperty(sentAnyhow(events, heartbeats), async ({ pieces, contentType }) => {
        expect(await hear(pieces, contentType)).toEqual(right)
      }),
      { numRuns: 300 },
    )
  })

  it('is the same with one line feed between its events', async () => {
    expect(await hear([answer.replaceAll('\n\n', '\n')])).toEqual(right)
  })

  it('is never taken for whole when it is cut before its end', async () => {
    const bytes = new TextEncoder().encode(answer)
    const end = new TextEncoder().encode(answer.slice(0, answer.indexOf('data: [DONE]'))).length
    for (let at = 0; at < bytes.length; at++) {
      const { code, content } = await hear([bytes.subarray(0, at)])
      // The finish reason is believed where nothing comes behind it; its last blank line may be missing.
      if (at >= end - 2) expect([at, code]).toEqual([at, undefined])
      else expect([at, code]).toEqual([at, expect.stringMatching(/^(cut|not-an-api)$/)])
      // What may become a tag is a word where nothing more comes.
      expect([right.content, '<think>'].some((text) => text.startsWith(content))).toBe(true)
      const broken = await hear([bytes.subarray(0, at)], 'text/event-stream', 'breaks')
      expect([at, broken.code]).toEqual([at, expect.stringMatching(/^(cut|not-an-api)$/)])
    }
  })
})

describe('one JSON document', () => {
  const message = { role: 'assistant', content: 'Hello there.' }
  const document = JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }] })

  it.each([
    ['under the type of a stream', document, 'text/event-stream'],
    ['with a byte order mark', `\uFEFF${document}`, 'application/json'],
    ['behind blank space', `\n  \n${document}`, 'text/html'],
    ['with [DONE] behind it', `${document}\n\ndata: [DONE]\n\n`, 'application/json'],
    ['in a list', `[${document}]`, 'application/json'],
    ['as an event', `data: ${document}\n\n`, 'application/json'],
  ])('is an answer %s', async (_name, text, type) => {
    expect(await told([text], type)).toEqual(whole)
  })

  it('may be one line for each chunk', async () => {
    const lines = [chunk({ content: 'Hello ' }), chunk({ content: 'there.' }), chunk({}, 'stop')]
    const text = lines.map((line) => JSON.stringify(line)).join('\n')
    expect(await told([text], 'application/x-ndjson')).toEqual(whole)
  })

  it('that is cut is never taken for whole', async () => {
    for (let at = 1; at < document.length; at++)
      expect((await told([document.slice(0, at)])).code).toMatch(/^(cut|not-an-api)$/)
  })

  it('once more behind its pieces counts once', async () => {
    const copy = { choices: [{ index: 0, message, finish_reason: 'stop' }] }
    const pieces = eventStream(chunk({ content: 'Hello ' }), chunk({ content: 'there.' }), copy)
    expect(await told([pieces])).toEqual(whole)
  })
})

describe('an error inside of an answer', () => {
  it.each([
    ['an event of that name', 'event: error\ndata: {"message":"Boom"}\n\n'],
    ['an event of that name in plain words', 'event: error\ndata: Boom\n\n'],
    ['a field', eventStream({ error: { message: 'Boom', code: 500 } })],
    ['a field of text', eventStream({ error: 'Boom' })],
    ['an object of that name', eventStream({ object: 'error', message: 'Boom', code: 40303 })],
    ['a type of that name', eventStream({ type: 'error', error: { message: 'Boom' } })],
    ['fields of its own', eventStream({ error_type: 'x', error_message: 'Boom' })],
    ['a code beside a message', eventStream({ code: 'InvalidParameter', message: 'Boom' })],
    ['a number beside a message', eventStream({ code: 500, message: 'Boom' })],
    ['base_resp', eventStream({ base_resp: { status_code: 1004, status_msg: 'Boom' } })],
    ['a list of errors', eventStream({ success: false, errors: [{ code: 7, message: 'Boom' }] })],
    [
      'an error of the choice',
      eventStream({ choices: [{ index: 0, error: { message: 'Boom' } }] }),
    ],
    ['a line without data:', '{"error":{"message":"Boom"}}\n\n'],
  ])('is heard as %s: first, in the middle, before and behind [DONE]', async (_name, error) => {
    const failed = { words: 'Boom', code: expect.any(String) }
    expect(await hear([error])).toMatchObject({ ...failed, content: '' })
    expect(await hear([hello, error, there])).toMatchObject({ ...failed, content: 'Hello ' })
    const [words = '', done = ''] = there.split(/(?=data: \[DONE\])/)
    expect(await hear([hello, words, error, done])).toMatchObject({
      ...failed,
      content: 'Hello there.',
    })
    expect(await hear([hello, there, error])).toMatchObject({ ...failed, content: 'Hello there.' })
  })

  it.each([
    '',
    false,
    null,
    0,
    {},
    [],
    { code: 0 },
    { message: '' },
    { code: null, message: null },
  ])('that is empty is none: %j', async (error) => {
    expect(await told([hello, eventStream({ error, choices: [] }), there])).toEqual(whole)
    const beside = { ...chunk({ content: 'Hello ' }), error }
    expect(await told([eventStream(beside), there])).toEqual(whole)
  })
})

describe('the end of an answer', () => {
  const half = (reason: unknown) => ({
    choices: [{ index: 0, delta: { content: 'Hello ' }, finish_reason: reason }],
  })

  it.each(['null', 'None', '', 'stop', null, false, {}, 3])(
    'is no finish reason of a piece that words follow: %j',
    async (reason) => {
      expect(await told([eventStream(half(reason)), there])).toEqual(whole)
    },
  )

  it('is not the word "null", where the stream ends behind it', async () => {
    expect((await told([eventStream(half('null'))])).code).toBe('cut')
  })

  it.each([
    ['stop', 'stop', undefined],
    ['STOP', 'stop', undefined],
    ['end_turn', 'stop', undefined],
    [{ type: 'stop' }, 'stop', undefined],
    ['length', 'length', undefined],
    ['model_length', 'length', 'model_length'],
    ['MAX_TOKENS', 'length', 'MAX_TOKENS'],
    ['content_filter', 'filtered', undefined],
    ['sensitive', 'filtered', 'sensitive'],
    ['SAFETY', 'filtered', 'SAFETY'],
    ['insufficient_system_resource', 'broken', 'insufficient_system_resource'],
    ['network_error', 'broken', 'network_error'],
    ['abort', 'broken', 'abort'],
    ['something new', 'broken', 'something new'],
  ])('is told by its word %j as %s', async (told, reason, word) => {
    const end = { choices: [{ index: 0, delta: {}, finish_reason: told }] }
    const { others } = await hear([hello, eventStream(end, '[DONE]')])
    expect(others).toEqual([{ type: 'finish', reason, ...(word === undefined ? {} : { word }) }])
  })
})

describe('thoughts', () => {
  it.each([
    ['reasoning_content', { reasoning_content: 'hm' }],
    ['reasoning', { reasoning: 'hm' }],
    ['reasoning_text', { reasoning_text: 'hm' }],
    ['thinking', { thinking: 'hm' }],
    ['thinking as an object', { thinking: { content: 'hm' } }],
    ['details alone', { reasoning_details: [{ type: 'reasoning.text', text: 'hm' }] }],
    ['parts', { content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }] }],
    ['tags', { content: '<think>hm</think>' }],
    ['tags of another name', { content: '\n<Thinking>\nhm\n</Thinking>\n' }],
    ['the same twice', { reasoning: 'hm', reasoning_content: 'hm' }],
  ])('are known in %s', async (_name, delta) => {
    const { content, reasoning } = await hear([eventStream(chunk(delta)), hello, there])
    expect({ content, reasoning }).toEqual({ content: 'Hello there.', reasoning: 'hm' })
  })

  it('are all of an answer whose tag is never closed', async () => {
    const { content, reasoning } = await hear([
      eventStream(
        chunk({ content: '<think>\nhm' }),
        chunk({ content: ' </thin' }),
        chunk({}, 'stop'),
      ),
    ])
    expect({ content, reasoning }).toEqual({ content: '', reasoning: 'hm </thin' })
  })

  it.each(['In code: `<think>`', '```\n<think>\n```', 'A <think> tag', '<b>not</b>', '<thin air>'])(
    'are no words that only look like them: %j',
    async (text) => {
      for (const pieces of [[text], [...text]]) {
        const chunks = pieces.map((piece) => chunk({ content: piece }))
        const { content, reasoning } = await hear([eventStream(...chunks, chunk({}, 'stop'))])
        expect({ content, reasoning }).toEqual({ content: text, reasoning: '' })
      }
    },
  )
})

describe('what else comes with an answer', () => {
  it('are token counts, wherever they are', async () => {
    const usage = { prompt_tokens: 11, completion_tokens: 7, prompt_cache_hit_tokens: 3 }
    const right = { type: 'usage', usage: { input: 11, output: 7, cached: 3 } }
    for (const piece of [
      { choices: [], usage },
      { choices: [{ index: 0, delta: {}, usage }] },
      { choices: [], x_groq: { usage } },
      { choices: [{ index: '0', delta: {}, usage: { ...usage, prompt_tokens: '11' } }] },
    ])
      expect((await hear([hello, eventStream(piece), there])).others).toContainEqual(right)
  })

  it('are the pages that it cites, each once', async () => {
    const first = { ...chunk({ content: 'Hello ' }), citations: ['https://example.org/a'] }
    const annotation = { type: 'url_citation', url_citation: { url: 'https://example.org/b' } }
    const last = {
      ...chunk({ annotations: [annotation, { url: 'javascript:alert(1)' }] }),
      search_results: [{ title: 'A', url: 'https://example.org/a' }],
    }
    const { others } = await hear([eventStream(first, last), there])
    expect(others.filter(({ type }) => type === 'citations').at(-1)).toEqual({
      type: 'citations',
      citations: [{ url: 'https://example.org/a', title: 'A' }, { url: 'https://example.org/b' }],
    })
  })

  it('are images, sounds and their words', async () => {
    const url = 'data:image/png;base64,AAAA'
    const { content, others } = await hear([
      eventStream(
        chunk({ images: [{ type: 'image_url', image_url: { url } }] }),
        chunk({ audio: { data: 'AAAA', transcript: 'Hello ' } }),
        chunk({ audio: { data: 'BBBB', transcript: 'there.' } }),
        chunk({}, 'stop'),
      ),
    ])
    expect(content).toBe('Hello there.')
    expect(others.find(({ type }) => type === 'media')).toEqual({
      type: 'media',
      media: [
        { kind: 'image', url },
        { kind: 'audio', url: 'data:audio/wav;base64,AAAABBBB' },
      ],
    })
  })

  it('are signatures, joined from their pieces, and what is beside a call', async () => {
    const extra = { google: { thought_signature: 'c2ln' } }
    const { others } = await hear([
      eventStream(
        chunk({ reasoning_details: [{ type: 'reasoning.text', index: 0, text: 'h' }] }),
        chunk({ reasoning_details: [{ type: 'reasoning.text', index: 0, text: 'm' }] }),
        chunk({ reasoning_details: [{ type: 'reasoning.text', index: 0, signature: 's' }] }),
        chunk({
          tool_calls: [
            { index: '0', id: 'a', function: { name: 'f', arguments: {} }, extra_content: extra },
          ],
        }),
        chunk({ tool_calls: [{ index: '0', function: { arguments: '{"a":1}' } }] }),
        chunk({}, 'tool_calls'),
      ),
    ])
    const details = [{ type: 'reasoning.text', index: 0, text: 'hm', signature: 's' }]
    expect(others).toEqual([
      {
        type: 'returned',
        returned: { server: '127.0.0.1', fields: { reasoning_details: details } },
      },
      {
        type: 'calls',
        server: '127.0.0.1',
        calls: [{ id: 'a', name: 'f', arguments: '{"a":1}', extra: { extra_content: extra } }],
      },
      { type: 'finish', reason: 'tool-calls' },
    ])
  })

  it.each([
    ['{}', ['{}']],
    ['{}{"a":1}', ['{"a":1}']],
    ['{"a":1}{"a":2}', ['{"a":1}', '{"a":2}']],
    ['{"a":"}{"}', ['{"a":"}{"}']],
    ['{"a":1}x', ['{"a":1}x']],
  ])('are the arguments of each call that a text holds: %s', async (text, all) => {
    const call = { index: 0, id: 'a', function: { name: 'f', arguments: text } }
    const { others } = await hear([
      eventStream(chunk({ tool_calls: [call] }), chunk({}, 'tool_calls')),
    ])
    const calls = others.find((event) => event.type === 'calls')
    expect(calls?.calls.map((one) => one.arguments)).toEqual(all)
  })
})
