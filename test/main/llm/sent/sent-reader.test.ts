import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Practice } from '../../../../src/main/practice/launch'
import type { Entry, EntryId } from '../../../../src/shared/model/conversation/entry'
import { checkHome } from '../../../support/chibi-checker/home'
import { onePoint } from '../../../support/images'
import { startPracticeForTests } from '../../../support/practice'
import type { RawServer } from '../../../support/raw-server'
import { recordingProxy } from '../../../support/recording-proxy'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'
import { gardenIn } from './garden'

const temp = tempFolders(memoryFolder)
let practice: Practice
let server: RawServer
beforeAll(async () => {
  practice = await startPracticeForTests()
  server = await recordingProxy(practice.url)
})
afterAll(async () => {
  await server.close()
  await practice.close()
})
let garden: ReturnType<typeof gardenIn>
beforeEach(() => {
  garden = gardenIn(path.join(temp(), 'home'), server)
})

type Asked = Awaited<ReturnType<typeof garden.ask>>

/** That what is told of every answer is what the server got before it. */
async function expectExact(asked: Asked, origin: 'log' | 'rebuilt' = 'rebuilt') {
  expect(asked.length).toBeGreaterThan(0)
  for (const { entry, body } of asked) {
    expect(await garden.reader().body('garden', entry.id)).toEqual(body)
    const sent = await garden.reader().of('garden', entry.id)
    expect({ origin: sent.origin, match: sent.match }).toEqual({ origin, match: 'exact' })
    expect(sent.messages.map(({ role }) => role)).toEqual(
      (body.messages as { role: string }[]).map(({ role }) => role),
    )
  }
}

const first = (asked: Asked) => asked[0]?.entry.id as EntryId
const kept = ({ metadata }: Entry) =>
  metadata?.request as { digest: string; tools: string[]; parameters: object }

describe('what a model was sent', () => {
  it('is not put together where it is longer than what can be shown, and that is said', async () => {
    const [asked] = await garden.ask('hello '.repeat(200))
    const id = asked?.entry.id as EntryId
    const short = garden.reader({ mostCharacters: 1000 })
    const words = expect.stringMatching(/^The request has more than .* --sent ENTRY_ID/)
    for (const look of [short.of, short.body])
      await expect(look('garden', id)).rejects.toMatchObject({
        code: 'bad-argument',
        message: words,
      })
    await expect(
      garden.reader({ mostCharacters: 8_000_000 }).of('garden', id),
    ).resolves.toBeTruthy()
  })

  it.each([false, true])(
    'is told exactly of plain answers and of calls (log: %s)',
    async (logs) => {
      const asked = [
        ...(await garden.ask('hello', { logs })),
        ...(await garden.ask('look\n/tool update_goals {"content":"grow"}\n/again 2', { logs })),
        ...(await garden.ask('and now?', { logs })),
        ...(await garden.ask('/silent\n/tool call_user {"message":"done"}', { logs })),
      ]
      expect(asked.length).toBeGreaterThanOrEqual(5)
      await expectExact(asked, logs ? 'log' : 'rebuilt')
      expect(checkHome(garden.home)).toEqual([])
    },
  )

  it('has each message beside the entries that it was made of', async () => {
    await garden.ask('one')
    const [, second] = await garden.ask('look\n/tool update_todos {"content":"weed"}')
    const { messages } = await garden.reader().of('garden', second?.entry.id as EntryId)
    const words = new Map((await garden.entries()).map((entry) => [entry.id, entry]))
    const types = messages.map(({ entryIds }) => entryIds.map((id) => words.get(id)?.entry_type))
    expect(types).toEqual([
      [],
      ['message'],
      ['message'],
      ['message'],
      ['message', 'tool_call'],
      ['tool_result'],
    ])
  })

  it.each(['rolling', 'full', 'drop'] as const)(
    'is told exactly after a %s compaction',
    async (mode) => {
      const before: Asked = []
      for (const n of [1, 2, 3, 4]) before.push(...(await garden.ask(`question ${n}`)))
      expect(await garden.compact(mode)).toMatchObject({ type: 'compacted' })
      const between = await garden.ask('what was before?')
      for (const n of [5, 6, 7]) between.push(...(await garden.ask(`question ${n}`)))
      expect(await garden.compact('rolling')).toMatchObject({ type: 'compacted' })
      await expectExact([...before, ...between, ...(await garden.ask('and that?'))])
    },
  )

  it('is told exactly of partitions that were rotated away', async () => {
    const asked: Asked = []
    for (const n of [1, 2, 3, 4, 5])
      asked.push(...(await garden.ask(`question ${n}`, { maxEntries: 3 })))
    const partitions = fs.readdirSync(path.join(garden.folder, 'transcript/partitions'))
    expect(partitions.length).toBeGreaterThan(1)
    await garden.compact('rolling')
    asked.push(...(await garden.ask('and now?', { maxEntries: 3 })))
    await expectExact(asked)
  })

  it('has the prompt and the notes that held then', async () => {
    garden.put('AGENTS.md', 'Be kind.')
    garden.put('prompts/chibi.md', 'You are a gardener.')
    garden.put('prompts/reflection.md', 'Roses bite.')
    await garden.ask('hello')
    garden.put('contexts/garden/system_prompt.md', 'You are a beekeeper.')
    const bees = [
      ...(await garden.ask('who are you?')),
      ...(await garden.ask('/tool update_todos {"content":"smoke the hive"}')),
      ...(await garden.ask('what is to be done?')),
    ]
    await garden.ask('/tool update_todos {"content":"harvest"}')
    garden.put('contexts/garden/system_prompt.md', 'You are a baker.')
    const bread = await garden.ask('and now?')
    await expectExact([...bees, ...bread])
  })

  it('has the prompt of before the first change, which that change keeps', async () => {
    garden.put('prompts/chibi.md', 'You are a gardener.')
    const asked = [...(await garden.ask('hello'))]
    garden.put('prompts/chibi.md', 'You are a baker.')
    asked.push(...(await garden.ask('and now?')))
    garden.put('contexts/garden/system_prompt.md', 'You are a beekeeper.')
    asked.push(...(await garden.ask('and then?')))
    await expectExact(asked)
  })

  it('says where it may be otherwise when the prompt of then is kept nowhere', async () => {
    garden.put('prompts/chibi.md', 'You are a gardener.')
    const [asked] = await garden.ask('hello')
    garden.put('prompts/chibi.md', 'You are a baker.')
    // What the run after it, or chibi, would have written over.
    fs.rmSync(path.join(garden.folder, 'context_meta.json'))
    const sent = await garden.reader().of('garden', asked?.entry.id as EntryId)
    expect(sent).toMatchObject({ origin: 'rebuilt', match: 'different' })
    expect(sent.messages[0]?.text).toContain('You are a baker.')
    expect(sent.notes.join(' ')).toMatch(
      /system prompt is the current one: the transcript has none/,
    )
  })

  it('counts images by their number and leaves out their bytes', async () => {
    const bean = { name: 'bean.png', bytes: onePoint }
    const asked = [
      ...(await garden.ask('What is it?', { images: [bean, bean] })),
      ...(await garden.ask('And now?')),
    ]
    await expectExact(asked)
    const { messages, parts } = await garden.reader().of('garden', first(asked))
    expect(messages.map(({ images }) => images)).toEqual([0, 2])
    expect(parts.attachments).toBe(2 * 1100)
  })

  it('is what went out in the end where a server refuses tools, a parameter or images', async () => {
    const refusing = await recordingProxyThatRefuses(practice.url)
    const picky = gardenIn(path.join(temp(), 'home'), refusing)
    picky.put('config.toml', '[api]\nmax_tokens = 77\nseed = 5\n')
    const bean = { name: 'bean.png', bytes: onePoint }
    for (const logs of [true, false]) {
      const from = refusing.seen.length
      const [answer] = await picky.ask('hello', { logs, images: [bean] })
      // The last request alone was answered.
      const last = JSON.parse(refusing.seen.slice(from).at(-1)?.body ?? '')
      expect(Object.keys(last).sort()).toEqual([
        'max_completion_tokens',
        'messages',
        'model',
        'stream',
        'stream_options',
      ])
      const { stream_options: _, ...body } = last
      const id = answer?.entry.id as EntryId
      expect(await picky.reader().body('garden', id)).toEqual(body)
      const sent = await picky.reader().of('garden', id)
      expect(sent).toMatchObject({ match: 'exact', origin: logs ? 'log' : 'rebuilt', tools: [] })
      expect(sent.parameters).toEqual({ max_completion_tokens: '77' })
      expect(sent.notes.length).toBe(logs ? 1 : 0)
    }
    await refusing.close()
  })

  it('is what went out in the end where a server takes no system prompt, no role of tools and no long ids', async () => {
    const refusing = await recordingProxyThatRefuses(practice.url, ({ messages }) => {
      const roles = messages.map(({ role }) => role)
      if (roles.includes('system'))
        return "'messages[0].role' does not support 'system' with this model."
      if (roles.includes('developer')) return "'developer' is not one of ['user', 'assistant']"
      return roles.includes('tool') ? 'Only user and assistant roles are supported!' : undefined
    })
    const picky = gardenIn(path.join(temp(), 'home'), refusing)
    picky.put('prompts/chibi.md', 'You are a gardener.')
    for (const logs of [true, false]) {
      await picky.ask('/tool update_todos {"content":"- [ ] sow"}', { logs })
      const from = refusing.seen.length
      const [answer] = await picky.ask('hello', { logs })
      const { stream_options: _, ...body } = JSON.parse(
        refusing.seen.slice(from).at(-1)?.body ?? '',
      )
      expect(new Set(body.messages.map(({ role }: { role: string }) => role))).toEqual(
        new Set(['user', 'assistant']),
      )
      expect(body.messages[0].content).toContain('You are a gardener.')
      expect(answer?.entry.metadata?.adapted).toEqual(['calls-as-words', 'system-as-user'])
      const id = answer?.entry.id as EntryId
      expect(await picky.reader().body('garden', id)).toEqual(body)
      const sent = await picky.reader().of('garden', id)
      expect(sent).toMatchObject({ match: 'exact', origin: logs ? 'log' : 'rebuilt' })
    }
    await refusing.close()
  })

  it('is different where the transcript was edited', async () => {
    const asked = [...(await garden.ask('hello')), ...(await garden.ask('again'))]
    const file = path.join(garden.folder, 'transcript/active.jsonl')
    fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('"hello"', '"hollo"'))
    for (const { entry } of asked) {
      const sent = await garden.reader().of('garden', entry.id)
      expect(sent).toMatchObject({ origin: 'rebuilt', match: 'different' })
      expect(sent.messages.some(({ text }) => text === 'hollo')).toBe(true)
    }
  })

  it('is taken from a damaged log where the record is whole, else put together again', async () => {
    const asked = [
      ...(await garden.ask('one', { logs: true })),
      ...(await garden.ask('two', { logs: true })),
      ...(await garden.ask('three', { logs: true })),
    ]
    const file = path.join(garden.folder, 'requests.jsonl')
    const [a = '', b = '', c = ''] = fs.readFileSync(file, 'utf8').trimEnd().split('\n')
    fs.writeFileSync(file, `${a}\n{"timestamp":5,"requ${b.slice(0, 300)}\n\0\0\n5\n${c}{"tim`)
    await expectExact(asked.slice(0, 1), 'log')
    await expectExact(asked.slice(1, 2), 'rebuilt')
    await expectExact(asked.slice(2, 3), 'log')
  })

  it('is found above lines of another time, and beside ones that are nested too deeply', async () => {
    const asked = await garden.ask('one', { logs: true })
    const file = path.join(garden.folder, 'requests.jsonl')
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
    const at = asked[0]?.entry.timestamp
    fs.appendFileSync(file, '{"timestamp":0,"request":{}}\n')
    fs.appendFileSync(file, `{"timestamp":${at},"request":{"model":"m","messages":${deep}}}\n`)
    await expectExact(asked, 'log')
    const record = fs.readFileSync(file, 'utf8').split('\n').slice(1).join('\n')
    fs.writeFileSync(file, record)
    await expectExact(asked, 'rebuilt')
  })

  it('is put together where what stands at the answer is nested too deeply', async () => {
    const asked = await garden.ask('one')
    const file = path.join(garden.folder, 'transcript/active.jsonl')
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
    const lines = fs.readFileSync(file, 'utf8')
    fs.writeFileSync(file, lines.replace('"parameters":{}', `"parameters":{"x":${deep}}`))
    expect(fs.readFileSync(file, 'utf8')).toContain(deep)
    expect(await garden.reader().of('garden', first(asked))).toMatchObject({
      origin: 'rebuilt',
      match: 'unknown',
      messages: [{ role: 'system' }, { role: 'user' }],
    })
  })

  it("finds chibi's own record by its time, its model and its last messages", async () => {
    const [asked] = await garden.ask('hello')
    const again = await garden.ask('once more')
    const at = asked?.entry.timestamp ?? 0
    const record = (text: string, timestamp: number, model = 'practice') =>
      `${JSON.stringify({ request: { model, messages: [{ role: 'user', content: text }], stream: true, temperature: 0.5 }, timestamp })}\n`
    // As chibi leaves it: nothing of a request stands at the answer.
    const file = path.join(garden.folder, 'transcript/active.jsonl')
    const bare = fs
      .readFileSync(file, 'utf8')
      .replace(
        /,"request":\{"digest":"[0-9a-f]{32}","tools":\[[^\]]*\],"parameters":\{\},"server":"[^"]*","joined":true\}/g,
        '',
      )
    expect(bare).not.toContain('"digest"')
    fs.writeFileSync(file, bare)
    const log = path.join(garden.folder, 'requests.jsonl')
    fs.writeFileSync(
      log,
      record('hello', at - 50) +
        record('hello', at - 1) +
        record('something else', at) +
        record('hello', at, 'another/model') +
        record('hello', at + 900),
    )
    const sent = await garden.reader().of('garden', asked?.entry.id as EntryId)
    expect(sent).toMatchObject({
      origin: 'log',
      match: 'unknown',
      sentAtMs: (at - 1) * 1000,
      parameters: { temperature: '0.5' },
      messages: [{ role: 'user', text: 'hello' }],
    })
    expect(sent.messages[0]?.entryIds).toHaveLength(1)
    expect(sent.notes[0]).toContain('found by its time')
    // Of the other there is no record.
    expect(await garden.reader().of('garden', first(again))).toMatchObject({
      origin: 'rebuilt',
      match: 'unknown',
      tools: [],
      parameters: {},
      notes: expect.arrayContaining([expect.stringMatching(/tools and parameters/)]),
    })
  })

  it('keeps the key out of what stands at the answer and of what is told', async () => {
    const apiKey = 'sk-practice-0123456789abcdef'
    const asked = await garden.ask(`my key is ${apiKey}`, { apiKey, logs: true })
    const sent = await garden.reader().of('garden', first(asked))
    expect(sent).toMatchObject({ origin: 'log', match: 'exact' })
    expect(sent.messages.at(-1)?.text).toBe('my key is [key]')
    expect(JSON.stringify(asked[0]?.entry.metadata)).not.toContain(apiKey)
  })

  it('says of tools that are not there any more nothing but their names', async () => {
    const gone = {
      name: 'water',
      description: 'Waters the beds.',
      parameters: { type: 'object' },
      effect: 'runs' as const,
      run: async () => ({ type: 'result' as const, text: '' }),
    }
    const [asked] = await garden.ask('hello')
    const file = path.join(garden.folder, 'transcript/active.jsonl')
    const entry = asked?.entry as Entry
    expect(kept(entry).tools).toContain('update_todos')
    const edited = fs.readFileSync(file, 'utf8').replace('"tools":[', '"tools":["water",')
    fs.writeFileSync(file, edited)
    const bare = await garden.reader().of('garden', entry.id)
    expect(bare.tools[0]).toEqual({ name: 'water', description: '', tokens: expect.any(Number) })
    expect(bare.notes.join(' ')).toContain('Tools that no longer exist: water.')
    const known = await garden.reader({ moreTools: async () => [gone] }).of('garden', entry.id)
    expect(known.tools[0]).toMatchObject({ name: 'water', description: 'Waters the beds.' })
  })

  it('is counted by part, with what is given to count', async () => {
    const asked = await garden.ask('hello')
    const countedBy = { by: 'tokenizer', name: 'letters' } as const
    const counter = {
      countedBy,
      count: async (text: string) => text.length,
      countAll: async (texts: readonly string[]) => texts.map(({ length }) => length),
    }
    const sent = await garden
      .reader({ tokenizers: { counterFor: () => counter } })
      .of('garden', first(asked))
    expect(sent.countedBy).toEqual(countedBy)
    const [system, user] = sent.messages
    // Around a message stand its marks and its role; what the answer begins with counts as well.
    expect([user?.tokens, sent.parts.history]).toEqual(['hello'.length + 4, 'hello'.length + 4 + 3])
    expect([system?.tokens, sent.parts.system]).toEqual(
      Array(2).fill((system?.text.length ?? 0) + 4),
    )
    expect(sent.parts.tools).toBe(sent.tools.reduce((sum, { tokens }) => sum + tokens, 0))
    expect(sent.tools[0]?.tokens).toBeGreaterThan(100)
    expect(sent.told).toMatchObject({ input: expect.any(Number) })
  })

  it('is told of answers alone', async () => {
    const [asked] = await garden.ask('look\n/tool update_todos {"content":"weed"}')
    const reader = garden.reader()
    const all = await garden.entries()
    for (const { id, entry_type, role, metadata } of all) {
      if (metadata?.model !== undefined) continue
      const words = `${entry_type} ${role}`
      await expect(reader.of('garden', id), words).rejects.toMatchObject({ code: 'bad-argument' })
    }
    expect(asked).toBeDefined()
    await expect(reader.of('garden', 'none' as EntryId)).rejects.toMatchObject({
      code: 'not-found',
    })
    await expect(reader.of('nobody', first([]) ?? ('x' as EntryId))).rejects.toMatchObject({
      code: 'not-found',
    })
  })

  it('leaves every file as it is', async () => {
    const asked = await garden.ask('hello', { images: [{ name: 'b.png', bytes: onePoint }] })
    const look = () =>
      fs
        .readdirSync(garden.home, { recursive: true, withFileTypes: true })
        .map((one) => `${one.name} ${fs.statSync(path.join(one.path, one.name)).mtimeMs}`)
        .sort()
    const before = look()
    await garden.reader().of('garden', first(asked))
    await garden.reader().around('garden', first(asked))
    expect(look()).toEqual(before)
  })
})

describe('the answers around one', () => {
  it('are the one before and after, and those across the borders of its window', async () => {
    const [a] = await garden.ask('one')
    for (const n of [2, 3, 4]) await garden.ask(`question ${n}`)
    const before = (await garden.entries()).filter(({ role }) => role === 'agent')
    await garden.compact('full')
    const [words, calls] = await garden.ask('look\n/tool update_todos {"content":"weed"}')
    const [silent] = await garden.ask('/silent\n/tool update_goals {"content":"grow"}')
    for (const n of [5, 6]) await garden.ask(`question ${n}`)
    await garden.compact('full')
    const [late] = await garden.ask('last')
    const id = (one: Asked[number] | undefined) => one?.entry.id
    const around = (one: Asked[number] | undefined) =>
      garden.reader().around('garden', id(one) as EntryId)
    const ids = async (one: Asked[number] | undefined) =>
      Object.fromEntries(Object.entries(await around(one)).map(([k, v]) => [k, v?.entryId]))
    expect(await ids(a)).toEqual({ next: before[1]?.id, afterWindow: id(words) })
    expect(await ids(words)).toEqual({
      previous: before.at(-1)?.id,
      next: id(calls),
      beforeWindow: before.at(-1)?.id,
      afterWindow: id(late),
    })
    expect(await around(calls)).toMatchObject({
      previous: { entryId: id(words), model: 'practice' },
      next: { entryId: id(silent), words: 'update_goals {"content":"grow"}' },
    })
    expect((await ids(late)).afterWindow).toBeUndefined()
  })
})

interface AskedBody {
  readonly messages: readonly { readonly role: string }[]
}

/** Images, then tools, then `seed`, then `max_tokens`, as servers word it. */
function refusedParts(asked: AskedBody, body: string): string | undefined {
  if (body.includes('image_url')) return 'this model does not support image input'
  if ('tools' in asked) return 'this model does not support tools'
  if ('seed' in asked) return "Unsupported parameter: 'seed'"
  return 'max_tokens' in asked
    ? "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
    : undefined
}

/** Refuses what a rule has words for; hands on what is left. */
async function recordingProxyThatRefuses(
  to: string,
  rule: (asked: AskedBody, body: string) => string | undefined = refusedParts,
): Promise<RawServer> {
  const { rawServer } = await import('../../../support/raw-server')
  const { origin } = new URL(to)
  return rawServer((response, { path: target, body }) => {
    const words = rule(JSON.parse(body), body)
    if (words !== undefined) {
      response.writeHead(400, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: { message: words } }))
      return
    }
    void fetch(`${origin}${target}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    }).then(async (answer) => {
      response.writeHead(answer.status, { 'content-type': 'text/event-stream' })
      response.end(await answer.text())
    })
  })
}
