import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import type {
  ChatMessage,
  ProviderEvent,
  ProviderRequest,
  ProviderStream,
} from '../../../../src/main/llm/chat/provider'
import { openAiStream } from '../../../../src/main/llm/provider/openai'
import {
  type AdjustmentMemory,
  openAdjustmentMemory,
} from '../../../../src/main/settings/stored/request-adjustments'
import { chunk, eventStream, type RawServer, rawServer } from '../../../support/raw-server'
import { tempFolders } from '../../../support/temp-folder'

const folder = tempFolders()
const servers: RawServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

interface WireMessage {
  readonly role: string
  readonly content: unknown
  readonly tool_calls?: readonly { readonly id: string }[]
  readonly tool_call_id?: string
}
interface WireBody {
  readonly messages: readonly WireMessage[]
  readonly tools?: unknown
  readonly [name: string]: unknown
}
type Rule = (body: WireBody) => string | undefined

/** A server that refuses what a rule has words for, and answers everything else. */
async function strict(rule: Rule, status = 400): Promise<RawServer> {
  const server = await rawServer((response, { body }) => {
    const words = rule(JSON.parse(body))
    response.writeHead(words === undefined ? 200 : status, {
      'content-type': words === undefined ? 'text/event-stream' : 'application/json',
    })
    response.end(
      words === undefined
        ? eventStream(chunk({ content: 'hi' }, 'stop'))
        : JSON.stringify({ error: { message: words, type: 'invalid_request_error' } }),
    )
  })
  servers.push(server)
  return server
}

async function told(stream: ProviderStream, more: Partial<ProviderRequest> = {}) {
  const events: ProviderEvent[] = []
  const request = { model: 'm', messages: [system, hello], ...more }
  for await (const event of stream(request, new AbortController().signal)) events.push(event)
  return events.flatMap((event) =>
    event.type === 'adapted'
      ? [event.way]
      : event.type === 'without-tools'
        ? ['tools']
        : event.type === 'without-parameter'
          ? [event.name]
          : event.type === 'content'
            ? [event.text]
            : [],
  )
}
const bodies = (server: RawServer): WireBody[] => server.seen.map(({ body }) => JSON.parse(body))
const lastOf = (server: RawServer) => bodies(server).at(-1)?.messages

const system: ChatMessage = { role: 'system', content: 'Be brief.' }
const hello: ChatMessage = { role: 'user', content: 'Hello' }
const answer: ChatMessage = { role: 'assistant', content: 'Hi.' }
const id = 'call_PTLP8xhu3uwZk4l3nlnrrJha'
const called: ChatMessage = {
  role: 'assistant',
  tool_calls: [{ id, type: 'function', function: { name: 'read', arguments: '{"at":1}' } }],
}
const result: ChatMessage = { role: 'tool', tool_call_id: id, content: '' }
const tools = [{ name: 'read', description: 'reads', parameters: { type: 'object' } }]

const roles = (body: WireBody) => body.messages.map(({ role }) => role)
const isInTurn = (body: WireBody) =>
  roles(body).every((role, at) => role === (at % 2 === 0 ? 'user' : 'assistant'))

describe('a server that refuses', () => {
  const alternate = 'Conversation roles must alternate user/assistant/user/assistant/...'
  const cases: readonly {
    readonly what: string
    readonly messages: readonly ChatMessage[]
    readonly rule: Rule
    readonly status?: number
    readonly offers?: boolean
    readonly expected: readonly string[]
    readonly sent: readonly object[]
  }[] = [
    {
      what: 'the role "system", and wants "developer"',
      messages: [system, hello],
      rule: (body) =>
        roles(body).includes('system')
          ? "Unsupported value: 'messages[0].role' does not support 'system' with this model."
          : undefined,
      expected: ['system-as-developer'],
      sent: [{ role: 'developer', content: 'Be brief.' }, hello],
    },
    {
      what: 'both "system" and "developer"',
      messages: [system, hello],
      rule: (body) => {
        const bad = roles(body).find((role) => role === 'system' || role === 'developer')
        return bad === undefined
          ? undefined
          : `Unsupported value: 'messages[0].role' does not support '${bad}' with this model.`
      },
      expected: ['system-as-user'],
      sent: [{ role: 'user', content: 'Be brief.\n\nHello' }],
    },
    {
      what: 'a system prompt before an image',
      messages: [system, { role: 'user', content: '', images: ['data:image/png;base64,AA'] }],
      rule: (body) =>
        roles(body).includes('system')
          ? 'Developer instruction is not enabled for models/gemma-3-27b-it'
          : undefined,
      expected: ['system-as-user'],
      sent: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Be brief.' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } },
          ],
        },
      ],
    },
    {
      what: 'a system prompt by an exception of its template, with status 500',
      messages: [system, hello],
      status: 500,
      rule: (body) => (isInTurn(body) ? undefined : `${alternate} at row 19, column 27`),
      expected: ['system-as-user'],
      sent: [{ role: 'user', content: 'Be brief.\n\nHello' }],
    },
    {
      what: 'a conversation that begins with an answer',
      messages: [system, answer, hello],
      rule: (body) =>
        roles(body)[1] === 'assistant'
          ? 'messages: first message must use the "user" role'
          : undefined,
      expected: ['user-first'],
      sent: [system, { role: 'user', content: '(The conversation began earlier.)' }, answer, hello],
    },
    {
      what: 'a conversation that ends with an answer',
      messages: [hello, answer],
      rule: (body) =>
        roles(body).at(-1) === 'assistant'
          ? 'This model does not support assistant message prefill. The conversation must end with a user message.'
          : undefined,
      expected: ['user-last'],
      sent: [hello, answer, { role: 'user', content: '(Go on.)' }],
    },
    {
      what: 'long ids of calls',
      messages: [hello, called, { ...result, content: 'x' }],
      rule: ({ messages }) => {
        const bad = messages
          .flatMap((one) => one.tool_calls?.map((call) => call.id) ?? one.tool_call_id ?? [])
          .find((one) => !/^[A-Za-z0-9]{9}$/.test(one))
        return bad === undefined
          ? undefined
          : `Tool call id was ${bad} but must be a-z, A-Z, 0-9, with a length of 9.`
      },
      expected: ['short-call-ids'],
      sent: [
        hello,
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            {
              id: 'f043b1c1f',
              type: 'function',
              function: { name: 'read', arguments: '{"at":1}' },
            },
          ],
        },
        { role: 'tool', tool_call_id: 'f043b1c1f', content: 'x' },
      ],
    },
    {
      what: 'messages without words',
      messages: [hello, called, result],
      rule: ({ messages }) =>
        messages.some(({ content }) => content === '')
          ? 'messages: text content blocks must be non-empty'
          : undefined,
      expected: ['no-empty-content'],
      sent: [hello, { ...called, content: '(no words)' }, { ...result, content: '(no words)' }],
    },
    {
      what: 'null for no words',
      messages: [hello, called, result],
      rule: ({ messages }) =>
        messages.some(({ content }) => content === null)
          ? "Invalid value for 'content': expected a string, got null."
          : undefined,
      expected: ['no-null-content'],
      sent: [hello, { ...called, content: '' }, result],
    },
    {
      what: 'the role "tool"',
      messages: [hello, called, { ...result, content: 'x' }],
      rule: (body) =>
        roles(body).includes('tool') ? 'Only user and assistant roles are supported!' : undefined,
      expected: ['calls-as-words'],
      sent: [
        hello,
        { role: 'assistant', content: '(Called the tool read with {"at":1})' },
        { role: 'user', content: '(Result of the tool)\nx' },
      ],
    },
    {
      what: 'the schema of a tool',
      messages: [hello],
      offers: true,
      rule: ({ tools: offered }) =>
        offered === undefined
          ? undefined
          : `Invalid JSON payload received. Unknown name "additionalProperties" at 'tools[0].function_declarations[0].parameters': Cannot find field.`,
      expected: ['tools'],
      sent: [hello],
    },
  ]
  it.each(cases)('$what is asked once more otherwise', async (one) => {
    const server = await strict(one.rule, one.status)
    const stream = openAiStream({ baseUrl: server.url })
    const request = { messages: one.messages, ...(one.offers === true ? { tools } : {}) }
    expect(await told(stream, request)).toEqual([...one.expected, 'hi'])
    expect(lastOf(server)).toEqual(one.sent)
    const first = server.seen.length
    // What helped is sent so at once.
    expect(await told(stream, request)).toEqual([...one.expected, 'hi'])
    expect(server.seen.length - first).toBe(1)
  })

  it('tells of no change where a request has nothing that would be changed', async () => {
    const server = await strict((body) =>
      roles(body).includes('system') ? 'System role not supported' : undefined,
    )
    const stream = openAiStream({ baseUrl: server.url })
    expect(await told(stream)).toEqual(['system-as-user', 'hi'])
    expect(await told(stream, { messages: [hello] })).toEqual(['hi'])
  })

  it('a request and does not say why gets less and less of it, and its own words are told at the end', async () => {
    const server = await strict(({ tools: offered }) =>
      offered === undefined ? undefined : 'Bad Request',
    )
    const request = { parameters: { top_p: 1 }, tools, messages: [system, answer, hello] }
    const stream = openAiStream({ baseUrl: server.url })
    expect(await told(stream, request)).toEqual(['tools', 'top_p', 'system-as-user', 'hi'])
    expect(bodies(server).map((body) => Object.keys(body).length)).toEqual([6, 4, 4, 4, 3])

    const never = await strict(() => 'Bad Request')
    await expect(told(openAiStream({ baseUrl: never.url }), request)).rejects.toMatchObject({
      code: 'bad-request',
      fault: { response: 'Bad Request' },
    })
    expect(never.seen).toHaveLength(5)
  })

  it('inside of a 200, in a stream or as a document, is asked once more otherwise', async () => {
    for (const isStream of [true, false]) {
      const server = await rawServer((response, { body }) => {
        const isRefused = roles(JSON.parse(body)).includes('system')
        const error = { error: { message: 'System role not supported', code: 400 } }
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        if (isRefused) response.end(isStream ? eventStream(error) : JSON.stringify(error))
        else response.end(eventStream(chunk({ content: 'hi' }, 'stop')))
      })
      servers.push(server)
      const stream = openAiStream({ baseUrl: server.url })
      expect(await told(stream)).toEqual(['system-as-user', 'hi'])
      expect(server.seen).toHaveLength(2)
    }
  })

  it('a page of a gateway is no reason to ask otherwise', async () => {
    const server = await rawServer((response) => {
      response.writeHead(400, { 'content-type': 'text/html' })
      response.end('<html><body><h1>Bad Request</h1></body></html>')
    })
    servers.push(server)
    const request = { parameters: { top_p: 1 }, tools }
    await expect(told(openAiStream({ baseUrl: server.url }), request)).rejects.toMatchObject({
      fault: { status: 400 },
    })
    expect(server.seen).toHaveLength(1)
  })

  it.each([401, 402, 404, 429, 503])(
    'a request with status %i is not asked otherwise',
    async (status) => {
      const server = await strict(() => 'No.', status)
      await expect(
        told(openAiStream({ baseUrl: server.url }), { parameters: { top_p: 1 }, tools }),
      ).rejects.toMatchObject({ fault: { status } })
      expect(server.seen).toHaveLength(1)
    },
  )
})

describe('what helped', () => {
  const day = 86_400_000
  let now = 1_800_000_000_000

  function memoryIn(at: string): AdjustmentMemory {
    return openAdjustmentMemory(nodeDisk, at, () => now)
  }
  const noSystem = () =>
    strict((body) => (roles(body).includes('system') ? 'System role not supported' : undefined))

  it('is kept for that model at that address, for a week or until it is forgotten', async () => {
    const cache = folder()
    const server = await noSystem()
    const ask = (model = 'm') =>
      told(openAiStream({ baseUrl: server.url }, { memory: memoryIn(cache) }), { model })
    const requests = async (work: () => Promise<unknown>) => {
      const before = server.seen.length
      await work()
      return server.seen.length - before
    }
    expect(await requests(ask)).toBe(2)
    expect(await requests(ask)).toBe(1)
    expect(await requests(() => ask('another'))).toBe(2)
    expect(await memoryIn(cache).models(server.url)).toEqual(['another', 'm'])
    now += 7 * day
    expect(await memoryIn(cache).models(server.url)).toEqual([])
    expect(await requests(ask)).toBe(2)
    await memoryIn(cache).forget(server.url)
    expect(await requests(ask)).toBe(2)
  })

  it('is not kept where the server did not say what it refused, and something had to go', async () => {
    const cache = folder()
    const server = await strict(({ tools: offered }) =>
      offered === undefined ? undefined : 'Bad Request',
    )
    await told(openAiStream({ baseUrl: server.url }, { memory: memoryIn(cache) }), { tools })
    expect(
      (await memoryIn(cache).read(server.url, 'm')).filter(({ type }) => type === 'without'),
    ).toEqual([])
  })

  it('is told again by the server where the file is damaged', async () => {
    const cache = folder()
    const server = await noSystem()
    const ask = () => told(openAiStream({ baseUrl: server.url }, { memory: memoryIn(cache) }))
    await ask()
    const own = path.join(cache, 'concessions')
    const [file = ''] = await readdir(own)
    expect(await readFile(path.join(own, file), 'utf8')).toContain('system-as-user')
    await writeFile(path.join(own, file), '{"version":1,')
    expect(await ask()).toEqual(['system-as-user', 'hi'])
    expect(server.seen).toHaveLength(4)
  })
})
