import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkHome } from '../../support/chibi-checker/home'
import { chunk, eventStream, type RawServer, rawServer } from '../../support/raw-server'
import { chatRules } from '../../support/strict-chat'
import { memoryFolder, tempFolders } from '../../support/temp-folder'
import { realRun } from './real-run'

const temp = tempFolders(memoryFolder)
/** Turns of the conversation. By hand: `SKEIN_TURNS=10000 npx vitest run test/main/llm/compaction-long.test.ts` */
const turns = Number(process.env.SKEIN_TURNS ?? 120)
const limit = 3000

/** Numbers that are the same at each try. */
function drawn(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1664525 + 1013904223) % 4294967296
    return state / 4294967296
  }
}

let server: RawServer
const faults: string[] = []
let [largest, summaries] = [0, 0]
beforeAll(async () => {
  const draw = drawn(7)
  server = await rawServer((response, { body }) => {
    const request = JSON.parse(body)
    faults.push(...chatRules(request))
    // By its bytes, as a provider would count English.
    const tokens = Math.floor(
      Buffer.byteLength(JSON.stringify([request.messages, request.tools ?? []])) / 4,
    )
    largest = Math.max(largest, tokens)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(eventStream(...answerTo(request.messages, draw), '[DONE]'))
  })
})
afterAll(() => server.close())

type Message = { readonly role: string; readonly content?: string }

function answerTo(messages: readonly Message[], draw: () => number): readonly object[] {
  const last = messages.at(-1)
  const text = last?.content ?? ''
  const says = (words: string) => [chunk({ content: words }), chunk({}, 'stop')]
  if (text.startsWith('These are messages')) {
    if (draw() < 0.3) return says('I had rather not.')
    const count = text.match(/^\[\d+\] /gm)?.length ?? 1
    return says(
      JSON.stringify([...Array(count).keys()].map((n) => n + 1).filter(() => draw() < 0.5)),
    )
  }
  if (text.startsWith('Please summarize')) {
    if (draw() < 0.05) return says(' ')
    return says(`Summary ${++summaries}. ${'It was long. '.repeat(Math.floor(draw() * 60))}`)
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

/** The ids of a context's transcript, oldest first, without the store's code. */
function idsIn(home: string): readonly { readonly id: string; readonly type: string }[] {
  const folder = path.join(home, 'contexts/garden/transcript')
  const { partitions } = JSON.parse(fs.readFileSync(path.join(folder, 'manifest.json'), 'utf8'))
  return [...partitions.map((one: { file: string }) => one.file), 'active.jsonl']
    .map((file) => path.join(folder, file))
    .filter((file) => fs.existsSync(file))
    .flatMap((file) => fs.readFileSync(file, 'utf8').split('\n').filter(Boolean))
    .map((line) => JSON.parse(line))
    .map(({ id, entry_type: type }) => ({ id, type }))
}

it('a long conversation stays within the window for ever, and none of it is lost', {
  timeout: 60_000 + turns * 400,
}, async () => {
  const home = temp()
  fs.writeFileSync(
    path.join(home, 'config.toml'),
    `auto_compact = true\nauto_compact_threshold = 60.0\ncontext_window_limit = ${limit}\n[tools]\ninclude = ["update_todos"]\n`,
  )
  const draw = drawn(11)
  const told: string[] = []
  const phases = new Map<string, number>()
  for (let turn = 1; turn <= turns; turn++) {
    const text = `Question ${turn}? ${'Why is that so? '.repeat(Math.floor(draw() * 25))}`
    const { end, entries, events } = await realRun({ home, url: server.url, text, maxEntries: 40 })
    expect(end).toEqual({ type: 'ended', outcome: 'complete' })
    told.push(...entries.map(({ id }) => id))
    for (const event of events)
      if (event.type === 'compaction') phases.set(event.phase, (phases.get(event.phase) ?? 0) + 1)
    if (turn % 400 === 0) fs.rmSync(path.join(home, 'contexts/garden/requests.jsonl'))
    // The window file against the transcript, calls against results, partitions against their manifest.
    if (draw() < 30 / turns || turn === turns) expect(checkHome(home)).toEqual([])
  }
  expect(faults).toEqual([])
  expect(largest).toBeLessThan(limit)
  expect(largest).toBeGreaterThan(limit * 0.5)
  const stored = idsIn(home).filter(({ type }) => type !== 'context_created')
  expect(stored.map(({ id }) => id)).toEqual(told)
  expect(new Set(told).size).toBe(told.length)
  const compactions = stored.filter(({ type }) => type === 'compaction').length
  expect(compactions).toBe(phases.get('done'))
  expect(compactions).toBeGreaterThan(turns / 40)
  expect(phases.get('kept') ?? 0).toBeGreaterThan(0)
})
