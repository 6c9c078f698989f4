import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createRandom } from '../../../../bench/support/random'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { openStore } from '../../../../src/main/store/open-store'
import type { Entry } from '../../../../src/shared/model/conversation/entry'
import { RunEvent } from '../../../../src/shared/model/run/run'
import { bundled } from '../../../support/bundled'
import { checkHome } from '../../../support/chibi-checker/home'
import { drawnOf } from '../../../support/drawn'
import { drawnSeed } from '../../../support/drawn-alike'
import { untilNoneIsLeft } from '../../../support/every-call'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'
import { type ScriptedServer, startScripted } from '../support/kill-server'
import { realRun } from '../support/real-run'
import type { KilledRunArguments } from './kill-worker'

/** Kills at a change of the disk. 500 by hand: `SKEIN_TRIALS=500 npx vitest run test/main/llm/run/kill.test.ts` */
const trials = Number(process.env.SKEIN_TRIALS ?? 6)

const temp = tempFolders(memoryFolder)
const worker = bundled('test/main/llm/run/kill-worker.ts')
let server: ScriptedServer

beforeAll(async () => {
  server = await startScripted()
})
afterAll(() => server.close())

/**
 * Runs "Do it, 1." in a process of its own until `stop` says so, then kills it, or until it comes to that change of the
 * disk; gives what it had told.
 */
async function runUntil(
  place: Place,
  stop: (told: readonly RunEvent[]) => boolean,
  killedAt: number | string = 0,
): Promise<{ readonly told: readonly RunEvent[]; readonly ended: boolean }> {
  const { home, work } = place
  const args: KilledRunArguments = [home, work, server.url, 'Do it, 1.', String(killedAt)]
  const child = spawn(process.execPath, [worker(), ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
  const told: RunEvent[] = []
  let rest = ''
  child.stdin.on('error', () => {}) // It may be gone before it reads.
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      told.push(RunEvent.parse(JSON.parse(line)))
      if (stop(told)) child.kill('SIGKILL')
      else child.stdin.write('.')
    }
  })
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { told, ended: code === 0 }
}

interface Place {
  readonly home: string
  readonly work: string
}

/** A home with a prompt, the context that messages go to, a message that waits, and a folder for files. */
async function place(): Promise<Place> {
  const home = temp()
  fs.mkdirSync(path.join(home, 'prompts'))
  fs.writeFileSync(path.join(home, 'prompts/chibi.md'), 'Be a gardener.\n')
  for (const context of ['shed', 'garden'])
    await (await openStore({ home, disk: nodeDisk }).openWriter(context, { create: true })).close()
  const line = { id: randomUUID(), timestamp: 1, from: 'shed', to: 'garden', content: 'Frost.' }
  fs.writeFileSync(path.join(home, 'contexts/garden/inbox.jsonl'), `${JSON.stringify(line)}\n`)
  return { home, work: temp() }
}

const appended = (told: readonly RunEvent[]): readonly Entry[] =>
  told.flatMap((event) =>
    event.type === 'appended' && event.row.type === 'entry' ? [event.row.entry] : [],
  )

/** The contents of all lines of a context's transcript, oldest first, without the store's code. */
function storedIn(home: string): readonly Record<string, unknown>[] {
  const folder = path.join(home, 'contexts/garden/transcript')
  const manifest = path.join(folder, 'manifest.json')
  const partitions = fs.existsSync(manifest)
    ? JSON.parse(fs.readFileSync(manifest, 'utf8')).partitions.map(
        (one: { file: string }) => one.file,
      )
    : []
  return [...partitions, 'active.jsonl']
    .map((file) => path.join(folder, file))
    .filter((file) => fs.existsSync(file))
    .flatMap((file) => fs.readFileSync(file, 'utf8').split('\n').filter(Boolean))
    .map((line) => JSON.parse(line))
}

function inbox(home: string, context: string): readonly string[] {
  const file = path.join(home, 'contexts', context, 'inbox.jsonl')
  if (!fs.existsSync(file)) return []
  return fs
    .readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line).content)
}

/** Nothing durable is lost, nothing doubled, and the conversation goes on, by every rule. */
async function goesOn({ home, work }: Place, told: readonly RunEvent[]): Promise<void> {
  const kept = appended(told)
  const { end } = await realRun({ home, work, url: server.url, text: 'Do it, 2.', maxEntries: 6 })
  expect(server.refusals).toEqual([])
  expect(end).toEqual({ type: 'ended', outcome: 'complete' })
  // A file that was being replaced when its process died may lie about; readers ignore it.
  expect(checkHome(home, { temporaries: true })).toEqual([])

  const stored = storedIn(home)
  const ids = stored.map(({ id }) => id)
  const places = kept.map(({ id }) => ids.indexOf(id))
  expect(places).toEqual([...places].sort((a, b) => a - b))
  expect(places).not.toContain(-1)
  for (const entry of kept)
    expect(stored.find(({ id }) => id === entry.id)).toMatchObject({
      content: entry.content,
      entry_type: entry.entry_type,
    })
  const saying = (words: string) => stored.filter(({ content }) => String(content).includes(words))
  expect(saying('Do it, 1.').length).toBeLessThanOrEqual(1)
  // The message that waited is delivered once, whichever request it went with.
  expect(saying('[From: shed] Frost.')).toHaveLength(1)
  expect(inbox(home, 'garden')).toEqual([])

  const messages = inbox(home, 'shed')
  const sent = kept.some(
    (entry) => entry.from === 'send_message' && entry.content.startsWith('The'),
  )
  const first = messages.filter((content) => content === 'Rain 1.').length
  expect(first).toBeLessThanOrEqual(1)
  if (sent) expect(first).toBe(1)
  expect(messages.filter((content) => content === 'Rain 2.')).toHaveLength(1)
  expect(fs.readFileSync(path.join(work, 'plan.md'), 'utf8')).toBe('Water the beds, 2.\n')
}

it('keeps everything through kill -9 at every event', { timeout: 600_000 }, async () => {
  const whole = await runUntil(await place(), () => false)
  expect(whole.ended).toBe(true)
  expect(server.refusals).toEqual([])
  const names = whole.told.map((event) => event.type)
  for (const type of ['appended', 'requested', 'delta', 'tool', 'ended'])
    expect(names).toContain(type)
  const due = drawnOf([...whole.told.entries()], 2, ([, { type }]) => type)
  await untilNoneIsLeft(async (next) => {
    const at = (due[next - 1]?.[0] ?? Number.NaN) + 1
    if (Number.isNaN(at)) return true
    const one = await place()
    const { told } = await runUntil(one, (events) => events.length === at)
    expect(told).toHaveLength(at)
    expect(checkHome(one.home, { openCalls: true, inUse: true })).toEqual([])
    await goesOn(one, told)
    return false
  })
})

it('keeps everything through kill -9 between events', { timeout: 600_000 }, async () => {
  const random = createRandom(drawnSeed)
  const kills = Array.from({ length: trials }, () => 1 + random.below(120))
  await untilNoneIsLeft(async (at) => {
    const killedAt = kills[at - 1]
    if (killedAt === undefined) return true
    const one = await place()
    const { told, ended } = await runUntil(one, () => false, killedAt)
    expect(ended).toBe(false)
    await goesOn(one, told)
    return false
  })
})

it('delivers a message once when it is killed with that in the transcript and in the inbox', async () => {
  const one = await place()
  const { told, ended } = await runUntil(one, () => false, 'inbox.sorting')
  expect([ended, inbox(one.home, 'garden')]).toEqual([false, ['Frost.']])
  const saying = storedIn(one.home).filter(({ content }) => String(content).includes('Frost.'))
  expect(saying).toHaveLength(1)
  await goesOn(one, told)
})

it('keeps everything of a process that is killed again while it recovers', {
  timeout: 600_000,
}, async () => {
  const one = await place()
  const told: RunEvent[] = []
  for (const at of [4, 9, 14, 19, 24]) {
    const ran = await runUntil(one, (events) => events.length === at)
    told.push(...ran.told)
    expect(checkHome(one.home, { openCalls: true, inUse: true })).toEqual([])
  }
  const ids = storedIn(one.home).map(({ id }) => id)
  expect(appended(told).filter(({ id }) => !ids.includes(id))).toEqual([])
  const { end } = await realRun({ ...one, url: server.url, text: 'Do it, 2.', maxEntries: 6 })
  expect(server.refusals).toEqual([])
  expect(end).toEqual({ type: 'ended', outcome: 'complete' })
  expect(checkHome(one.home, { temporaries: true })).toEqual([])
})
