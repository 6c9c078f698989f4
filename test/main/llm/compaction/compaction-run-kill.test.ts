import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { RunEvent } from '../../../../src/shared/model/run/run'
import { bundled } from '../../../support/bundled'
import { checkHome } from '../../../support/chibi-checker/home'
import { drawnOf, tryEach } from '../../../support/drawn'
import { chunk, eventStream, type RawServer, rawServer } from '../../../support/raw-server'
import { chatRules } from '../../../support/strict-chat'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'
import { realRun } from '../support/real-run'
import { fillRoom } from './compaction-room'
import type { KilledRunArguments } from './compaction-run-kill-worker'

const temp = tempFolders(memoryFolder)
const worker = bundled('test/main/llm/compaction/compaction-run-kill-worker.ts')

/** Where a request stands: nothing of its answer is sent, or a half of it. */
type Moment = `${'choosing' | 'summarizing' | 'answering'} ${'asked' | 'half'}`
interface Asked {
  readonly phase: string
  readonly messages: readonly { readonly role: string; readonly content?: string }[]
}

let server: RawServer
let asked: Asked[] = []
const refusals: string[] = []
/** Called at each moment; the answer goes on when it gives true. */
let atMoment: (moment: Moment) => boolean = () => true

beforeAll(async () => {
  server = await rawServer((response, { body }) => {
    const request = JSON.parse(body)
    refusals.push(...chatRules(request))
    const last: string = request.messages.at(-1).content
    const [phase, words] = last.startsWith('These are the messages')
      ? (['choosing', '[1, 2, 3]'] as const)
      : last.startsWith('Please summarize')
        ? (['summarizing', 'The new summary.'] as const)
        : (['answering', 'Fine, then.'] as const)
    asked.push({ phase, messages: request.messages })
    if (!atMoment(`${phase} asked`)) return
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const half = Math.floor(words.length / 2)
    response.write(eventStream(chunk({ content: words.slice(0, half) })), () => {
      if (!atMoment(`${phase} half`)) return
      const rest = [chunk({ content: words.slice(half) }), chunk({}, 'stop'), '[DONE]']
      response.end(eventStream(...rest))
    })
  })
})
afterAll(() => server.close())

/** A home whose next request comes too near the limit. Its window begins in an archived partition. */
async function filled(): Promise<string> {
  const home = temp()
  await fillRoom(home, 6)
  return home
}

interface Killed {
  readonly told: readonly string[]
  readonly code: number | null
}

/** Runs "Question 1?" in a process of its own, and kills it when `stop` says so at a step, or at a moment of a request. */
async function killed(
  home: string,
  stop: (told: readonly string[]) => boolean,
  stopAt?: Moment,
): Promise<Killed> {
  const args: KilledRunArguments = [home, server.url, 'Question 1?']
  const child = spawn(process.execPath, [worker(), ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
  const told: string[] = []
  let rest = ''
  atMoment = (moment) => {
    if (moment !== stopAt) return true
    child.kill('SIGKILL')
    return false
  }
  child.stdin.on('error', () => {}) // It may be gone before it reads.
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      told.push(line)
      if (stop(told)) child.kill('SIGKILL')
      else child.stdin.write('.')
    }
  })
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  atMoment = () => true
  return { told, code }
}

interface Line {
  readonly id: string
  readonly content: string
  readonly entry_type: string
  readonly metadata?: { readonly kept?: readonly string[] }
}

const linesOf = (file: string): readonly Line[] =>
  fs.existsSync(file)
    ? fs
        .readFileSync(file, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    : []

/** All entries of the transcript, oldest first, without the store's code. Partitions have the times of theirs as names. */
function storedIn(home: string): readonly Line[] {
  const folder = path.join(home, 'contexts/garden/transcript')
  const { partitions } = JSON.parse(fs.readFileSync(path.join(folder, 'manifest.json'), 'utf8'))
  return [...partitions.map((one: { file: string }) => one.file), 'active.jsonl'].flatMap((file) =>
    linesOf(path.join(folder, file)),
  )
}

const eventsOf = (told: readonly string[]) =>
  told.flatMap((line) =>
    line.startsWith('event ') ? [RunEvent.parse(JSON.parse(line.slice(6)))] : [],
  )
const entriesTold = (told: readonly string[]) =>
  eventsOf(told).flatMap((event) =>
    event.type === 'appended' && event.row.type === 'entry' ? [event.row.entry] : [],
  )
const compacting = (home: string) => path.join(home, 'contexts/garden/compacting.skein.json')

/** Nothing is lost or doubled, the window is the old or the new one, and the next request is taken. */
async function goesOn(home: string, before: readonly Line[], { told }: Killed): Promise<string> {
  asked = []
  const { end } = await realRun({ home, url: server.url, text: 'Question 2?', maxEntries: 6 })
  expect(end).toEqual({ type: 'ended', outcome: 'complete' })
  expect(refusals).toEqual([])
  expect(checkHome(home, { temporaries: true })).toEqual([])
  expect(fs.existsSync(compacting(home))).toBe(false)

  const stored = storedIn(home)
  const ids = stored.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.slice(0, before.length)).toEqual(before.map(({ id }) => id))
  const places = entriesTold(told).map(({ id }) => ids.indexOf(id))
  expect(places).not.toContain(-1)
  expect(places).toEqual([...places].sort((a, b) => a - b))
  const count = (words: string) => stored.filter(({ content }) => content === words).length
  const wasSaid = entriesTold(told).some(({ content }) => content === 'Question 1?')
  if (wasSaid) expect(count('Question 1?')).toBe(1)
  else expect(count('Question 1?')).toBeLessThanOrEqual(1)
  expect(count('Question 2?')).toBe(1)

  // What the model is asked at last.
  const last = asked.at(-1)
  expect(last?.phase).toBe('answering')
  const [first = '', ...others] = last?.messages.map(({ content }) => content ?? '') ?? []
  // Words of one speaker in a row are one message.
  const said = others.flatMap((words) => words.split('\n\n'))
  expect(said.filter((one) => one === 'Question 2?')).toHaveLength(1)
  expect(said.at(-1)).toBe('Question 2?')
  // Nobody may drop it: it was not answered, or a moment ago.
  if (wasSaid) expect(said.filter((one) => one === 'Question 1?')).toHaveLength(1)
  const anchors = stored.filter(({ entry_type: type }) => type === 'compaction')
  expect(first).toContain(anchors.length > 0 ? 'The new summary.' : 'The old summary.')
  // Every word that the summary does not stand for is there.
  const shown = said.filter((one) => one.startsWith('word ')).length
  const kept = anchors.at(-1)?.metadata?.kept ?? []
  const due = stored.filter(
    ({ id, content }) => content.startsWith('word ') && (anchors.length === 0 || kept.includes(id)),
  ).length
  expect(shown).toBe(due)
  return asked.some(({ phase }) => phase === 'summarizing') ? 'old' : 'new'
}

it('a run that makes room loses and doubles nothing through kill -9 at every step', {
  timeout: 600_000,
}, async () => {
  const base = await filled()
  const before = storedIn(base)
  const copy = () => {
    const home = temp()
    fs.cpSync(base, home, { recursive: true })
    return home
  }
  const whole = copy()
  const { told, code } = await killed(whole, () => false)
  expect(code).toBe(0)
  const phases = eventsOf(told).flatMap((one) => (one.type === 'compaction' ? [one.phase] : []))
  expect(phases).toEqual(['choosing', 'summarizing', 'done'])
  expect(checkHome(whole)).toEqual([])
  const found = new Set<string>()
  const from = told.findIndex((line) => line.includes('Question 1?'))
  const to = told.findIndex((line) => line.includes('"type":"requested"'))
  // From before the person's message until the request that had to be made room for.
  const steps = [...told.entries()].filter(
    ([at, line]) => at >= from - 3 && at <= to && isOfRun(line),
  )
  // The pending file, the anchor, the summary and the window file: each is opened, written, synced and put into place.
  for (const name of ['compacting', 'active', 'summary', 'context'])
    expect(steps.filter(([, line]) => line.includes(`/${name}.`)).length).toBeGreaterThan(1)
  const kindOf = (line: string) => /^event .*?"type":"[^"]*"|^\S+/.exec(line)?.[0]
  await tryEach(
    drawnOf(steps, 4, ([, line]) => kindOf(line)),
    async ([at]) => {
      const home = copy()
      const cut = await killed(home, (lines) => lines.length === at + 1)
      expect(cut.code).toBeNull()
      found.add(await goesOn(home, before, cut))
    },
  )
  expect([...found].sort()).toEqual(['new', 'old'])
})

/** Taking and giving back the lock has tests of its own. */
function isOfRun(line: string): boolean {
  return !/\.lock|state\./.test(line)
}

it.each<[Moment, string]>([
  ['choosing asked', 'old'],
  ['choosing half', 'old'],
  ['summarizing asked', 'old'],
  ['summarizing half', 'old'],
  ['answering asked', 'new'],
  ['answering half', 'new'],
])('a run that is killed while its request is %s finds the %s window', async (moment, window) => {
  const home = await filled()
  const before = storedIn(home)
  const cut = await killed(home, () => false, moment)
  expect(cut.code).toBeNull()
  expect(entriesTold(cut.told).map(({ content }) => content)).toContain('Question 1?')
  expect(await goesOn(home, before, cut)).toBe(window)
})
