import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { readContextWindow } from '../../../../src/main/store/context-window/read-window'
import { openStore } from '../../../../src/main/store/open-store'
import { bundled } from '../../../support/bundled'
import { callKind } from '../../../support/call-kinds'
import { checkHome } from '../../../support/chibi-checker/home'
import { drawnOf, tryEach } from '../../../support/drawn'
import { message } from '../../../support/entries'
import { chunk, eventStream, type RawServer, rawServer } from '../../../support/raw-server'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'
import type { KilledCompactionArguments } from './compaction-kill-worker'

const temp = tempFolders(memoryFolder)
const worker = bundled('test/main/llm/compaction/compaction-kill-worker.ts')
let server: RawServer

beforeAll(async () => {
  server = await rawServer((response, { body }) => {
    const text: string = JSON.parse(body).messages.at(-1).content
    const words = text.startsWith('These are the messages') ? '[1, 2, 4]' : 'The new summary.'
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(eventStream(chunk({ content: words }), chunk({}, 'stop'), '[DONE]'))
  })
})
afterAll(() => server.close())

async function filled(): Promise<string> {
  const home = temp()
  const writer = await openStore({ home, disk: nodeDisk }).openWriter('garden', { create: true })
  for (let n = 1; n <= 8; n++)
    await writer.append(
      n % 2 === 1
        ? message(`word ${n}`, { from: 'user', to: 'garden', role: 'user' })
        : message(`word ${n}`, { from: 'garden', to: 'user', role: 'agent' }),
    )
  await writer.close()
  fs.writeFileSync(path.join(home, 'contexts/garden/summary.md'), 'The old summary.')
  return home
}

/** Runs a compaction in a process of its own, and kills it before its nth change of the disk; gives what it had told. */
async function killedAt(
  home: string,
  mode: KilledCompactionArguments[2],
  at: number,
): Promise<{ readonly told: readonly string[]; readonly code: number | null }> {
  const args: KilledCompactionArguments = [home, server.url, mode]
  const child = spawn(process.execPath, [worker(), ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
  const told: string[] = []
  let rest = ''
  child.stdin.on('error', () => {}) // It may be gone before it reads.
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      told.push(line)
      if (told.length === at) child.kill('SIGKILL')
      else child.stdin.write('.')
    }
  })
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { told, code }
}

const wordsOf = async (home: string) =>
  (await readContextWindow(nodeDisk, home, 'garden', 'refuse'))
    .map(({ content }) => content)
    .slice(1)
const inFile = (home: string) =>
  fs
    .readFileSync(path.join(home, 'contexts/garden/context.jsonl'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line).content)
    .filter((content) => !content.startsWith('Context c'))
const summaryOf = (home: string) =>
  fs.readFileSync(path.join(home, 'contexts/garden/summary.md'), 'utf8')

const kindOf = (step: string) => {
  const [call = '', file = ''] = step.split(' ')
  return callKind(call, file)
}

const all = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => `word ${n}`)
it.each<[KilledCompactionArguments[2], readonly string[], string]>([
  ['full', [], 'The new summary.'],
  ['rolling', ['word 3', 'word 5', 'word 6', 'word 7', 'word 8'], 'The new summary.'],
  ['drop', [], 'The old summary.'],
])(
  'the window is the old one or the new one through kill -9 at every step of %s',
  async (mode, kept, summary) => {
    const base = await filled()
    const found = new Set<string>()
    const copy = () => {
      const home = temp()
      fs.cpSync(base, home, { recursive: true })
      return home
    }
    const whole = copy()
    const { told: steps, code } = await killedAt(whole, mode, Number.POSITIVE_INFINITY)
    expect(code).toBe(0)
    expect(await wordsOf(whole)).toEqual(kept)
    expect(inFile(whole)).toEqual(kept)
    expect(checkHome(whole)).toEqual([])
    // Taking and giving back the lock has tests of its own.
    const due = [...steps.entries()].filter(([, step]) => !/\.lock|state\./.test(step))
    await tryEach(
      drawnOf(due, 1, ([, step]) => kindOf(step)),
      async ([index]) => {
        const home = copy()
        expect((await killedAt(home, mode, index + 1)).code).toBeNull()
        // What chibi would find.
        const there = inFile(home)
        if (there.length === kept.length) {
          expect(there).toEqual(kept)
          expect(summaryOf(home)).toBe(summary)
        } else expect(there).toEqual(all)
        // What the next writer of ours makes of it.
        const later = openStore({ home, disk: nodeDisk, now: () => Date.now() + 120_000 })
        await (await later.openWriter('garden', { create: false })).close()
        const isNew = inFile(home).length === kept.length
        found.add(isNew ? 'new' : 'old')
        expect(inFile(home)).toEqual(isNew ? kept : all)
        expect(summaryOf(home)).toBe(isNew ? summary : 'The old summary.')
        expect(checkHome(home, { temporaries: true })).toEqual([])
      },
    )
    expect([...found].sort()).toEqual(['new', 'old'])
  },
)
