import { afterEach, describe, expect, it } from 'vitest'
import { refusedParameter, wireParameters } from '../../../../src/main/llm/chat/parameters'
import type { ProviderEvent, ProviderRequest } from '../../../../src/main/llm/chat/provider'
import { openAiStream } from '../../../../src/main/llm/provider/openai'
import type { ApiParameters } from '../../../../src/main/settings/config/run-settings'
import { chunk, eventStream, type RawServer, rawServer } from '../../../support/raw-server'

const openRouter = 'https://openrouter.ai/api/v1'
const openAi = 'https://api.openai.com/v1'

describe('the parameters for an address', () => {
  const api: ApiParameters = {
    temperature: 0,
    stop: ['END'],
    cache_prompt: true,
    reasoning: { effort: 'low' },
  }
  const plain = { temperature: 0, stop: ['END'] }

  it.each([
    [openRouter, { ...plain, cache_prompt: true, reasoning: { effort: 'low' } }],
    ['http://127.0.0.1:8080/v1', { ...plain, cache_prompt: true, reasoning: { effort: 'low' } }],
    [openAi, { ...plain, reasoning_effort: 'low' }],
    ['https://api.mistral.ai/v1', { ...plain, reasoning: { effort: 'low' } }],
  ])('of %s are those that it may know', (baseUrl, expected) => {
    const apiAsked = new Set(['temperature', 'stop', 'cache_prompt', 'reasoning'] as const)
    expect(wireParameters({ api, apiAsked }, baseUrl)).toEqual(expected)
  })

  it('hold no reasoning where nothing of it is set, or OpenAI could not say it', () => {
    const apiAsked = new Set(['reasoning', 'cache_prompt'] as const)
    const wire = (one: ApiParameters, baseUrl: string) =>
      wireParameters({ api: one, apiAsked }, baseUrl)
    expect(wire({ reasoning: {} }, openRouter)).toEqual({})
    expect(wire({ reasoning: { max_tokens: 100 } }, openAi)).toEqual({})
    expect(wire({ cache_prompt: false }, openRouter)).toEqual({ cache_prompt: false })
  })

  it('are what was asked for: chibi’s defaults go to OpenRouter alone', () => {
    const apiAsked = new Set(['temperature'] as const)
    expect(wireParameters({ api, apiAsked }, 'http://localhost:11434/v1')).toEqual({
      temperature: 0,
    })
    expect(wireParameters({ api, apiAsked }, openRouter)).toEqual(api)
  })
})

describe('a parameter that a server refuses', () => {
  const sent = [
    'temperature',
    'max_tokens',
    'stop',
    'reasoning',
    'top_p',
    'cache_prompt',
    'presence_penalty',
  ]
  it.each([
    ["Unsupported parameter: 'max_tokens' is not supported with this model.", 'max_tokens'],
    ["Unsupported value: 'temperature' does not support 0 with this model.", 'temperature'],
    ['Unrecognized request argument supplied: cache_prompt', 'cache_prompt'],
    ['Unrecognized request argument supplied: reasoning', 'reasoning'],
    ["property 'reasoning' is unsupported", 'reasoning'],
    ['{"loc":["body","top_p"],"msg":"Extra inputs are not permitted"}', 'top_p'],
    ['Argument not supported on this model: presencePenalty', 'presence_penalty'],
    ['Model grok-4 does not support parameter reasoningEffort.', 'reasoning'],
    ['The model will stop at a low temperature.', undefined],
    ['Something else is wrong.', undefined],
  ])('is found in %s', (words, expected) => {
    expect(refusedParameter(words, sent)).toBe(expected)
  })
})

describe('against a server that refuses by name', () => {
  let server: RawServer | undefined
  afterEach(() => server?.close())

  /** Answers only a body that holds none of these; refuses the first that it does. */
  async function refusing(...names: readonly string[]): Promise<RawServer> {
    server = await rawServer((response, { body }) => {
      const bad = names.find((name) => name in JSON.parse(body))
      response.writeHead(bad === undefined ? 200 : 400, {
        'content-type': bad === undefined ? 'text/event-stream' : 'application/json',
      })
      const refusal = JSON.stringify({ error: { message: `Unsupported parameter: '${bad}'.` } })
      response.end(bad === undefined ? eventStream(chunk({ content: 'hi' }, 'stop')) : refusal)
    })
    return server
  }
  async function hear(stream: ReturnType<typeof openAiStream>, more: Partial<ProviderRequest>) {
    const events: ProviderEvent[] = []
    const request = { model: 'm', messages: [{ role: 'user', content: 'x' }], ...more } as const
    for await (const event of stream(request, new AbortController().signal)) events.push(event)
    return events.filter(({ type }) => type !== 'finish')
  }
  const bodies = () => (server?.seen ?? []).map(({ body }) => JSON.parse(body))

  it('leaves it out, tells it, and does not send it again', async () => {
    const stream = openAiStream({ baseUrl: (await refusing('top_p', 'seed')).url })
    const parameters = { temperature: 0.5, top_p: 1, seed: 7 }
    const told = [
      { type: 'without-parameter', name: 'top_p' },
      { type: 'without-parameter', name: 'seed' },
      { type: 'content', text: 'hi' },
    ]
    expect(await hear(stream, { parameters })).toEqual(told)
    expect(await hear(stream, { parameters })).toEqual(told)
    expect(bodies()).toHaveLength(4)
    expect(bodies().at(-1)).toEqual({
      model: 'm',
      messages: [{ role: 'user', content: 'x' }],
      temperature: 0.5,
      stream: true,
      stream_options: { include_usage: true },
    })
  })

  it('sends the limit of the answer under the name that newer models want', async () => {
    const stream = openAiStream({ baseUrl: (await refusing('max_tokens')).url })
    await hear(stream, { parameters: { max_tokens: 50 } })
    expect(bodies().map((body) => [body.max_tokens, body.max_completion_tokens])).toEqual([
      [50, undefined],
      [undefined, 50],
    ])
  })

  it('gives up where it still refuses, with the server’s own words', async () => {
    const stream = openAiStream({ baseUrl: (await refusing('messages')).url })
    await expect(hear(stream, { parameters: { top_p: 1 } })).rejects.toMatchObject({
      code: 'bad-request',
    })
    // Once more without all that nobody needs: the words name nothing that was sent.
    expect(bodies()).toHaveLength(2)
  })

  it('sends words about tools with tools alone', async () => {
    server = await rawServer((response, { body }) => {
      const refuses = 'tools' in JSON.parse(body)
      response.writeHead(refuses ? 400 : 200, {
        'content-type': refuses ? 'application/json' : 'text/event-stream',
      })
      const refusal = '{"error":{"message":"m does not support tools"}}'
      response.end(refuses ? refusal : eventStream(chunk({ content: 'hi' }, 'stop')))
    })
    const parameters = { parallel_tool_calls: true, tool_choice: 'auto' }
    const tools = [{ name: 'read', description: 'reads', parameters: { type: 'object' } }]
    await hear(openAiStream({ baseUrl: server.url }), { parameters, tools })
    expect(bodies().map((body) => [body.parallel_tool_calls, body.tool_choice])).toEqual([
      [true, 'auto'],
      [undefined, undefined],
    ])
  })

  it('asks again without images where the model sees nothing, and tells it', async () => {
    server = await rawServer((response, { body }) => {
      const refuses = body.includes('image_url')
      response.writeHead(refuses ? 404 : 200, {
        'content-type': refuses ? 'application/json' : 'text/event-stream',
      })
      const refusal = '{"error":{"message":"No endpoints found that support image input"}}'
      response.end(refuses ? refusal : eventStream(chunk({ content: 'hi' }, 'stop')))
    })
    const told = await hear(openAiStream({ baseUrl: server.url }), {
      messages: [{ role: 'user', content: 'See', images: ['data:image/png;base64,AA'] }],
    })
    expect(bodies()[0].messages[0].content).toEqual([
      { type: 'text', text: 'See' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } },
    ])
    expect(told[0]).toEqual({ type: 'without-parameter', name: 'images' })
    expect(bodies().at(-1).messages).toEqual([{ role: 'user', content: 'See\n(an image)' }])
  })
})
