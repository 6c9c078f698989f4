import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  eventText,
  type OutputItem,
  responseEvents,
  wholeItems,
  wholeResponse,
} from '../../../support/responses-events'
import { sentAnyhow } from '../support/sent-anyhow'
import { hearResponse } from './responses-heard'

const usage = {
  input_tokens: 10,
  input_tokens_details: { cached_tokens: 4 },
  output_tokens: 7,
  output_tokens_details: { reasoning_tokens: 2 },
  total_tokens: 17,
}
const told = { type: 'usage', usage: { input: 10, output: 7, cached: 4, reasoning: 2 } }
const words = '# 花園 and <think> in a sentence'
const items: readonly OutputItem[] = [
  { type: 'reasoning', summary: ['Hm 考 <b>', 'Then 🌱.'], encrypted: 'gAAAA=' },
  {
    type: 'message',
    text: words,
    phase: 'commentary',
    annotations: [
      { type: 'url_citation', url: 'https://a.test/', title: 'A', start_index: 0, end_index: 4 },
    ],
  },
  { type: 'call', id: 'call_1', name: 'look', arguments: '{"at":"ü"}' },
  { type: 'call', id: 'call_2', name: 'look', arguments: '{"at":"b"}' },
]
const events = responseEvents(items, { model: 'gpt', usage })
const right = {
  content: words,
  reasoning: 'Hm 考 <b>\n\nThen 🌱.',
  code: undefined,
  words: undefined,
  others: [
    { type: 'model', model: 'gpt' },
    { type: 'citations', citations: [{ url: 'https://a.test/', title: 'A' }] },
    told,
    {
      type: 'returned',
      returned: {
        server: '127.0.0.1',
        fields: {
          response_output: [
            {
              type: 'reasoning',
              id: 'rs_0',
              summary: [
                { type: 'summary_text', text: 'Hm 考 <b>' },
                { type: 'summary_text', text: 'Then 🌱.' },
              ],
              encrypted_content: 'gAAAA=',
            },
            { type: 'message', length: words.length, phase: 'commentary' },
            { type: 'function_call', call_id: 'call_1' },
            { type: 'function_call', call_id: 'call_2' },
          ],
        },
      },
    },
    {
      type: 'calls',
      calls: [
        { id: 'call_1', name: 'look', arguments: '{"at":"ü"}' },
        { id: 'call_2', name: 'look', arguments: '{"at":"b"}' },
      ],
    },
    { type: 'finish', reason: 'tool-calls' },
  ],
}

const heartbeats = [
  ': still here\n\n',
  'data:\n\n',
  'data: null\n\n',
  'event: ping\ndata: ping\n\n',
  'event: keepalive\ndata: {"type":"keepalive","sequence_number":3}\n\n',
  'event: tool.progress\ndata: {"half\n\n',
  'data: {"error":""}\n\n',
  'event: response.queued\ndata: {"type":"response.queued","sequence_number":1}\n\n',
  eventText({ type: 'response.web_search_call.searching', item_id: 'ws_9', output_index: 9 }),
  'id: 7\nretry: 10\n\n',
  '\n\n',
]

describe('an answer of the Responses API', () => {
  it('is the same however it is cut, with heartbeats anywhere, by any content type', async () => {
    const withDone = [...events, 'data: [DONE]\n\n']
    const sent = fc.oneof(sentAnyhow(events, heartbeats), sentAnyhow(withDone, heartbeats))
    await fc.assert(
      fc.asyncProperty(sent, async ({ pieces, contentType }) => {
        expect(await hearResponse(pieces, contentType)).toEqual(right)
      }),
      { numRuns: 60 },
    )
  })

  it('is never taken for whole where it is cut before its end, whether it closes or breaks', async () => {
    const bytes = new TextEncoder().encode(events.join(''))
    const end = bytes.length - 2 // Behind the JSON of the last event nothing but blank lines comes.
    for (let cut = 0; cut < end; cut += cut < bytes.length - 600 ? 97 : 3)
      for (const way of ['closes', 'breaks'] as const) {
        const heard = await hearResponse([bytes.subarray(0, cut)], 'text/event-stream', way)
        expect({ cut, way, code: heard.code }).not.toEqual({ cut, way, code: undefined })
        expect(right.content.startsWith(heard.content)).toBe(true)
      }
  })

  it('is whole behind its last event, also where the connection breaks there', async () => {
    expect(await hearResponse(events, 'text/event-stream', 'breaks')).toEqual(right)
  })

  it('is read from one document, as a server without a stream sends it', async () => {
    const whole = JSON.stringify(wholeResponse(items, { model: 'gpt', usage }))
    const heard = await hearResponse([whole], 'application/json')
    const byType = (all: readonly { readonly type: string }[]) =>
      [...all].sort((a, b) => (a.type < b.type ? -1 : 1))
    expect({ ...heard, others: byType(heard.others) }).toEqual({
      ...right,
      others: byType(right.others),
    })
  })

  it.each([
    ['the last event alone', (type: string) => /completed/.test(type)],
    ['whole items alone', (type: string) => /item\.done|completed/.test(type)],
    ['deltas without whole texts', (type: string) => !/(text|part|arguments)\.done/.test(type)],
    ['no beginnings', (type: string) => !/added|created|in_progress/.test(type)],
  ])('is the same from %s', async (_, isSent) => {
    const some = events.filter((event) => isSent(/^event: (\S+)/.exec(event)?.[1] ?? ''))
    const heard = await hearResponse(some)
    const { content, reasoning, code } = heard
    expect({ content, reasoning, code }).toEqual({
      content: right.content,
      reasoning: right.reasoning,
      code: undefined,
    })
    const told = (type: string) => heard.others.find((one) => one.type === type)
    for (const type of ['calls', 'returned', 'finish', 'citations'])
      expect(told(type)).toEqual(right.others.find((one) => one.type === type))
  })

  it('is the same where the response at the end counts its items otherwise', async () => {
    const last = wholeResponse(items, { model: 'gpt', usage })
    const [, ...output] = wholeItems(items)
    const response = { ...last, output }
    const end = eventText({ type: 'response.completed', response })
    expect(await hearResponse([...events.slice(0, -1), end])).toEqual(right)
  })

  describe('whose items are misnumbered counts each word and each call once', () => {
    const several: readonly OutputItem[] = [
      { type: 'reasoning', summary: ['Hm'], encrypted: 'gAAAA=' },
      { type: 'message', text: 'One. ' },
      { type: 'message', text: 'Two.' },
      { type: 'call', id: 'call_1', name: 'look', arguments: '{"at":"a"}' },
      { type: 'call', id: 'call_2', name: 'look', arguments: '{"at":"b"}' },
    ]
    const streamed = responseEvents(several)
    const ending = (output: readonly object[]) =>
      eventText({
        type: 'response.completed',
        response: { ...wholeResponse(several), output },
      })
    const whole = wholeItems(several)
    const renumbered = (number: string) =>
      streamed.map((event) => event.replace(/"output_index":\d+,?/g, number))
    const withoutIds = (all: readonly string[]) =>
      all.map((event) => event.replace(/"(item_)?id":"[^"]+",?/g, ''))
    const repeatedId = (all: readonly string[]) =>
      all.map((event) => event.replaceAll('call_2', 'call_1'))

    it.each([
      ['all with the same number', renumbered('"output_index":0,')],
      ['without numbers and ids', withoutIds(renumbered(''))],
      ['fewer at the end', [...streamed.slice(0, -1), ending(whole.slice(2))]],
      ['in another order at the end', [...streamed.slice(0, -1), ending([...whole].reverse())]],
      ['nothing at the end', [...streamed.slice(0, -1), ending([])]],
      ['two calls under one id', repeatedId(streamed)],
    ])('%s', async (_, pieces) => {
      const { content, reasoning, others } = await hearResponse(pieces)
      const told = others.flatMap((event) => (event.type === 'calls' ? event.calls : []))
      expect({ content, reasoning, told: told.map((call) => call.arguments) }).toEqual({
        content: 'One. Two.',
        reasoning: 'Hm',
        told: ['{"at":"a"}', '{"at":"b"}'],
      })
    })
  })

  it('is the same where the type stands in the name of the event alone', async () => {
    const bare = events.map((event) => event.replace(/"type":"response\.[a-z_.]+",?/, ''))
    expect(await hearResponse(bare)).toEqual(right)
  })

  it('is the same with another id in each event, and with ids alone', async () => {
    let made = 0
    const changing = events.map((event) =>
      event.replace(/"item_id":"[^"]+"/g, () => `"item_id":"id_${++made}"`),
    )
    expect(await hearResponse(changing)).toEqual(right)
    const unnumbered = events.map((event) => event.replace(/"output_index":\d+,?/g, ''))
    const { content, others } = await hearResponse(unnumbered)
    expect(content).toBe(right.content)
    expect(others.find(({ type }) => type === 'calls')).toEqual(right.others.at(-2))
  })
})

describe('the end of a Responses answer', () => {
  const hello: readonly OutputItem[] = [{ type: 'message', text: 'Hello' }]
  const finishOf = async (pieces: readonly string[]) => {
    const { content, code, words, others } = await hearResponse(pieces)
    return { content, code, words, finish: others.find(({ type }) => type === 'finish') }
  }

  it.each([
    ['max_output_tokens', 'length'],
    ['content_filter', 'filtered'],
    ['solar_flare', 'broken'],
  ])('marks an incomplete one: %s', async (incomplete, reason) => {
    const { content, finish } = await finishOf(responseEvents(hello, { incomplete }))
    expect(content).toBe('Hello')
    expect(finish).toMatchObject({ type: 'finish', reason })
  })

  it('marks one that was cancelled', async () => {
    const last = { type: 'response.cancelled', response: { object: 'response', output: [] } }
    const pieces = [...responseEvents(hello).slice(0, -1), eventText(last)]
    expect((await finishOf(pieces)).finish).toMatchObject({ reason: 'broken', word: 'cancelled' })
  })

  const failed = (error: unknown) =>
    eventText({
      type: 'response.failed',
      response: { object: 'response', status: 'failed', error, output: [] },
    })
  const begun = responseEvents(hello).slice(0, 5).join('')
  it.each([
    ['with words', failed({ code: 'server_error', message: 'The garden is flooded.' })],
    ['an error event', eventText({ type: 'error', code: 'x', message: 'The garden is flooded.' })],
    ['a nested one', 'data: {"type":"error","error":{"message":"The garden is flooded."}}\n\n'],
    ['a gateway’s', 'data: {"error":{"message":"The garden is flooded.","code":502}}\n\n'],
  ])('is a failure where it fails, and what came is kept: %s', async (_, last) => {
    const heard = await finishOf([begun, last])
    expect(heard.content).toBe('Hell')
    expect(heard.code).not.toBe(undefined)
    expect(heard.words).toContain('The garden is flooded.')
  })

  it('is a failure behind the last event too, and without a word', async () => {
    const error = eventText({ type: 'error', message: 'The garden is flooded.' })
    expect((await finishOf([...responseEvents(hello), error])).code).toBeDefined()
    expect((await finishOf([begun, failed(null)])).code).toBeDefined()
  })
})

describe('what else a Responses answer may hold', () => {
  it('is a refusal as words, thoughts as text, an image, and an answer in the other API', async () => {
    const refused = await hearResponse(responseEvents([{ type: 'refusal', text: 'I will not.' }]))
    expect(refused.content).toBe('I will not.')
    const thought = await hearResponse(
      responseEvents([
        { type: 'thoughts', text: 'Let me see.' },
        { type: 'message', text: 'Seen.' },
      ]),
    )
    expect(thought).toMatchObject({ content: 'Seen.', reasoning: 'Let me see.' })
    const painted = await hearResponse(
      responseEvents([
        { type: 'image', result: 'iVBORw0KGgo=' },
        { type: 'message', text: 'Painted.' },
      ]),
    )
    expect(painted.others).toContainEqual({
      type: 'media',
      media: [{ kind: 'image', url: 'data:image/png;base64,iVBORw0KGgo=' }],
    })
    const chat = await hearResponse([
      'data: {"choices":[{"index":0,"delta":{"content":"Chat."}}]}\n\n',
      'data: [DONE]\n\n',
    ])
    expect(chat).toMatchObject({ content: 'Chat.', code: undefined })
  })

  it('keeps nothing to give back of words and calls alone, nor of reasoning that is empty', async () => {
    const plain = responseEvents([
      { type: 'reasoning', summary: [] },
      { type: 'message', text: 'Hello' },
      { type: 'call', id: 'c', name: 'f', arguments: '{}' },
    ])
    const { others } = await hearResponse(plain)
    expect(others.map(({ type }) => type)).not.toContain('returned')
  })
})
