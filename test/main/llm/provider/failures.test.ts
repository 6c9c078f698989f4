import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { ProviderError } from '../../../../src/main/llm/chat/provider'
import {
  type RequestTarget,
  refusalError,
  streamedRefusalError,
} from '../../../../src/main/llm/provider/failures'
import { openAiStream } from '../../../../src/main/llm/provider/openai'
import { scrubber } from '../../../../src/main/settings/base/scrub'
import { rawServer } from '../../../support/raw-server'

const key = 'sk-or-v1-0123456789abcdef'
const asked: RequestTarget = {
  host: 'openrouter.ai',
  model: 'some/model',
  withKey: true,
  scrub: scrubber(key),
}
const openAi = (message: string, more: object = {}) => ({ error: { message, ...more } })
const anthropic = (type: string, message: string) => ({ type: 'error', error: { type, message } })
const routed = (code: number, raw: unknown, more: object = {}) => ({
  error: {
    code,
    message: 'Provider returned error',
    metadata: { raw, provider_name: 'X', ...more },
  },
})

/** Bodies as providers send them, and what a person is told: the kind, and a part of the sentence. */
const table: readonly (readonly [number, unknown, string, RegExp])[] = [
  [400, openAi('Unknown parameter'), 'bad-request', /did not understand the request/],
  [400, openAi('Too long', { code: 'context_length_exceeded' }), 'too-long', /too long for/],
  [
    400,
    anthropic('invalid_request_error', 'prompt is too long: 210000 tokens'),
    'too-long',
    /long/,
  ],
  [
    400,
    anthropic('invalid_request_error', 'Your credit balance is too low to access the API.'),
    'no-credit',
    /no credit/,
  ],
  [400, openAi('The input token count (1200000) exceeds the maximum'), 'too-long', /too long/],
  [400, openAi('x is not a valid model ID', { code: 400 }), 'not-found', /does not know the model/],
  [400, openAi('Incorrect API key provided: x'), 'bad-key', /rejected the key/],
  [
    400,
    [{ error: { code: 400, message: 'API key not valid.', status: 'INVALID_ARGUMENT' } }],
    'bad-key',
    /rejected the key/,
  ],
  [400, openAi('Filtered', { code: 'content_filter' }), 'forbidden', /the moderation rejected it/],
  [
    400,
    openAi('Rejected', { type: 'invalid_request_error', code: 'content_policy_violation' }),
    'forbidden',
    /moderation/,
  ],
  [
    400,
    routed(400, '{"error":{"message":"maximum context length is 8192","code":"too_long"}}'),
    'too-long',
    /too long/,
  ],
  [401, openAi('User not found.', { code: 401 }), 'bad-key', /rejected the key/],
  [401, anthropic('authentication_error', 'invalid x-api-key'), 'bad-key', /the key/],
  [402, openAi('Insufficient credits', { code: 402 }), 'no-credit', /has no credit/],
  [403, anthropic('permission_error', 'Not allowed'), 'forbidden', /refused this request/],
  [403, openAi('Key limit exceeded (total limit)', { code: 403 }), 'no-credit', /no credit/],
  [
    403,
    {
      error: {
        code: 403,
        message: 'Your input was flagged',
        metadata: {
          reasons: ['violence', 'harassment'],
          flagged_input: '…',
          provider_name: 'OpenAI',
        },
      },
    },
    'forbidden',
    /the moderation of OpenAI, for: violence, harassment rejected it \(403\)/,
  ],
  [404, openAi('No endpoints found', { code: 404 }), 'not-found', /does not know the model/],
  [404, '<html>nginx</html>', 'not-found', /or nothing answers at this address/],
  [405, '', 'not-an-api', /does not offer a chat completions API/],
  [408, openAi('Timed out', { code: 408 }), 'server', /did not answer in time \(408\)/],
  [413, anthropic('request_too_large', 'Too large'), 'too-long', /too long for/],
  [422, { detail: [{ loc: ['body', 'messages'], msg: 'Field required' }] }, 'bad-request', /not/],
  [422, { message: 'x', type: 'invalid_request_error', code: '1' }, 'bad-request', /understand/],
  [
    429,
    openAi('Slow down', { code: 'rate_limit_exceeded' }),
    'rate-limited',
    /rate limited this request/,
  ],
  [429, openAi('You exceeded', { code: 'insufficient_quota' }), 'no-credit', /no credit/],
  [429, openAi('x', { code: 'billing_not_active' }), 'no-credit', /no credit/],
  [429, openAi('Request too large for gpt: TPM Limit 30000'), 'too-long', /too long/],
  [500, openAi('insufficient balance of luck'), 'server', /failed \(500\)/],
  [502, routed(502, 'upstream is gone'), 'server', /did not get an answer from the model/],
  [503, 'no healthy upstream', 'server', /is overloaded \(503\)/],
  [504, '<html>504</html>', 'server', /did not answer in time/],
  [529, anthropic('overloaded_error', 'Overloaded'), 'server', /is overloaded/],
]

describe('what a refusal means', () => {
  it.each(table)('%i %j is %s', (status, body, kind, words) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const { code, fault } = refusalError({ status, body: text }, asked)
    expect(code).toBe(kind)
    expect(fault.message).toMatch(words)
    expect(fault.message).toMatch(/\.$/)
    expect(fault.advice).toMatch(/\S \S.*\.$/)
    const passes = [408, 409, 429].includes(status) || status >= 500
    expect(fault.transient).toBe(passes && (kind === 'server' || kind === 'rate-limited'))
  })

  it('tells no key where none was sent', () => {
    const { fault } = refusalError({ status: 401, body: '' }, { ...asked, withKey: false })
    expect(fault.message).toBe('openrouter.ai needs a key.')
  })

  it.each([
    ['overloaded_error', 'server', true],
    ['rate_limit_error', 'rate-limited', true],
    ['authentication_error', 'bad-key', false],
    ['permission_error', 'forbidden', false],
    ['not_found_error', 'not-found', false],
    ['billing_error', 'no-credit', false],
    ['invalid_request_error', 'bad-request', false],
    ['api_error', 'server', true],
  ])('%s inside a stream, without a status, is %s', (type, kind, transient) => {
    const { code, fault } = streamedRefusalError({ type, message: 'It says so.' }, asked)
    expect([code, fault.transient, fault.response]).toEqual([kind, transient, 'It says so.'])
  })
})

describe("the provider's own words", () => {
  const responseOf = (body: unknown) =>
    refusalError({ status: 400, body: JSON.stringify(body) }, asked).fault.response

  it.each([
    ['text', 'plain words', 'Provider returned error\nplain words'],
    ['JSON as text', '{"error":{"message":"inner"}}', 'Provider returned error\ninner'],
    ['an object', { error: { message: 'inner' } }, 'Provider returned error\ninner'],
    ['an object of its own', { a: 1 }, 'Provider returned error\n{"a":1}'],
    ['blank', ' ', 'Provider returned error'],
    ['null', null, 'Provider returned error'],
  ])('are found in metadata.raw: %s', (_name, raw, expected) => {
    expect(responseOf(routed(400, raw))).toBe(expected)
  })

  it('are told once where a router repeats them, and not without an end', () => {
    expect(responseOf(routed(400, 'Provider returned error'))).toBe('Provider returned error')
    let body: object = { message: 'deepest' }
    for (let level = 0; level < 50; level++)
      body = { message: `level ${level}`, metadata: { raw: { error: body } } }
    const told = responseOf({ error: body })
    expect(told).toMatch(/^level 49\nlevel 48\nlevel 47\nlevel 46\n\{/)
    expect(told).toHaveLength(2000)
  })

  it('say what FastAPI misses, and where', () => {
    expect(
      responseOf({ detail: [{ loc: ['body', 'messages', 0], msg: 'Field required' }, 7] }),
    ).toBe('messages.0: Field required')
  })

  it('hold no key, in the reasons of a moderation neither, and are cut', () => {
    const body = JSON.stringify({
      error: { message: `x ${key}`, metadata: { reasons: [key, 'y'.repeat(999)] } },
    })
    const { fault } = refusalError({ status: 403, body }, asked)
    expect(JSON.stringify(fault)).not.toContain(key)
    expect(fault.message.length).toBeLessThan(450)
  })

  it.each([
    '',
    'null',
    '[]',
    '7',
    '"x"',
    '{"error":null}',
    '{"error":[]}',
    '{"error":{"code":{}}}',
  ])('may be missing: %s', (body) => {
    expect(refusalError({ status: 500, body }, asked).code).toBe('server')
  })
})

describe('how long to wait', () => {
  const waitOf = (error: object, retryAfterMs?: number) =>
    refusalError(
      {
        status: 429,
        body: JSON.stringify({ error }),
        ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      },
      asked,
    ).fault.retryAfterMs

  it('is read from the body where the headers do not tell', () => {
    expect(waitOf({ details: [{ '@type': 'x' }, { retryDelay: '34.5s' }] })).toBe(34_500)
    expect(waitOf({ metadata: { headers: { 'Retry-After': 12 } } })).toBe(12_000)
    expect(waitOf({ details: [{ retryDelay: '34s' }] }, 1000)).toBe(1000)
    expect(waitOf({ details: [{ retryDelay: 'soon' }] })).toBeUndefined()
    expect(waitOf({ details: [{ retryDelay: '-3s' }] })).toBeUndefined()
  })

  it('is a week at most', () => {
    expect(waitOf({ metadata: { headers: { 'retry-after': '9'.repeat(400) } } })).toBe(604_800_000)
  })
})

describe('over HTTP', () => {
  async function failing(status: number, body: object, headers: Record<string, string> = {}) {
    const server = await rawServer((response) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers })
      response.end(JSON.stringify(body))
    })
    try {
      const stream = openAiStream({ baseUrl: server.url, apiKey: key })
      const messages = [{ role: 'user', content: 'hi' }] as const
      for await (const _ of stream({ model: 'm', messages }, new AbortController().signal));
    } catch (error) {
      if (error instanceof ProviderError) return error
      throw error
    } finally {
      await server.close()
    }
    throw new Error('it did not fail')
  }

  it('a date in Retry-After is a wait', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 4, 1) })
    onTestFinished(() => void vi.useRealTimers())
    const at = new Date(Date.UTC(2026, 4, 1, 0, 0, 30)).toUTCString()
    const { code, fault } = await failing(429, openAi('Slow down'), { 'retry-after': at })
    expect([code, fault.transient]).toEqual(['rate-limited', true])
    expect(fault.retryAfterMs).toBe(30_000)
  })

  it('a moderation is told with its reasons', async () => {
    const metadata = { reasons: ['violence'], provider_name: 'OpenAI', flagged_input: 'x' }
    const { code, fault } = await failing(403, { error: { code: 403, message: 'No.', metadata } })
    expect([code, fault.transient, fault.response]).toEqual(['forbidden', false, 'No.'])
    expect(fault.message).toMatch(/the moderation of OpenAI, for: violence rejected it/)
  })
})
