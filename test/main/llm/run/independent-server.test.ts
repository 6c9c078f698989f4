import fs from 'node:fs'
import path from 'node:path'
import { LLMock } from '@copilotkit/aimock'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FailureKind, RunEvent } from '../../../../src/shared/model/run/run'
import { checkHome } from '../../../support/chibi-checker/home'
import { chatRules } from '../../../support/strict-chat'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'
import { outline, type RealRunOptions, realRun } from '../support/real-run'

const key = 'sk-independent-0123456789'
const temp = tempFolders(memoryFolder)
let mock: LLMock

beforeAll(async () => {
  mock = await LLMock.create({ port: 0, auth: { apiKeys: [key] }, journalMaxEntries: 0 })
})
afterAll(() => mock.stop())

/** Runs against the independent server; nobody may find a fault in what was asked, or in the home afterwards. */
async function ask(options: Partial<RealRunOptions> & Pick<RealRunOptions, 'text' | 'home'>) {
  mock.clearRequests()
  const ran = await realRun({ url: `${mock.url}/v1`, apiKey: key, model: 'mock', ...options })
  expect(requests().flatMap(chatRules)).toEqual([])
  expect(checkHome(options.home, { secrets: [key] })).toEqual([])
  return ran
}

/** The bodies of the requests since the last run began. */
function requests(): readonly unknown[] {
  const bodies = mock.getRequests().map(({ body }) => body)
  // Of a body over 64 KB the server keeps the beginning alone.
  return bodies.filter((body) => body === null || !('__aimock_truncated' in body))
}

/** The same conversation takes another message afterwards, whatever came before. */
async function goesOn(home: string): Promise<void> {
  mock.onMessage('Onwards!', { content: 'Going on.' })
  const { end } = await ask({ home, text: 'Onwards!' })
  expect(end).toEqual({ type: 'ended', outcome: 'complete' })
}

describe('a run against an independent OpenAI-compatible server', () => {
  it('streams text and reasoning, and keeps both', async () => {
    const home = temp()
    const content = 'Ein Wörtchen,\nthen 🙂 and \u2028 the rest. '.repeat(20)
    mock.onMessage('stream', { content, reasoning: 'First I think. '.repeat(5) }, { chunkSize: 3 })
    const { entries, streamed, events, end } = await ask({ home, text: 'stream' })
    expect(end).toMatchObject({ outcome: 'complete' })
    expect(streamed).toEqual({ content, reasoning: 'First I think. '.repeat(5) })
    expect(events.filter(({ type }) => type === 'delta').length).toBeGreaterThan(100)
    expect(entries.at(-1)).toMatchObject({
      content,
      from: 'garden',
      to: 'user',
      metadata: { reasoning: 'First I think. '.repeat(5) },
    })
    await goesOn(home)
  })

  it('makes parallel calls, with words beside them, and answers with what they gave', async () => {
    const home = temp()
    const work = temp()
    const plan = JSON.stringify({ path: 'plan.md', content: 'Water the beds.\n' })
    mock.on(
      { userMessage: 'plan it', hasToolResult: false },
      {
        content: 'Writing it down.',
        toolCalls: [
          { name: 'update_todos', arguments: '{"content":"- [ ] beds"}', id: 'call_1' },
          { name: 'write_file', arguments: plan, id: 'call_2' },
          { name: 'no_such_tool', arguments: '{}', id: 'call_3' },
          { name: 'update_goals', arguments: '{"content":', id: 'call_4' },
        ],
      },
    )
    mock.on({ userMessage: 'plan it', hasToolResult: true }, { content: 'It is planned.' })
    const { entries, end } = await ask({ home, work, text: 'plan it' })
    expect(end).toMatchObject({ outcome: 'complete' })
    expect(outline(entries)).toEqual([
      'message',
      'message',
      'tool_call update_todos: {"content":"- [ ] beds"}',
      `tool_call write_file: ${plan}`,
      'tool_call no_such_tool: {}',
      'tool_call update_goals: {"content":',
      'tool_result update_todos: todos.md is written: 10 bytes.',
      expect.stringMatching(/^tool_result write_file: Made plan\.md/),
      expect.stringMatching(/^tool_result no_such_tool: Error: there is no tool/),
      expect.stringMatching(/^tool_result update_goals: Error: the arguments are not valid JSON/),
      'message',
    ])
    expect(fs.readFileSync(path.join(work, 'plan.md'), 'utf8')).toBe('Water the beds.\n')
    expect(requests()).toHaveLength(2)
    await goesOn(home)
  })

  it('goes through many rounds and rotations, with ids that the server gives again', async () => {
    const home = temp()
    for (let round = 0; round < 6; round++)
      mock.on(
        { userMessage: 'many rounds', turnIndex: round },
        {
          toolCalls: [
            { name: 'update_todos', arguments: `{"content":"round ${round}"}`, id: 'call_same' },
          ],
        },
      )
    mock.on({ userMessage: 'many rounds', turnIndex: 6 }, { content: 'Done.' })
    const { end, entries } = await ask({ home, text: 'many rounds', maxEntries: 5 })
    expect(end).toEqual({ type: 'ended', outcome: 'complete' })
    expect(entries).toHaveLength(1 + 6 * 2 + 1)
    expect(new Set(entries.map(({ tool_call_id: id }) => id)).size).toBe(7)
    const partitions = fs.readdirSync(path.join(home, 'contexts/garden/transcript/partitions'))
    expect(partitions.filter((name) => name.endsWith('.jsonl'))).toHaveLength(3)
    await goesOn(home)
  })

  it('brings a message to another context', async () => {
    const home = temp()
    await goesOn(home)
    mock.onMessage('the shed is there', { content: 'Yes.' })
    await ask({ home, context: 'shed', text: 'the shed is there' })
    mock.on(
      { userMessage: 'tell the shed', hasToolResult: false },
      { toolCalls: [{ name: 'send_message', arguments: '{"to":"shed","content":"Rain."}' }] },
    )
    mock.on({ userMessage: 'tell the shed', hasToolResult: true }, { content: 'Told.' })
    expect((await ask({ home, text: 'tell the shed' })).end).toMatchObject({ outcome: 'complete' })
    const inbox = fs.readFileSync(path.join(home, 'contexts/shed/inbox.jsonl'), 'utf8')
    expect(JSON.parse(inbox)).toMatchObject({ from: 'garden', to: 'shed', content: 'Rain.' })
  })

  it.each<[status: number, kind: FailureKind, attempts: number]>([
    [400, 'bad-request', 1],
    [401, 'bad-key', 1],
    [402, 'no-credit', 1],
    [403, 'forbidden', 1],
    [404, 'not-found', 1],
    [408, 'server', 4],
    [413, 'too-long', 1],
    [422, 'bad-request', 1],
    [429, 'rate-limited', 4],
    [500, 'server', 4],
    [502, 'server', 4],
    [503, 'server', 4],
    [529, 'server', 4],
  ])('says what %i means', async (status, kind, attempts) => {
    const home = temp()
    // Whatever of the request is left out, or said in another place.
    mock.onMessage(new RegExp(`refuse by ${status}$`), {
      error: { message: `no, by ${status}`, type: 'some_error' },
      status,
    })
    const { entries, end } = await ask({ home, text: `refuse by ${status}` })
    expect(end).toMatchObject({
      outcome: 'failed',
      failure: { kind, status, attempts, response: expect.stringContaining(`no, by ${status}`) },
    })
    // A bad request whose words say nothing is asked otherwise, until nothing is left to leave out.
    expect(requests()).toHaveLength(kind === 'bad-request' ? 4 : attempts)
    expect(outline(entries)).toEqual(['message', 'run_error'])
    await goesOn(home)
  })

  it('is refused with a mistaken key, which stands nowhere', async () => {
    const home = temp()
    const { end } = await realRun({
      home,
      url: `${mock.url}/v1`,
      apiKey: 'sk-mistaken-987',
      text: 'hello',
    })
    expect(end).toMatchObject({ failure: { kind: 'bad-key', status: 401 } })
    expect(checkHome(home, { secrets: [key, 'sk-mistaken-987'] })).toEqual([])
    await goesOn(home)
  })

  it('answers after failures that pass', async () => {
    const home = temp()
    for (const status of [503, 429])
      mock.nextRequestError(status, { message: 'busy', type: 'server_error' })
    mock.onMessage('be patient', { content: 'Here.' })
    const { events, end } = await ask({ home, text: 'be patient' })
    expect(end).toMatchObject({ outcome: 'complete' })
    expect(events.filter(({ type }) => type === 'retrying')).toHaveLength(2)
  })

  it.each(['content', 'call'] as const)(
    'keeps what came of a stream that ends early (%s)',
    async (what) => {
      const home = temp()
      const long = 'word '.repeat(200)
      mock.onMessage(
        `end early ${what}`,
        what === 'content'
          ? { content: long }
          : { toolCalls: [{ name: 'update_todos', arguments: JSON.stringify({ content: long }) }] },
        // With a pause: what a broken connection has not given yet is lost with it.
        { truncateAfterChunks: 9, latency: 5 },
      )
      const { entries, end } = await ask({ home, text: `end early ${what}` })
      expect(end).toMatchObject({ outcome: 'failed', failure: { kind: 'cut' } })
      if (what === 'content') {
        expect(entries[1]?.metadata).toMatchObject({ interrupted: 'failed' })
        expect(long.startsWith(entries[1]?.content ?? 'x')).toBe(true)
      }
      expect(fs.existsSync(path.join(home, 'contexts/garden/todos.md'))).toBe(false)
      await goesOn(home)
    },
  )

  it('takes the chaos of the server as failures', async () => {
    const home = temp()
    for (const chaos of [{ malformedRate: 1 }, { dropRate: 1 }, { disconnectRate: 1 }]) {
      mock.onMessage(`chaos ${Object.keys(chaos)}`, { content: 'Never whole.' }, { chaos })
      const { end } = await ask({ home, text: `chaos ${Object.keys(chaos)}` })
      expect(end.outcome).toBe('failed')
    }
    await goesOn(home)
  })

  it('takes a huge delta, and gives up what has no end', async () => {
    const home = temp()
    const huge = 'lorem ipsum '.repeat(350_000)
    mock.onMessage('one huge delta', { content: huge }, { chunkSize: huge.length })
    const whole = await ask({ home, text: 'one huge delta' })
    expect(whole.end).toMatchObject({ outcome: 'complete' })
    expect(whole.entries.at(-1)?.content === huge).toBe(true)
    mock.onMessage('too much', { content: `${huge}${huge}${huge}` }, { chunkSize: 100_000 })
    const { end, entries } = await ask({ home, text: 'too much' })
    expect(end).toMatchObject({ outcome: 'failed', failure: { kind: 'too-much' } })
    expect(entries[1]?.content.length).toBeGreaterThan(4_000_000)
  })

  it('writes a huge file that the model gives in one piece', async () => {
    const home = temp()
    const work = temp()
    const content = 'ä line\n'.repeat(150_000)
    const args = JSON.stringify({ path: 'huge.txt', content })
    mock.on(
      { userMessage: 'huge file', hasToolResult: false },
      { toolCalls: [{ name: 'write_file', arguments: args }] },
      { chunkSize: args.length },
    )
    mock.on({ userMessage: 'huge file', hasToolResult: true }, { content: 'Written.' })
    const { end } = await ask({ home, work, text: 'huge file' })
    expect(end).toMatchObject({ outcome: 'complete' })
    expect(fs.readFileSync(path.join(work, 'huge.txt'), 'utf8') === content).toBe(true)
  })

  it('can be stopped while an answer comes', async () => {
    const home = temp()
    mock.onMessage('slowly', { content: 'word '.repeat(500) }, { streamingProfile: { tps: 50 } })
    const stop = new AbortController()
    const each = async ({ type }: RunEvent) => {
      if (type === 'delta') stop.abort()
    }
    const { end } = await ask({ home, text: 'slowly', signal: stop.signal, each })
    expect(end.outcome).toBe('stopped')
    await goesOn(home)
  })
})
