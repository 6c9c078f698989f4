import fs from 'node:fs'
import path from 'node:path'
import zlib from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Disk } from '../../../../src/main/disk/interface/disk'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { unpackingDisk } from '../../../../src/main/disk/unpack/unpacking-disk'
import { openBranching } from '../../../../src/main/library/branch/branching'
import { type History, openHistories } from '../../../../src/main/library/sources/histories'
import { historyRows } from '../../../../src/main/library/sources/history-transcript'
import { openStore } from '../../../../src/main/store/open-store'
import { AppError } from '../../../../src/shared/model/basics/errors'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import type { Entry } from '../../../../src/shared/model/conversation/entry'
import { allowGaps, requireWhole } from '../../../../src/shared/model/conversation/reading'
import { atEveryReading, readFaults } from '../../../support/read-faults'
import { storedZstd } from '../../../support/stored-zstd'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'

const temp = tempFolders(memoryFolder)
const nowSeconds = 1_780_000_000
const messages = 40

type Foreign = 'cycod' | 'fluux' | 'voicemode'
interface Case {
  readonly name: string
  readonly source: Foreign
  readonly key: string
  readonly files: Readonly<Record<string, string>>
}

const words = (n: number) => `words ${n} ${'and more of them '.repeat(60)}`
const lines = (of: (n: number) => object, from = 0, to = messages) =>
  Array.from({ length: to - from }, (_, n) => `${JSON.stringify(of(from + n))}\n`).join('')
const spoken = (n: number) => ({
  version: 3,
  timestamp: new Date(Date.UTC(2025, 7, 1, 23, 40) + n * 60_000).toISOString(),
  conversation_id: 'conv_20250801_234000_mid',
  type: n % 2 === 0 ? 'stt' : 'tts',
  text: words(n),
  metadata: {},
})
const dayOf = (day: string) => `logs/conversations/exchanges_${day}.jsonl`

const plain: readonly Case[] = [
  {
    name: 'cycod',
    source: 'cycod',
    key: 'chat-history-1754437000000',
    files: {
      'history/chat-history-1754437000000.jsonl': lines((n) => ({
        role: n % 2 === 0 ? 'user' : 'assistant',
        content: words(n),
      })),
    },
  },
  {
    name: 'fluux',
    source: 'fluux',
    key: 'mira@example.org',
    files: {
      'mira@example.org/history.jsonl': lines((n) => ({
        type: 'message',
        role: n % 2 === 0 ? 'user' : 'assistant',
        content: words(n),
        msg_id: `m${n}`,
        ts: new Date(nowSeconds * 1000 + n * 1000).toISOString(),
      })),
    },
  },
  {
    name: 'voicemode, over midnight',
    source: 'voicemode',
    key: 'conv_20250801_234000_mid',
    files: {
      [dayOf('2025-08-01')]: lines(spoken, 0, 20),
      [dayOf('2025-08-02')]: lines(spoken, 20, messages),
    },
  },
]
const packed = (one: Case, extension: string): Case => ({
  ...one,
  name: `${one.name} (.${extension})`,
  files: Object.fromEntries(
    Object.entries(one.files).map(([file, text]) => [`${file}.${extension}`, text]),
  ),
})
const cases: readonly Case[] = plain.flatMap((one) => [one, packed(one, 'gz'), packed(one, 'zst')])

function bytesOf(file: string, text: string): Uint8Array {
  const content = Buffer.from(text)
  if (file.endsWith('.gz')) return zlib.gzipSync(content)
  return file.endsWith('.zst') ? storedZstd(content) : content
}

let made: string
beforeAll(() => {
  made = fs.mkdtempSync(path.join(memoryFolder, 'skein-roots-'))
})
afterAll(() => fs.rmSync(made, { recursive: true, force: true }))

/** A root that holds the case's files. @param change of each file's bytes */
function rootOf({ name, files }: Case, change = (bytes: Uint8Array) => bytes, as = name): string {
  const root = path.join(made, as.replace(/[^a-z]/g, '-'))
  for (const [file, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
    fs.writeFileSync(path.join(root, file), change(bytesOf(file, text)))
  }
  return root
}

async function lastOf({ reader, ref, key }: History, disk: Disk): Promise<Entry> {
  const history = { reader, ref, key }
  const entries: Entry[] = []
  for await (const row of allowGaps(historyRows(disk, history).rows, () => undefined))
    if (row.type === 'entry') entries.push(row.entry)
  const last = entries.at(-1)
  if (last === undefined) throw new Error('no entry can be read')
  return last
}

async function historyIn(root: string, { source, key }: Case, disk: Disk) {
  const histories = openHistories(disk, [{ source, path: root }])
  const history = await histories.find(LibraryKey.parse(`${source}:${key}`))
  return { histories, history }
}

/** Adopts the conversation up to its last entry. */
async function adopted(home: string, root: string, one: Case, disk: Disk) {
  const sound = unpackingDisk(nodeDisk)
  const { history: there } = await historyIn(root, one, sound)
  if (there === undefined) throw new Error('nothing was listed')
  const { id: entry, file, offset } = await lastOf(there, sound)
  const { histories } = await historyIn(root, one, disk)
  const store = openStore({ home, disk, now: () => nowSeconds * 1000 })
  const branching = openBranching({
    store,
    histories,
    disk,
    ask: () => Promise.reject(new Error('nobody is asked')),
    created: async () => undefined,
    now: () => nowSeconds * 1000,
  })
  return branching.create(there.key, { entry, file, offset }, { type: 'branch' })
}

async function contentsOf(home: string, name: string): Promise<readonly string[]> {
  const contents: string[] = []
  for await (const row of requireWhole(
    (await openStore({ home, disk: nodeDisk }).readWhole(name)).rows,
  ))
    if (row.type === 'entry') contents.push(row.entry.content)
  return contents
}

function contextsIn(home: string): readonly string[] {
  const folder = path.join(home, 'contexts')
  return fs.existsSync(folder) ? fs.readdirSync(folder) : []
}

const all = Array.from({ length: messages }, (_, n) => words(n))

/** What a system says makes no difference to the formats: all of them meet the first. */
const casesOf = (plan: (typeof readFaults)[number]) =>
  plan === readFaults[0]
    ? cases
    : cases.filter(({ name }) => ['cycod (.gz)', 'voicemode, over midnight'].includes(name))

describe.each(readFaults)('with $errno at any reading', (plan) => {
  it.each(casesOf(plan))('$name is adopted whole or refused in words', async (one) => {
    const root = rootOf(one)
    const { calls } = await atEveryReading(
      plan,
      async (faulty) => {
        const home = temp()
        const came = await adopted(home, root, one, unpackingDisk(faulty)).catch(
          (error: unknown) => error,
        )
        return { home, came }
      },
      async (outcome) => {
        if ('refused' in outcome) throw outcome.refused
        const { home, came } = outcome.made
        const names = contextsIn(home)
        expect(names.filter((name) => name.startsWith('.'))).toEqual([])
        for (const name of names) expect((await contentsOf(home, name)).slice(1)).toEqual(all)
        if (came instanceof Error) {
          expect(came).toBeInstanceOf(AppError)
          expect(came.message).not.toBe('')
        } else expect(names).toHaveLength(1)
      },
    )
    expect(calls).toBeGreaterThan(plan.only === 'open' ? 8 : 15)
  })
})

describe.each(cases.filter(({ name }) => name.includes('(.')))('$name', (one) => {
  it.each([0.1, 0.5, 0.9, 0.999])(
    'cut at %d of its bytes says what is missing, and counts it',
    async (at) => {
      const cut = (bytes: Uint8Array) => bytes.subarray(0, Math.floor(bytes.length * at))
      const root = rootOf(one, cut, `${one.name} cut ${'x'.repeat(at * 10)}`)
      const home = temp()
      const came = await adopted(home, root, one, unpackingDisk(nodeDisk)).catch(
        (error: unknown) => error,
      )
      // So little of it that no line is whole.
      if (came instanceof Error) return expect(came.message).toMatch(/no entry|nothing was listed/)
      const { key, report } = came as Awaited<ReturnType<typeof adopted>>
      const contents = (await contentsOf(home, key)).slice(1)
      expect(contents.length).toBeLessThanOrEqual(messages)
      expect(report?.dropped).toBeGreaterThan(0)
      expect(report?.unread).toBeGreaterThan(0)
      expect(report?.notes[0]).toMatch(/: the archive ends early, after \d+ bytes\./)
      expect(report?.notes[0]).toMatch(/Its content after byte [\d,]+ is not in the copy\./)
    },
  )
})
