import fs from 'node:fs'
import path from 'node:path'
import { LLMock } from '@copilotkit/aimock'
import { afterEach, describe, expect, it } from 'vitest'
import { checkHome } from '../../../support/chibi-checker/home'
import { onePoint } from '../../../support/images'
import { type RawServer, rawServer } from '../../../support/raw-server'
import { type OutputItem, responseEvents, wholeResponse } from '../../../support/responses-events'
import { responsesRules } from '../../../support/strict-responses'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'
import { gardenIn } from '../sent/garden'
import { realRun } from '../support/real-run'

const temp = tempFolders(memoryFolder)
const bean = { name: 'bean.png', bytes: onePoint }
const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

type Body = Readonly<Record<string, unknown>> & {
  readonly input: readonly Record<string, unknown>[]
}
type Answer = readonly OutputItem[] | { readonly status: number; readonly body: object }

/** A server of the Responses API that answers as the test says, and a garden that is set to it. */
async function responsesGarden(answer: (body: Body, index: number) => Answer) {
  const server = await rawServer((response, { path: target, body }, index) => {
    if (target !== '/v1/responses') {
      response.writeHead(404).end()
      return
    }
    const told = answer(JSON.parse(body), index)
    if ('status' in told)
      response
        .writeHead(told.status, { 'content-type': 'application/json' })
        .end(JSON.stringify(told.body))
    else
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .end(responseEvents(told, { model: 'practice', usage: { input_tokens: 5 } }).join(''))
  })
  closing.push(() => server.close())
  const home = path.join(temp(), 'home')
  const garden = gardenIn(home, server)
  garden.put('config.toml', '[api]\nprotocol = "responses"\n')
  return { ...garden, bodies: () => bodiesOf(server) }
}

function bodiesOf(server: RawServer): readonly Body[] {
  return server.seen.map(({ body }) => JSON.parse(body))
}

const reasoning = (encrypted: string): OutputItem => ({
  type: 'reasoning',
  summary: ['Thinking.'],
  encrypted,
})
/** Thinks, calls a tool, thinks again, and speaks: first with words before the call. */
const thinksAndCalls = ({ input }: Body): readonly OutputItem[] => {
  const turns = input.filter(({ type }) => type === 'function_call_output').length
  if (input.at(-1)?.type === 'function_call_output')
    return [reasoning(`b${turns}`), { type: 'message', text: `Noted ${turns}.` }]
  const call = { name: 'update_goals', arguments: '{"content":"grow"}' }
  return [
    reasoning(`a${turns}`),
    { type: 'message', text: `I note ${turns}.`, phase: 'commentary' },
    { type: 'call', id: `call_${turns}`, ...call },
  ]
}

type Garden = Awaited<ReturnType<typeof responsesGarden>>

async function expectExact(
  { reader }: Garden,
  asked: Awaited<ReturnType<Garden['ask']>>,
  origin: 'log' | 'rebuilt',
) {
  expect(asked.length).toBeGreaterThan(0)
  for (const { entry, body } of asked) {
    expect(await reader().body('garden', entry.id)).toEqual(body)
    const sent = await reader().of('garden', entry.id)
    expect({ origin: sent.origin, match: sent.match }).toEqual({ origin, match: 'exact' })
  }
}

describe('a conversation in the Responses API', () => {
  it('gives reasoning back encrypted, in its place, with words and calls, and stores nothing', async () => {
    const garden = await responsesGarden(thinksAndCalls)
    await garden.ask('first')
    await garden.ask('second')
    const bodies = garden.bodies()
    expect(bodies).toHaveLength(4)
    const given = new Map([
      ['a0', { leadsTo: 'I note 0.' }],
      ['b1', { leadsTo: 'Noted 1.' }],
      ['a1', { leadsTo: 'I note 1.' }],
    ])
    expect(bodies.flatMap((body) => responsesRules(body, given))).toEqual([])
    expect(bodies.at(-1)).toMatchObject({
      store: false,
      include: ['reasoning.encrypted_content'],
      stream: true,
    })
    const kinds = bodies.at(-1)?.input.map(({ type, role, phase }) => [type, role, phase])
    expect(kinds?.slice(1)).toEqual([
      ['message', 'user', undefined],
      ['reasoning', undefined, undefined],
      ['message', 'assistant', 'commentary'],
      ['function_call', undefined, undefined],
      ['function_call_output', undefined, undefined],
      ['reasoning', undefined, undefined],
      ['message', 'assistant', undefined],
      ['message', 'user', undefined],
      ['reasoning', undefined, undefined],
      ['message', 'assistant', 'commentary'],
      ['function_call', undefined, undefined],
      ['function_call_output', undefined, undefined],
    ])
    expect(checkHome(path.dirname(path.dirname(garden.folder)))).toEqual([])
  })

  it.each([false, true])('is told exactly as it was sent (log: %s)', async (logs) => {
    const garden = await responsesGarden(thinksAndCalls)
    const asked = [
      ...(await garden.ask('first', { logs })),
      ...(await garden.ask('look', { logs, images: [bean] })),
    ]
    await expectExact(garden, asked, logs ? 'log' : 'rebuilt')
    const last = asked.at(-1)
    if (last === undefined) throw new Error('nothing was asked')
    const sent = await garden.reader().of('garden', last.entry.id)
    expect(sent.messages.map(({ role, calls }) => [role, calls.length])).toEqual([
      ['system', 0],
      ['user', 0],
      ['assistant', 1],
      ['tool', 0],
      ['assistant', 0],
      ['user', 0],
      ['assistant', 1],
      ['tool', 0],
    ])
    expect(sent.messages[5]?.images).toBe(1)
    expect(sent.tools.map(({ name }) => name)).toContain('update_goals')
    expect(sent.parameters).toMatchObject({ store: 'false' })
  })

  it('goes on in chat completions at the same server without what the other API gave', async () => {
    const garden = await responsesGarden(thinksAndCalls)
    await garden.ask('first')
    garden.put('config.toml', '')
    await garden.ask('second').catch(() => undefined)
    const last = garden.bodies().at(-1)
    expect(garden.server.seen.at(-1)?.path).toBe('/v1/chat/completions')
    expect(JSON.stringify(last)).not.toContain('response_output')
    expect(JSON.stringify(last)).not.toContain('encrypted')
  })

  it.each([
    ['include', 'Encrypted content is not supported with this model.', 'include'],
    ['reasoning', 'The encrypted content a0 could not be verified.', 'thoughts'],
    ['max_output_tokens', "Unsupported parameter: 'max_output_tokens'.", 'max_tokens'],
    ['image', 'This model does not support image inputs.', 'images'],
  ])('is asked again without what the server refuses: %s', async (what, message, told) => {
    const holds = (body: Body) =>
      what === 'image'
        ? JSON.stringify(body.input).includes('input_image')
        : what === 'reasoning'
          ? body.input.some(({ type }) => type === 'reasoning')
          : what in body
    const garden = await responsesGarden((body) =>
      holds(body) ? { status: 400, body: { error: { message } } } : thinksAndCalls(body),
    )
    const toml = '[api]\nprotocol = "responses"\nmax_tokens = 100\n'
    garden.put('config.toml', toml)
    for (const logs of [false, true]) {
      const asked = await garden.ask('look', { logs, images: [bean] })
      const entries = await garden.entries()
      expect(entries.at(-1)?.entry_type).toBe('message')
      expect(entries.some(({ entry_type: type }) => type === 'run_error')).toBe(false)
      const refused = entries.flatMap(({ metadata }) => metadata?.without_parameters ?? [])
      expect(refused).toContain(told)
      for (const { entry } of asked) {
        const sent = await garden.reader().of('garden', entry.id)
        expect(sent.match).toBe('exact')
        expect(holds((await garden.reader().body('garden', entry.id)) as Body)).toBe(false)
      }
    }
  })

  it('keeps what came of a failed answer and goes on', async () => {
    const garden = await responsesGarden((body, index) =>
      index === 1 ? { status: 503, body: {} } : thinksAndCalls(body),
    )
    await garden.ask('first')
    expect((await garden.entries()).at(-1)?.content).toBe('Noted 1.')
  })

  it('says which API is missing, whichever it is', async () => {
    const words = 'This model is only supported in v1/responses and not in v1/chat/completions.'
    const server = await rawServer((response, { path: target }) =>
      response
        .writeHead(404)
        .end(target === '/v1/responses' ? '{}' : JSON.stringify({ error: { message: words } })),
    )
    closing.push(() => server.close())
    const home = temp()
    const adviceOf = async () => {
      const { entries } = await realRun({ home, url: server.url, text: 'hello' })
      return entries.at(-1)?.content ?? ''
    }
    expect(await adviceOf()).toContain('to the Responses API')
    fs.writeFileSync(path.join(home, 'config.toml'), '[api]\nprotocol = "responses"\n')
    expect(await adviceOf()).toContain('to chat completions')
  })

  it('is read from a server that answers without a stream', async () => {
    const server = await rawServer((response) =>
      response.end(JSON.stringify(wholeResponse([{ type: 'message', text: 'Whole.' }]))),
    )
    closing.push(() => server.close())
    const home = temp()
    fs.writeFileSync(path.join(home, 'config.toml'), '[api]\nprotocol = "responses"\n')
    const { entries, end } = await realRun({ home, url: server.url, text: 'hello' })
    expect(end).toMatchObject({ outcome: 'complete' })
    expect(entries.at(-1)?.content).toBe('Whole.')
  })

  it('runs with calls, words and reasoning against an independent server', async () => {
    const mock = await LLMock.create({ port: 0, journalMaxEntries: 0 })
    closing.push(() => mock.stop())
    const home = temp()
    fs.writeFileSync(path.join(home, 'config.toml'), '[api]\nprotocol = "responses"\n')
    mock.on(
      { userMessage: 'plan it', hasToolResult: false },
      {
        content: 'Writing it down.',
        toolCalls: [
          { name: 'update_todos', arguments: '{"content":"- [ ] beds"}', id: 'call_1' },
          { name: 'update_goals', arguments: '{"content":"grow"}', id: 'call_2' },
        ],
      },
    )
    const words = 'Ein Wörtchen,\nthen 🙂 and the rest. '.repeat(20)
    mock.on(
      { userMessage: 'plan it', hasToolResult: true },
      { content: words, reasoning: 'First I think. '.repeat(5) },
      { chunkSize: 3 },
    )
    const ran = await realRun({ home, url: `${mock.url}/v1`, text: 'plan it', model: 'mock' })
    expect(ran.end).toEqual({ type: 'ended', outcome: 'complete' })
    expect(ran.entries.map(({ entry_type: type }) => type)).toEqual([
      'message',
      'message',
      'tool_call',
      'tool_call',
      'tool_result',
      'tool_result',
      'message',
    ])
    expect(ran.entries.at(-1)).toMatchObject({
      content: words,
      metadata: { reasoning: 'First I think. '.repeat(5) },
    })
    expect(checkHome(home)).toEqual([])
    mock.onMessage('go on', { content: 'Going on.' })
    const next = await realRun({ home, url: `${mock.url}/v1`, text: 'go on', model: 'mock' })
    expect(next.end).toMatchObject({ outcome: 'complete' })
  })
})
