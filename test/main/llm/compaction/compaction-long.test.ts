import fs from 'node:fs'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { checkHome } from '../../../support/chibi-checker/home'
import { startPracticeForTests } from '../../../support/practice'
import { chunk, eventStream, rawServer } from '../../../support/raw-server'
import { chatRules } from '../../../support/strict-chat'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'
import { realRun } from '../support/real-run'

const temp = tempFolders(memoryFolder)
/** Turns of each conversation. By hand: `SKEIN_TURNS=10000 npx vitest run test/main/llm/compaction/compaction-long.test.ts -t practice` */
const turns = Number(process.env.SKEIN_TURNS ?? 120)
const limit = 3000
/** Of a partition. */
const maxEntries = 40
/** How often the whole home is checked on the way. */
const looks = 12

/** Numbers that are the same at each try. */
function drawn(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1664525 + 1013904223) % 4294967296
    return state / 4294967296
  }
}

type Request = { readonly messages: readonly Message[]; readonly tools?: readonly object[] }

/** What a server that is between a run and its model heard. */
interface Heard {
  readonly url: string
  readonly faults: readonly string[]
  readonly requests: number
  /** Tokens of the largest one. */
  readonly largest: number
  /** What the last request that was no compaction's asked. */
  readonly asked: string
}

/** Looks at every request, and has it answered. */
async function listening(answer: (request: Request, body: string) => Promise<string>) {
  const heard = { url: '', faults: [] as string[], requests: 0, largest: 0, asked: '' }
  const server = await rawServer((response, { body }) => {
    const request: Request = JSON.parse(body)
    heard.requests++
    heard.faults.push(...chatRules(request))
    // By its bytes, as a provider would count English.
    const tokens = Math.floor(
      Buffer.byteLength(JSON.stringify([request.messages, request.tools ?? []])) / 4,
    )
    heard.largest = Math.max(heard.largest, tokens)
    if (tokens >= limit) heard.faults.push(`request ${heard.requests} has ${tokens} tokens`)
    const words = request.messages.findLast(({ role }) => role === 'user')?.content ?? ''
    if (!isCondensing(words)) heard.asked = words
    answer(request, body)
      .then((text) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.end(text)
      })
      .catch((error: unknown) => response.destroy(error as Error))
  })
  onTestFinished(() => server.close())
  heard.url = server.url
  return heard satisfies Heard
}

/** Calls tools, refuses to choose and to summarize now and then, and says things of any length. */
async function scripted(): Promise<Heard> {
  const draw = drawn(7)
  let summaries = 0
  const count = () => ++summaries
  return listening(async ({ messages }) =>
    eventStream(...answerTo(messages, draw, count), '[DONE]'),
  )
}

async function practice(): Promise<Heard> {
  const model = await startPracticeForTests()
  onTestFinished(() => model.close())
  return listening(async (_, body) => {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${model.url}/chat/completions`, { method: 'POST', headers, body })
    return answer.text()
  })
}

const isCondensing = (words: string) =>
  words.startsWith('These are the messages') || words.startsWith('Please summarize')

type Message = { readonly role: string; readonly content?: string }

function answerTo(
  messages: readonly Message[],
  draw: () => number,
  nextSummary: () => number,
): readonly object[] {
  const last = messages.at(-1)
  const text = last?.content ?? ''
  const says = (words: string) => [chunk({ content: words }), chunk({}, 'stop')]
  if (text.startsWith('These are the messages')) {
    if (draw() < 0.3) return says('I had rather not.')
    const count = text.match(/^\[\d+\] /gm)?.length ?? 1
    return says(
      JSON.stringify([...Array(count).keys()].map((n) => n + 1).filter(() => draw() < 0.5)),
    )
  }
  if (text.startsWith('Please summarize')) {
    if (draw() < 0.1) return says(' ')
    return says(`Summary ${nextSummary()}. ${'It was long. '.repeat(Math.floor(draw() * 60))}`)
  }
  if (last?.role === 'user' && draw() < 0.2) {
    const content = `- [ ] ${'weed '.repeat(Math.floor(draw() * 20))}`
    const call = { name: 'update_todos', arguments: JSON.stringify({ content }) }
    const id = `call_${Math.floor(draw() * 1e9)}`
    return [
      chunk({ tool_calls: [{ index: 0, id, type: 'function', function: call }] }),
      chunk({}, 'tool_calls'),
    ]
  }
  return says(`Yes. ${'And so on. '.repeat(Math.floor(draw() * 40))}`)
}

interface Line {
  readonly id: string
  readonly type: string
  readonly kept: readonly string[]
  readonly text: string
}

const folderOf = (home: string) => path.join(home, 'contexts/garden')
const linesOf = (file: string) =>
  fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n').filter(Boolean) : []

/** The archived partitions of the transcript, oldest first, and the active one; without the store's code. */
function partitionsOf(home: string): readonly string[] {
  const folder = path.join(folderOf(home), 'transcript')
  const manifest = path.join(folder, 'manifest.json')
  const { partitions } = fs.existsSync(manifest)
    ? JSON.parse(fs.readFileSync(manifest, 'utf8'))
    : { partitions: [] }
  const files = [...partitions.map((one: { file: string }) => one.file), 'active.jsonl']
  return files.map((file) => path.join(folder, file))
}

/** The lines of the transcript, oldest first. */
function storedIn(home: string): readonly Line[] {
  return partitionsOf(home)
    .flatMap(linesOf)
    .map((text) => {
      const { id, entry_type: type, metadata } = JSON.parse(text)
      return { id, type, kept: metadata?.kept ?? [], text }
    })
}

/** context.jsonl as a rebuild from the transcript alone would write it. */
function rebuilt(stored: readonly Line[]): readonly string[] {
  const at = stored.findLastIndex(({ type }) => type === 'compaction')
  const anchor = stored[at]
  // chibi leaves the anchor of a new context out.
  if (anchor === undefined) return stored.slice(1).map(({ text }) => text)
  const before = new Map(stored.slice(0, at).map(({ id, text }) => [id, text]))
  const kept = anchor.kept.map((id) => before.get(id) ?? `${id} is not there`)
  return [anchor.text, ...kept, ...stored.slice(at + 1).map(({ text }) => text)]
}

it.each([
  ['a scripted model', scripted],
  ['the practice model', practice],
])(
  'a long conversation with %s stays within the window for ever, and none of it is lost',
  {
    timeout: 600_000 + turns * 400,
  },
  async (_, open) => {
    const heard = await open()
    const home = temp()
    fs.writeFileSync(
      path.join(home, 'config.toml'),
      `auto_compact = true\nauto_compact_threshold = 60.0\ncontext_window_limit = ${limit}\n[tools]\ninclude = ["update_todos"]\n`,
    )
    const draw = drawn(11)
    const idsOf = (stored: readonly Line[]) =>
      stored.filter(({ type }) => type !== 'context_created').map(({ id }) => id)
    const began = Date.now()
    const tell = (words: string) => {
      if (process.env.SKEIN_TURNS !== undefined) process.stdout.write(words)
    }
    const told: string[] = []
    const phases = new Map<string, number>()
    for (let turn = 1; turn <= turns; turn++) {
      const text = `Question ${turn}? ${'Why is that so? '.repeat(Math.floor(draw() * 25))}`
      const { end, entries, events } = await realRun({ home, url: heard.url, text, maxEntries })
      expect(end).toEqual({ type: 'ended', outcome: 'complete' })
      // What was said is what is answered, whatever was made room for on the way.
      expect(heard.asked.endsWith(text)).toBe(true)
      told.push(...entries.map(({ id }) => id))
      for (const event of events)
        if (event.type === 'compaction') phases.set(event.phase, (phases.get(event.phase) ?? 0) + 1)
      if (turn % 400 === 0) fs.rmSync(path.join(home, 'contexts/garden/requests.jsonl'))
      if (turn % 1000 === 0)
        tell(
          `${turn} turns, ${Math.round((Date.now() - began) / turn)} ms each, ${heard.requests} requests, largest ${heard.largest} of ${limit} tokens\n`,
        )
      if (draw() >= looks / turns && turn !== turns) continue
      const stored = storedIn(home)
      expect(linesOf(path.join(folderOf(home), 'context.jsonl'))).toEqual(rebuilt(stored))
      expect(idsOf(stored)).toEqual(told)
      // Calls against results, partitions against their manifest, filters and seals.
      expect(checkHome(home)).toEqual([])
    }
    expect(heard.faults).toEqual([])
    expect(heard.largest).toBeLessThan(limit)
    expect(heard.largest).toBeGreaterThan(limit * 0.5)
    const stored = storedIn(home)
    expect(stored.filter(({ type }) => type === 'message').length).toBeGreaterThanOrEqual(2 * turns)
    expect(new Set(told).size).toBe(told.length)
    const anchors = stored.filter(({ type }) => type === 'compaction')
    expect(anchors).toHaveLength(phases.get('done') ?? 0)
    expect(anchors.length).toBeGreaterThan(turns / 40)
    if (open === scripted) expect(phases.get('kept') ?? 0).toBeGreaterThan(0)
    const partitions = partitionsOf(home).slice(0, -1)
    expect(partitions.length).toBeGreaterThanOrEqual(Math.floor((2 * turns) / maxEntries))
    // Compactions keep entries that stand in archived partitions.
    const archived = new Set(partitions.flatMap(linesOf).map((line) => JSON.parse(line).id))
    expect(
      anchors.flatMap(({ kept }) => kept).filter((id) => archived.has(id)).length,
    ).toBeGreaterThan(0)
    tell(
      `${turns} turns: ${stored.length} entries in ${partitions.length + 1} partitions, ${anchors.length} compactions, ${phases.get('kept') ?? 0} that failed, ${heard.requests} requests, largest ${heard.largest} of ${limit} tokens\n`,
    )
  },
)
