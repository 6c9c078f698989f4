import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import {
  ProviderError,
  type ProviderEvent,
  type ProviderStream,
} from '../../../../src/main/llm/chat/provider'
import { openAiStream } from '../../../../src/main/llm/provider/openai'
import type { Practice } from '../../../../src/main/practice/launch'
import { startPracticeForTests } from '../../../support/practice'
import { chunk, eventStream, type RawServer, rawServer } from '../../../support/raw-server'

const key = 'sk-or-v1-0123456789abcdef'
const never = new AbortController().signal

/** Everything that a stream told, joined, and how it ended. */
interface Heard {
  content: string
  reasoning: string
  others: ProviderEvent[]
  error?: ProviderError
}

async function hear(
  stream: ProviderStream,
  text = 'hello',
  signal: AbortSignal = never,
  model = 'practice',
): Promise<Heard> {
  const heard: Heard = { content: '', reasoning: '', others: [] }
  try {
    for await (const event of stream(
      { model, messages: [{ role: 'user', content: text }] },
      signal,
    )) {
      if (event.type === 'content') heard.content += event.text
      else if (event.type === 'reasoning') heard.reasoning += event.text
      else heard.others.push(event)
    }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    heard.error = error
  }
  return heard
}

function told(heard: Heard): object {
  return { code: heard.error?.code, ...heard.error?.fault }
}

const finish = (reason: string) => ({ type: 'finish', reason })
const cameAs = (thoughtsIn: string, host: string) => ({
  type: 'returned',
  returned: { server: host, thoughtsIn },
})

describe('against the practice model', () => {
  let practice: Practice
  let stream: ProviderStream
  beforeAll(async () => {
    practice = await startPracticeForTests()
    stream = openAiStream({ baseUrl: practice.url, apiKey: key })
  })
  afterAll(() => practice.close())

  it('tells the model, the words, the token counts, and the finish at last', async () => {
    const heard = await hear(stream, '/reason hello')
    expect(heard.content).toMatch(/^\*\*Practice model, no AI\.\*\*/)
    expect(heard.content).toContain('> /reason hello')
    expect(heard.reasoning).toMatch(/^The person writes/)
    const [model, usage, returned, end] = heard.others
    expect([model, usage?.type, returned, end]).toEqual([
      { type: 'model', model: 'practice' },
      'usage',
      cameAs('reasoning', new URL(practice.url).host),
      finish('stop'),
    ])
    expect(heard.others).toHaveLength(4)
  })

  it.each([
    ['/fail 401', 'bad-key', false],
    ['/fail 402', 'no-credit', false],
    ['/fail 403', 'forbidden', false],
    ['/fail 404', 'not-found', false],
    ['/fail 400', 'bad-request', false],
    ['/fail 422', 'bad-request', false],
    ['/fail 413', 'too-long', false],
    ['/fail context', 'too-long', false],
    ['/fail 408', 'server', true],
    ['/fail 409', 'server', true],
    ['/fail 429', 'rate-limited', true],
    ['/fail 500', 'server', true],
    ['/fail 529', 'server', true],
    ['/fail html', 'server', true],
    ['/fail page', 'not-an-api', false],
    ['/fail stream', 'server', true],
    ['/cut 20', 'cut', true],
    ['/garbage', 'cut', false],
  ])('says what %s means: %s', async (text, code, transient) => {
    const { error } = await hear(stream, text)
    expect([error?.code, error?.fault.transient ?? false]).toEqual([code, transient])
    expect(error?.fault.message).toMatch(/\S \S.*\.$/)
    expect(error?.fault.advice).toMatch(/\S \S.*\.$|\?$/)
    expect(JSON.stringify(error?.fault)).not.toContain(key)
  })

  it('names host, status and the words of the provider', async () => {
    const { host } = new URL(practice.url)
    expect(told(await hear(stream, '/fail 429'))).toEqual({
      code: 'rate-limited',
      message: `${host} rate limited this request (429).`,
      advice: 'Wait a moment, then try again.',
      status: 429,
      response: 'Rate limit reached (practice: /fail 429).',
      retryAfterMs: 2000,
      transient: true,
    })
  })

  it('keeps the words that came before the connection was closed', async () => {
    const heard = await hear(stream, '/cut 4')
    expect(heard.content).toBe('**Practice model, no AI.** ')
    expect(heard.error?.code).toBe('cut')
  })

  it('gives up when nothing comes, at the start and in the middle', async () => {
    const hasty = openAiStream({ baseUrl: practice.url }, { limits: { firstByteMs: 50 } })
    expect(await hear(hasty, '/stall')).toMatchObject({ content: '', error: { code: 'stalled' } })
    const server = await rawServer((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      // In one packet, so that nothing but silence is waited for after the first of it.
      response.write(eventStream(chunk({ content: 'I am ' }), chunk({ content: 'a ' })))
    })
    onTestFinished(() => server.close())
    const patient = openAiStream({ baseUrl: server.url }, { limits: { silenceMs: 50 } })
    expect(await hear(patient)).toMatchObject({ content: 'I am a ', error: { code: 'stalled' } })
  })

  it('stops an endless answer at its limit and keeps what came', async () => {
    const limited = openAiStream({ baseUrl: practice.url }, { limits: { answerBytes: 100_000 } })
    const heard = await hear(limited, '/flood')
    expect(heard.error?.code).toBe('too-much')
    expect(heard.content.length).toBeGreaterThan(99_000)
    expect(heard.content.length).toBeLessThanOrEqual(100_000)
  })

  it('ends quietly when it is stopped, before and while words come', async () => {
    const before = new AbortController()
    before.abort()
    expect(await hear(stream, 'hello', before.signal)).toEqual({
      content: '',
      reasoning: '',
      others: [],
    })
    const silent = new AbortController()
    const waiting = hear(stream, '/stall', silent.signal)
    silent.abort()
    expect(await waiting).toEqual({ content: '', reasoning: '', others: [] })

    const middle = new AbortController()
    let content = ''
    const request = { model: 'practice', messages: [{ role: 'user', content: '/flood' }] } as const
    for await (const event of stream(request, middle.signal)) {
      if (event.type === 'content') content += event.text
      if (content.length > 10_000) middle.abort()
    }
    expect(content.length).toBeGreaterThan(10_000)
  })

  it('is left without leaving a request behind', async () => {
    const request = { model: 'practice', messages: [{ role: 'user', content: '/flood' }] } as const
    for await (const event of stream(request, never)) if (event.type === 'content') break
    expect((await hear(stream)).others.at(-1)).toEqual(finish('stop'))
  })
})

describe('against servers that do what practice cannot', () => {
  let server: RawServer | undefined
  afterEach(() => server?.close())

  const streaming = async (...data: readonly (object | string)[]) => {
    server = await rawServer((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(eventStream(...data))
    })
    return openAiStream({ baseUrl: server.url, apiKey: key })
  }
  const refusing = async (status: number, body: string, headers: Record<string, string> = {}) => {
    server = await rawServer((response) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers })
      response.end(body)
    })
    return openAiStream({ baseUrl: server.url, apiKey: key })
  }

  it('sends exactly these headers and this body', async () => {
    const stream = await streaming(chunk({ content: 'hi' }, 'stop'), '[DONE]')
    await hear(stream, 'hello', never, 'some/model')
    const seen = server?.seen[0]
    // What Node's fetch adds by itself differs between its versions.
    const ofFetch = /^(connection|content-length|accept-language|sec-.*)$/
    const headers = Object.entries(seen?.headers ?? {}).filter(([name]) => !ofFetch.test(name))
    expect([seen?.method, seen?.path]).toEqual(['POST', '/v1/chat/completions'])
    expect(Object.fromEntries(headers)).toEqual({
      host: server?.host,
      accept: 'text/event-stream, application/json',
      'accept-encoding': 'identity',
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'user-agent': 'Skein',
    })
    expect(JSON.parse(seen?.body ?? '')).toEqual({
      model: 'some/model',
      messages: [{ role: 'user', content: 'hello' }],
      stream: true,
      stream_options: { include_usage: true },
    })
  })

  it('sends no Authorization without a key, and nothing that variables hold for another host', async () => {
    const names = ['OPENAI_API_KEY', 'OPENAI_ORG_ID', 'OPENAI_CUSTOM_HEADERS', 'OPENAI_BASE_URL']
    const before = names.map((name) => process.env[name])
    for (const name of names) process.env[name] = 'X-Leak: leaked-value'
    try {
      server = await rawServer((response) => response.end(eventStream(chunk({}, 'stop'))))
      await hear(openAiStream({ baseUrl: server.url }))
    } finally {
      names.forEach((name, index) => {
        const value = before[index]
        if (value === undefined) delete process.env[name]
        else process.env[name] = value
      })
    }
    expect(JSON.stringify(server.seen[0]?.headers)).not.toMatch(/leak|authorization/i)
  })

  it('follows no redirect, so that the key reaches no other address', async () => {
    const other = await rawServer((response) => response.end())
    server = await rawServer((response) => {
      response.writeHead(307, { location: `${other.url}/chat/completions` })
      response.end()
    })
    const heard = await hear(openAiStream({ baseUrl: server.url, apiKey: key }))
    expect([heard.error?.code, other.seen.length, server.seen.length]).toEqual(['not-an-api', 0, 1])
    expect(heard.error?.fault.message).toContain(other.host)
    await other.close()
  })

  it.each([
    ['plain', key],
    ['URL-encoded', encodeURIComponent(`${key}`)],
    ['in base64', Buffer.from(key).toString('base64')],
  ])('takes the key out of what a provider says, %s', async (_name, spelled) => {
    const stream = await refusing(400, JSON.stringify({ error: { message: `bad ${spelled} end` } }))
    const { error } = await hear(stream)
    expect(error?.fault.response).toMatch(/^bad \[key\]\S{0,3} end$/)
    expect(`${error?.stack} ${JSON.stringify(error)}`).not.toContain(key)
  })

  it('takes the key out of errors inside a stream, of other kinds of bodies and of redirects', async () => {
    for (const make of [
      () => streaming({ error: { message: `no ${key}` } }),
      () => streaming(`{"choices": ${key}`),
      () => streaming(chunk({ content: 'x' }), `{"choices": ${key}`),
      () => refusing(200, `{"hello": "${key}"}`),
      () => refusing(502, `<html>${key}</html>`),
      () => refusing(302, '', { location: `https://elsewhere.example/?k=${key}` }),
    ]) {
      const { error } = await hear(await make())
      expect(JSON.stringify(error?.fault)).toContain('[key]')
      expect(JSON.stringify(error?.fault)).not.toContain(key)
      await server?.close()
    }
  })

  it('shows no part of a key that the cut through a huge error body leaves', async () => {
    const stream = await refusing(500, `${'x'.repeat(64 * 1024 - 10)}${key}`)
    const { error } = await hear(stream)
    expect(error?.fault.response?.length).toBe(2000)
    expect(JSON.stringify(error?.fault)).not.toContain(key.slice(0, 8))
  })

  it('reads an endless error body only to its limit', async () => {
    server = await rawServer((response) => {
      response.writeHead(500, { 'content-type': 'text/plain' })
      const more = () => {
        while (response.write('x'.repeat(1000)));
        response.once('drain', more)
      }
      more()
    })
    const { error } = await hear(openAiStream({ baseUrl: server.url }))
    expect([error?.code, error?.fault.response?.length]).toEqual(['server', 2000])
  })

  it.each([
    ['OpenAI', '{"error":{"message":"Bad thing","type":"x"}}', 'Bad thing'],
    ['a plain string', '{"error":"Bad thing"}', 'Bad thing'],
    ['FastAPI', '{"detail":"Bad thing"}', 'Bad thing'],
    ['a message alone', '{"message":"Bad thing"}', 'Bad thing'],
    [
      'OpenRouter with the words behind it',
      '{"error":{"message":"Provider returned error","metadata":{"raw":"Bad thing"}}}',
      'Provider returned error\nBad thing',
    ],
    ['JSON of another shape', '{"oops":1}', '{"oops":1}'],
    ['no JSON', 'Bad thing', 'Bad thing'],
    ['nothing', '', undefined],
  ])('finds the words in the error body of %s', async (_name, body, words) => {
    expect((await hear(await refusing(400, body))).error?.fault.response).toBe(words)
  })

  it('knows a used-up quota by its code, whatever the status', async () => {
    const stream = await refusing(
      429,
      '{"error":{"message":"You exceeded","code":"insufficient_quota"}}',
    )
    const { error } = await hear(stream)
    expect([error?.code, error?.fault.transient]).toEqual(['no-credit', false])
  })

  it('understands errors inside a stream by their code', async () => {
    const heard = await hear(
      await streaming(chunk({ content: 'some' }), { error: { code: 429, message: 'Slow down' } }),
    )
    expect([heard.content, heard.error?.code, heard.error?.fault.response]).toEqual([
      'some',
      'rate-limited',
      'Slow down',
    ])
  })

  it('says that a key is wanted where none was sent', async () => {
    await refusing(401, '{}')
    const { error } = await hear(openAiStream({ baseUrl: server?.url ?? '' }))
    expect(error?.fault.message).toBe(`${server?.host} needs a key.`)
  })

  it('does not send a key that no key can be', async () => {
    const stream = await streaming(chunk({}, 'stop'))
    expect(await hear(stream)).toBeDefined()
    const { error } = await hear(openAiStream({ baseUrl: server?.url ?? '', apiKey: 'sk-…\nx' }))
    expect([error?.code, server?.seen.length]).toEqual(['bad-key', 1])
    expect(JSON.stringify(error?.fault)).not.toContain('sk-…')
  })

  it('asks again without token counts where a server refuses them by name', async () => {
    server = await rawServer((response, { body }) => {
      const refuses = body.includes('stream_options')
      response.writeHead(refuses ? 422 : 200, {
        'content-type': refuses ? 'application/json' : 'text/event-stream',
      })
      response.end(
        refuses
          ? '{"detail":"stream_options: extra inputs are not permitted"}'
          : eventStream(chunk({ content: 'hi' }, 'stop')),
      )
    })
    const heard = await hear(openAiStream({ baseUrl: server.url }))
    expect([heard.content, server.seen.length]).toEqual(['hi', 2])
  })

  it.each([
    ['a finish reason without [DONE]', [chunk({ content: 'hi' }, 'stop')], 'stop'],
    ['[DONE] without a finish reason', [chunk({ content: 'hi' }), '[DONE]'], 'stop'],
    [
      'the limit of its length',
      [chunk({ content: 'hi' }), chunk({}, 'length'), '[DONE]'],
      'length',
    ],
    ['a filter', [chunk({ content: 'hi' }), chunk({}, 'content_filter')], 'filtered'],
  ])('takes an answer for whole that ends by %s', async (_name, data, reason) => {
    const heard = await hear(await streaming(...data))
    expect([heard.content, heard.others, heard.error]).toEqual(['hi', [finish(reason)], undefined])
  })

  it('keeps a reason of its own, which says that the answer is not whole', async () => {
    const heard = await hear(await streaming(chunk({ content: 'hi' }, 'whatever')))
    expect(heard.others).toEqual([{ type: 'finish', reason: 'broken', word: 'whatever' }])
  })

  it('takes an answer for cut that ends by neither', async () => {
    const heard = await hear(await streaming(chunk({ content: 'hi' })))
    expect([heard.content, heard.error?.code]).toEqual(['hi', 'cut'])
  })

  it.each([
    ['breaks behind [DONE]', ['[DONE]'], true, undefined],
    ['stays open behind [DONE]', ['[DONE]'], false, undefined],
    ['stays open behind the finish reason', [], false, undefined],
    ['breaks behind the finish reason', [], true, 'cut'],
  ])(
    'knows whether an answer is whole when the connection %s',
    async (_name, end, breaks, code) => {
      server = await rawServer((response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        const bytes = eventStream(chunk({ content: 'hi' }), chunk({}, 'stop'), ...end)
        response.write(bytes, () => {
          if (breaks) response.destroy()
        })
      })
      const limits = { tailMs: 50, doneMs: 50 }
      const heard = await hear(openAiStream({ baseUrl: server.url }, { limits }))
      expect([heard.content, heard.error?.code]).toEqual(['hi', code])
      expect(heard.others).toEqual(code === undefined ? [finish('stop')] : [])
    },
  )

  const offered = [{ name: 'read', description: 'reads a file', parameters: { type: 'object' } }]
  const askWithTools = async (stream: ProviderStream) => {
    const events: ProviderEvent[] = []
    const messages = [{ role: 'user', content: 'hello' }] as const
    for await (const event of stream({ model: 'm', messages, tools: offered }, never))
      events.push(event)
    return events
  }

  it('offers tools, and tells the calls whole before the finish', async () => {
    const piece = (part: object) => chunk({ tool_calls: [{ index: 0, ...part }] })
    const stream = await streaming(
      chunk({ content: 'I look.' }),
      piece({ id: 'c1', type: 'function', function: { name: 'read', arguments: '' } }),
      piece({ function: { arguments: '{"a"' } }),
      piece({ function: { arguments: ':1}' } }),
      chunk({}, 'tool_calls'),
      '[DONE]',
    )
    expect(await askWithTools(stream)).toEqual([
      { type: 'content', text: 'I look.' },
      { type: 'calls', calls: [{ id: 'c1', name: 'read', arguments: '{"a":1}' }] },
      finish('tool-calls'),
    ])
    expect(JSON.parse(server?.seen[0]?.body ?? '').tools).toEqual([
      {
        type: 'function',
        function: { name: 'read', description: 'reads a file', parameters: { type: 'object' } },
      },
    ])
  })

  it('tells no calls of an answer that is cut, and holds their size to the limit', async () => {
    const piece = (text: string) =>
      chunk({ tool_calls: [{ index: 0, id: 'c', function: { name: 'f', arguments: text } }] })
    expect(await hear(await streaming(piece('{}')))).toMatchObject({
      others: [],
      error: { code: 'cut' },
    })
    await server?.close()
    await streaming(piece('x'.repeat(600)), piece('x'.repeat(600)), chunk({}, 'tool_calls'))
    const limited = openAiStream({ baseUrl: server?.url ?? '' }, { limits: { answerBytes: 1000 } })
    expect(await hear(limited)).toMatchObject({ others: [], error: { code: 'too-much' } })
  })

  it('takes the calls of one JSON document', async () => {
    const message = {
      content: null,
      tool_calls: [{ id: 'c', function: { name: 'f', arguments: {} } }],
    }
    const document = { choices: [{ message, finish_reason: 'tool_calls' }] }
    expect((await hear(await refusing(200, JSON.stringify(document)))).others).toEqual([
      { type: 'calls', calls: [{ id: 'c', name: 'f', arguments: '{}' }] },
      finish('tool-calls'),
    ])
  })

  it.each([
    ['Ollama', 400, 'registry.ollama.ai/library/gemma:2b does not support tools'],
    ['OpenRouter', 404, 'No endpoints found that support tool use. To learn more, visit: ...'],
    [
      'vLLM',
      400,
      '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
    ],
    ['llama.cpp', 500, 'tools param requires --jinja flag'],
  ])(
    'asks again without tools where %s says that the model takes none, and tells it',
    async (_name, status, message) => {
      server = await rawServer((response, { body }) => {
        const refuses = body.includes('"tools"')
        response.writeHead(refuses ? status : 200, {
          'content-type': refuses ? 'application/json' : 'text/event-stream',
        })
        response.end(
          refuses
            ? JSON.stringify({ error: { message } })
            : eventStream(chunk({ content: 'hi' }, 'stop')),
        )
      })
      expect(await askWithTools(openAiStream({ baseUrl: server.url }))).toEqual([
        { type: 'without-tools' },
        { type: 'content', text: 'hi' },
        finish('stop'),
      ])
    },
  )

  it('takes one JSON document from a server that does not stream', async () => {
    const document = {
      model: 'small',
      choices: [{ message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 1, completion_tokens: 2 },
    }
    expect(await hear(await refusing(200, JSON.stringify(document)))).toEqual({
      content: 'hi',
      reasoning: '',
      others: [
        { type: 'model', model: 'small' },
        { type: 'usage', usage: { input: 1, output: 2 } },
        finish('stop'),
      ],
    })
  })

  it.each([
    ['JSON of something else', 'application/json', '{"status":"ok"}'],
    ['JSON that is broken', 'application/json', '{"status":['],
    ['a page', 'text/html; charset=utf-8', '<html>login</html>'],
    ['plain words', 'text/plain', 'It works!'],
    ['events of something else', 'text/event-stream', 'data: hello\n\n'],
  ])('says of a 200 with %s that this is no such API', async (_name, type, body) => {
    const { error } = await hear(await refusing(200, body, { 'content-type': type }))
    expect([error?.code, error?.fault.status]).toEqual(['not-an-api', 200])
    expect(error?.fault.response).toBe(body.trim().replace(/^data: /, ''))
  })

  it('understands the dialects of deltas', async () => {
    const heard = await hear(
      await streaming(
        { choices: [] },
        { object: 'ping' },
        chunk({ role: 'assistant', content: null, reasoning_content: 'a' }),
        chunk({ content: '', reasoning: 'b' }),
        chunk({ content: [{ type: 'text', text: 'c' }, { type: 'other' }] }),
        chunk({ refusal: 'd' }),
        { choices: [{ index: 1, delta: { content: 'not asked for' } }] },
        { choices: [{ delta: { content: 'e' } }], usage: null },
        {
          ...chunk({}, 'stop'),
          usage: {
            prompt_tokens: 3,
            completion_tokens: 4,
            cost: 0.5,
            prompt_tokens_details: { cached_tokens: 1 },
            completion_tokens_details: { reasoning_tokens: 2 },
          },
        },
      ),
    )
    expect(heard).toEqual({
      content: 'cde',
      reasoning: 'ab',
      others: [
        { type: 'usage', usage: { input: 3, output: 4, reasoning: 2, cached: 1, cost: 0.5 } },
        cameAs('reasoning', server?.host ?? ''),
        finish('stop'),
      ],
    })
  })

  it('gives up on one event without an end, and on a stream of nothing but comments', async () => {
    const endless = (piece: string) =>
      rawServer((response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        const more = () => {
          while (response.write(piece));
          response.once('drain', more)
        }
        more()
      })
    for (const piece of ['data: '.padEnd(5000, 'x'), ': still here\n\n'.repeat(50)]) {
      server = await endless(piece)
      const limits = { eventBytes: 200_000, streamBytes: 1_000_000 }
      const { error } = await hear(openAiStream({ baseUrl: server.url }, { limits }))
      expect(error?.code).toBe('too-much')
      await server.close()
    }
  })

  it('says so when nothing listens, the name is unknown, or something else speaks', async () => {
    server = await rawServer((response) => response.end())
    const { url, host } = server
    await server.close()
    expect(told(await hear(openAiStream({ baseUrl: url })))).toMatchObject({
      code: 'unreachable',
      message: `Nothing answers at ${host}.`,
      transient: true,
    })
    expect((await hear(openAiStream({ baseUrl: 'http://nowhere.invalid/v1' }))).error?.code).toBe(
      'unreachable',
    )
    expect((await hear(openAiStream({ baseUrl: 'no address' }))).error?.code).toBe('unreachable')
  })

  it('says so when a server speaks no TLS', async () => {
    server = await rawServer((response) => response.end())
    const baseUrl = server.url.replace('http:', 'https:')
    const { error } = await hear(openAiStream({ baseUrl }))
    expect([error?.code, error?.fault.transient]).toEqual(['unreachable', false])
    expect(error?.fault.message).toMatch(/^No secure connection to /)
  })

  it('tells the same however the bytes of the stream are split', async () => {
    const bytes = Buffer.from(
      eventStream(
        chunk({ role: 'assistant', content: '' }),
        chunk({ reasoning: 'hm 考' }),
        chunk({ content: '\n# 花園 🌱' }),
        chunk({ content: ' two\r\nlines' }),
        chunk({}, 'stop'),
        { choices: [], usage: { prompt_tokens: 1, completion_tokens: 2 } },
        '[DONE]',
      ).replaceAll('\n\n', '\r\n\r\n'),
    )
    const listen = async (pieces: readonly Uint8Array[]) => {
      const fetch = async () =>
        new Response(
          new ReadableStream({
            start(controller) {
              for (const piece of pieces) controller.enqueue(piece)
              controller.close()
            },
          }),
          { headers: { 'content-type': 'text/event-stream' } },
        )
      const stream = openAiStream({ baseUrl: 'http://127.0.0.1/v1' }, { fetch })
      const events: ProviderEvent[] = []
      for await (const event of stream({ model: 'm', messages: [] }, never)) events.push(event)
      return events
    }
    const whole = await listen([bytes])
    expect(whole).toEqual([
      { type: 'reasoning', text: 'hm 考' },
      { type: 'content', text: '\n# 花園 🌱' },
      { type: 'content', text: ' two\r\nlines' },
      { type: 'usage', usage: { input: 1, output: 2 } },
      cameAs('reasoning', '127.0.0.1'),
      finish('stop'),
    ])
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: bytes.length })), async (cuts) => {
        const places = [...new Set(cuts)].sort((a, b) => a - b)
        const pieces = [0, ...places].map((from, index) =>
          bytes.subarray(from, places[index] ?? bytes.length),
        )
        expect(await listen(pieces)).toEqual(whole)
      }),
    )
  })
})
