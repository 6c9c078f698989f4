import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchPractice, type Practice, practiceOnDemand } from '../../../src/main/practice/launch'
import { bundled } from '../../support/bundled'

const workerPath = bundled('src/main/practice/practice.worker.ts')
let practice: Practice

beforeAll(async () => {
  practice = await launchPractice(workerPath(), { wordsPerSecond: Number.POSITIVE_INFINITY })
})

afterAll(() => practice.close())

interface Sent {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

async function send(path: string, init: RequestInit = {}): Promise<Sent> {
  const response = await fetch(`${practice.url}${path}`, init)
  return { status: response.status, headers: response.headers, text: await response.text() }
}

function ask(text: string, more: object = {}): Promise<Sent> {
  return send('/chat/completions', {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer anything' },
    body: JSON.stringify({
      model: 'practice',
      messages: [{ role: 'user', content: text }],
      ...more,
    }),
  })
}

/** The data of each event; the connection may break in the middle. */
async function events(text: string, more: object = {}): Promise<readonly string[]> {
  const response = await fetch(`${practice.url}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'practice',
      stream: true,
      messages: [{ role: 'user', content: text }],
      ...more,
    }),
  })
  const decoder = new TextDecoder()
  let body = ''
  try {
    for await (const piece of response.body ?? []) body += decoder.decode(piece, { stream: true })
    body += '[ended]'
  } catch {
    body += '[broken]'
  }
  return body.split('\n\n').map((event) => event.replace(/^data: /, ''))
}

function contentOf(data: readonly string[]): string {
  return data
    .filter((json) => json.startsWith('{') && json.endsWith('}'))
    .map((json) => JSON.parse(json).choices?.[0]?.delta?.content ?? '')
    .join('')
}

describe('the practice model over HTTP', () => {
  it('lists its one model', async () => {
    const { status, text } = await send('/models')
    expect([status, JSON.parse(text)]).toEqual([
      200,
      {
        object: 'list',
        data: [{ id: 'practice', object: 'model', created: 0, owned_by: 'skein' }],
      },
    ])
  })

  it('says in its first words that it is no AI, repeats the question, and shows Markdown', async () => {
    const { text } = await ask('What grows here?\nRoses?')
    const { content } = JSON.parse(text).choices[0].message
    expect(content).toMatch(/^\*\*Practice model, no AI\.\*\*/)
    expect(content).toContain('> What grows here?\n> Roses?')
    expect(content).toMatch(/^- /m)
    expect(content).toMatch(/^\| --- \| --- \|$/m)
    expect(content).toMatch(/^```ts$/m)
  })

  it('gives the same answer to the same question, streamed or not', async () => {
    const whole = JSON.parse((await ask('same')).text).choices[0].message.content
    expect(contentOf(await events('same'))).toBe(whole)
    expect(contentOf(await events('same'))).toBe(whole)
  })

  it('streams role, words, finish reason, token counts and [DONE], in that order', async () => {
    const data = await events('hello', { stream_options: { include_usage: true } })
    const parsed = data.slice(0, -2).map((json) => JSON.parse(json))
    expect(parsed[0].choices[0].delta).toEqual({ role: 'assistant', content: '' })
    expect(parsed.at(-2).choices[0]).toEqual({ index: 0, delta: {}, finish_reason: 'stop' })
    expect(parsed.at(-1).choices).toEqual([])
    expect(parsed.at(-1).usage.prompt_tokens).toBe(2)
    expect(data.slice(-2)).toEqual(['[DONE]', '[ended]'])
  })

  it('leaves token counts out when nobody asks for them', async () => {
    expect((await events('hello')).some((json) => json.includes('usage'))).toBe(false)
  })

  it('thinks before it answers on /reason', async () => {
    const kinds = (await events('/reason'))
      .filter((json) => json.startsWith('{'))
      .map((json) => Object.keys(JSON.parse(json).choices[0].delta).at(-1))
      .filter((kind, index, all) => kind !== all[index - 1])
    expect(kinds).toEqual(['content', 'reasoning', 'content', undefined])
  })

  it('names every command on /help', async () => {
    const help = contentOf(await events('/help'))
    for (const command of [
      '/fail',
      '/retry',
      '/stall',
      '/cut',
      '/garbage',
      '/flood',
      '/empty',
      '/long',
      '/reason',
      '/code',
      '/slow',
      '/fast',
    ])
      expect(help).toContain(command)
  })

  it.each([
    ['/fail 401', 401, 'invalid_api_key'],
    ['/fail 429', 429, 'rate_limit_exceeded'],
    ['/fail 404', 404, 'model_not_found'],
    ['/fail context', 400, 'context_length_exceeded'],
    ['/fail 599', 599, null],
    ['/fail', 500, null],
  ])('refuses on %s with status %i', async (text, status, code) => {
    const answer = await ask(text)
    expect([answer.status, JSON.parse(answer.text).error.code]).toEqual([status, code])
  })

  it('asks for a pause on /fail 429', async () => {
    expect((await ask('/fail 429')).headers.get('retry-after')).toBe('2')
  })

  it('shows a broken gateway on /fail html and a login page on /fail page', async () => {
    const [gateway, login] = [await ask('/fail html'), await ask('/fail page')]
    expect([gateway.status, login.status]).toEqual([502, 200])
    expect(gateway.text).toContain('<h1>502 Bad Gateway</h1>')
    expect(login.headers.get('content-type')).toContain('text/html')
  })

  it('fails as often as /retry says, then answers, and begins again', async () => {
    const statuses = []
    for (let n = 0; n < 6; n++) statuses.push((await ask('/retry 2')).status)
    expect(statuses).toEqual([503, 503, 200, 503, 503, 200])
  })

  it('closes the connection after exactly the words that /cut names', async () => {
    const data = await events('/cut 5')
    expect(contentOf(data)).toBe('**Practice model, no AI.** Skein ')
    expect(data.at(-1)).toBe('[broken]')
  })

  it('falls silent after the words that /stall names, and keeps the connection', async () => {
    const gone = new AbortController()
    const response = await fetch(`${practice.url}/chat/completions`, {
      method: 'POST',
      signal: gone.signal,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'practice',
        stream: true,
        messages: [{ role: 'user', content: '/stall 2' }],
      }),
    })
    let text = ''
    const decoder = new TextDecoder()
    const read = async () => {
      for await (const piece of response.body ?? []) {
        text += decoder.decode(piece, { stream: true })
        if (text.includes('"model, "')) gone.abort()
      }
    }
    await expect(read()).rejects.toThrow()
    expect(contentOf(text.split('\n\n').map((event) => event.replace(/^data: /, '')))).toBe(
      '**Practice model, ',
    )
  })

  it('sends a piece that is no JSON on /garbage', async () => {
    const broken = (await events('/garbage')).filter((json) => {
      try {
        JSON.parse(json)
        return false
      } catch {
        return json.startsWith('{')
      }
    })
    expect(broken).toHaveLength(1)
  })

  it('sends an error inside the stream on /fail stream', async () => {
    const error = (await events('/fail stream')).find((json) => json.startsWith('{"error"'))
    expect(JSON.parse(error ?? '{}').error.code).toBe(502)
  })

  it('goes on for ever on /flood, and stops when the reader leaves', async () => {
    const response = await fetch(`${practice.url}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'practice',
        stream: true,
        messages: [{ role: 'user', content: '/flood' }],
      }),
    })
    let bytes = 0
    for await (const piece of response.body ?? []) {
      bytes += piece.length
      if (bytes > 1_000_000) break
    }
    expect(bytes).toBeGreaterThan(1_000_000)
    expect((await send('/models')).status).toBe(200)
  })

  it('ends without a word on /empty', async () => {
    expect(contentOf(await events('/empty'))).toBe('')
  })

  it('adds as many paragraphs as /long says', async () => {
    expect(contentOf(await events('/long 30')).match(/^Paragraph \d+\./gm)).toHaveLength(30)
  })

  it('takes commands for words when they stand inside others', async () => {
    expect((await ask('either/fail 401 and http://x/fail or `/cut`')).status).toBe(200)
  })

  it.each([
    ['another path', '/nothing', {}, 404],
    ['another method', '/models', { method: 'DELETE' }, 405],
    ['a GET of completions', '/chat/completions', {}, 405],
    [
      'not JSON',
      '/chat/completions',
      { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{' },
      400,
    ],
    [
      'no messages',
      '/chat/completions',
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"model":"practice","messages":[]}',
      },
      400,
    ],
    [
      'another model',
      '/chat/completions',
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"model":"gpt","messages":[{"role":"user","content":"x"}]}',
      },
      404,
    ],
    [
      'a form of a web page',
      '/chat/completions',
      { method: 'POST', headers: { 'content-type': 'text/plain' }, body: '{}' },
      415,
    ],
  ])('refuses %s with an error in the shape of OpenAI', async (_name, path, init, status) => {
    const answer = await send(path, init)
    const { error } = JSON.parse(answer.text)
    expect([answer.status, typeof error.message, typeof error.type]).toEqual([
      status,
      'string',
      'string',
    ])
  })

  it('refuses a request that is too large', async () => {
    const answer = await send('/chat/completions', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: 'x'.repeat(33 * 1024 * 1024),
    }).catch(() => ({ status: 413 })) // The connection may close while the rest is still being sent.
    expect(answer.status).toBe(413)
  })

  it('refuses a host name that is not its own, and sends no CORS headers', async () => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const { port } = new URL(practice.url)
      httpRequest(
        { host: '127.0.0.1', port, path: '/v1/models', headers: { host: 'evil.example' } },
        (response) => {
          response.resume()
          resolve(response.statusCode)
        },
      )
        .on('error', reject)
        .end()
    })
    expect(status).toBe(403)
    const { headers } = await send('/models', { headers: { origin: 'https://evil.example' } })
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  })
})

describe('the practice model with tools', () => {
  const tools = [{ type: 'function', function: { name: 'read', parameters: { type: 'object' } } }]
  const user = (content: string) => ({ role: 'user', content })
  const wire = (id: string, name: string, args: string) => ({
    id,
    type: 'function',
    function: { name, arguments: args },
  })
  const calling = (...calls: readonly object[]) => ({ role: 'assistant', tool_calls: calls })
  const result = (id: string, content: string) => ({ role: 'tool', tool_call_id: id, content })
  const choice = async (messages: readonly object[], more: object = { tools }) => {
    const { status, text } = await ask('', { messages, ...more })
    const parsed = JSON.parse(text)
    return status === 200 ? parsed.choices[0] : { status, message: parsed.error.message }
  }

  it('makes the calls that /tool names, whole or streamed, with arguments as they stand there', async () => {
    const text = 'Look.\n/tool read {"path":"/fail 500"}\n  /tool other {"no json'
    const { message, finish_reason } = await choice([user(text)])
    const asked = message.tool_calls.map(({ function: call }: { function: object }) => call)
    expect([finish_reason, asked]).toEqual([
      'tool_calls',
      [
        { name: 'read', arguments: '{"path":"/fail 500"}' },
        { name: 'other', arguments: '{"no json' },
      ],
    ])
    expect(new Set(message.tool_calls.map(({ id }: { id: string }) => id)).size).toBe(2)

    const data = (await events(text, { tools })).slice(0, -2).map((json) => JSON.parse(json))
    expect(data.at(-1).choices[0].finish_reason).toBe('tool_calls')
    const joined = ['', '']
    for (const { choices } of data)
      for (const { index, function: piece } of choices[0].delta.tool_calls ?? [])
        joined[index] += `${piece.name === undefined ? '' : `${piece.name} `}${piece.arguments}`
    expect(joined).toEqual(['read {"path":"/fail 500"}', 'other {"no json'])
  })

  it('answers when it has the results, with what they are; after /again it calls once more', async () => {
    const asked = (text: string, rounds: number) => [
      user(text),
      ...Array.from({ length: rounds }, (_, n) => [
        calling(wire(`c${n}`, 'read', '{}')),
        result(`c${n}`, `text ${n}`),
      ]).flat(),
    ]
    const { message } = await choice(asked('/tool read {}', 1))
    expect(message.content).toContain('The tools gave:\n\n> text 0')
    const reasons = async (text: string, rounds: number) =>
      (await choice(asked(text, rounds))).finish_reason
    expect(await reasons('/again 2\n/tool read {}', 1)).toBe('tool_calls')
    expect(await reasons('/again 2\n/tool read {}', 2)).toBe('stop')
    expect(await reasons('/again\n/tool read {}', 9)).toBe('tool_calls')
  })

  it('says that no tool was offered, and says nothing beside its calls on /silent', async () => {
    const { message } = await choice([user('/tool read {}')], {})
    expect(message.content).toContain('No tool was offered')
    expect((await choice([user('/silent\n/tool read {}')])).message.content).toBe('')
  })

  it.each([
    ['a call without a result', [calling(wire('a', 'read', '{}')), user('next')], 'have none: a.'],
    [
      'a call without a result at the end',
      [user('x'), calling(wire('a', 'read', '{}'))],
      'have none: a.',
    ],
    ['a result without a call', [user('x'), result('a', 'x')], 'must follow the call "a", once.'],
    ['no calls', [calling(), user('x')], 'must not be empty.'],
    [
      'an id that is there twice',
      [
        calling(wire('a', 'read', '{}')),
        result('a', ''),
        calling(wire('a', 'read', '{}')),
        result('a', ''),
      ],
      'appears twice.',
    ],
    [
      'a name with a dot',
      [calling(wire('a', 'r.d', '{}')), result('a', '')],
      'is not a function name.',
    ],
    [
      'arguments that are no object',
      [calling(wire('a', 'read', '[]')), result('a', '')],
      'are not a JSON object.',
    ],
  ])('refuses %s, as strict providers do', async (_name, messages, words) => {
    const refusal = await choice(messages)
    expect(refusal.status).toBe(400)
    expect(refusal.message).toContain(words)
  })
})

describe('launching the practice model', () => {
  it('starts once for all who ask, and again after it was closed', async () => {
    const onDemand = practiceOnDemand(workerPath())
    const [first, second] = await Promise.all([onDemand.url(), onDemand.url()])
    expect(first).toBe(second)
    await onDemand.close()
    await expect(fetch(`${first}/models`)).rejects.toThrow()
    const again = await onDemand.url()
    expect((await fetch(`${again}/models`)).status).toBe(200)
    await onDemand.close()
    await onDemand.close()
  })

  it('says why when its port is taken', async () => {
    const port = Number(new URL(practice.url).port)
    await expect(launchPractice(workerPath(), { port })).rejects.toThrow(/EADDRINUSE/)
  })

  it('says so when its file is missing, and can be asked again', async () => {
    const onDemand = practiceOnDemand(`${workerPath()}.missing`)
    await expect(onDemand.url()).rejects.toThrow()
    await expect(onDemand.url()).rejects.toThrow()
    await onDemand.close()
  })
})
