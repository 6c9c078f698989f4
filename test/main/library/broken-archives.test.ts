import fs from 'node:fs'
import path from 'node:path'
import zlib from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { nodeDisk } from '../../../src/main/disk/node/node-disk'
import { unpackingDisk } from '../../../src/main/disk/unpack/unpacking-disk'
import { exporterOf } from '../../../src/main/exporters/index'
import { countLosses } from '../../../src/main/exporters/losses'
import { toExportable } from '../../../src/main/exporters/parts/exporter'
import { countHistory } from '../../../src/main/library/count/count'
import { countReading } from '../../../src/main/library/count/count-by-reading'
import { inlineCounter, threadCounter } from '../../../src/main/library/count/counter'
import { type Library, openLibrary } from '../../../src/main/library/library'
import { type History, openHistories } from '../../../src/main/library/sources/histories'
import { historyRows } from '../../../src/main/library/sources/history-transcript'
import { historyOriginal, type Original } from '../../../src/main/library/sources/originals'
import { readUnit } from '../../../src/main/readers/read-root'
import { openStore } from '../../../src/main/store/open-store'
import { LibraryKey } from '../../../src/shared/model/conversation/conversation'
import type { ExportFormat } from '../../../src/shared/model/export'
import { bundled } from '../../support/bundled'
import { tempFolders } from '../../support/temp-folder'

const folder = tempFolders()
const opened: Library[] = []
afterEach(async () => {
  for (const library of opened.splice(0)) await library.close()
})

const { signal } = new AbortController()
const lines = ['How deep do tulips go?', 'Fifteen centimetres.'].map(
  (content) => `${JSON.stringify({ role: 'user', content })}\n`,
)
const text = Buffer.from(lines.join(''))

const gzip = zlib.gzipSync(text)

/** A frame of one block that is stored as it is, as RFC 8878 has it: fewer than 256 bytes. */
const zstd = Buffer.concat([
  Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x20, text.length]),
  Buffer.from([((text.length << 3) & 0xff) | 1, text.length >> 5, 0]),
  text,
])

function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes)
  copy.writeUInt8(copy.readUInt8(at) ^ 0xff, at)
  return copy
}

const garbage = Buffer.from('\0and something behind')

/** What is wrong, the file's bytes, the entries that can be read of it, and what is said of it. */
const cases = [
  ['gz', 'with a wrong checksum', flipped(gzip, gzip.length - 8), 2, /damaged at byte \d+/],
  ['gz', 'cut in its trailer', gzip.subarray(0, -4), 2, /ends early/],
  ['gz', 'cut in its content', gzip.subarray(0, -20), undefined, /ends early/],
  [
    'gz',
    'with garbage behind',
    Buffer.concat([gzip, garbage]),
    2,
    /21 bytes after it are not read/,
  ],
  ['gz', 'with text behind', Buffer.concat([gzip, text]), 2, /damaged at byte \d+/],
  ['gz', 'that is plain text', text, 0, /is not a gzip archive/],
  ['gz', 'of 0 bytes', Buffer.alloc(0), 0, /ends early/],
  ['zst', 'cut in its content', zstd.subarray(0, -20), undefined, /ends early/],
  ['zst', 'with garbage behind', Buffer.concat([zstd, garbage]), 2, /the archive (?:is|ends)/],
  ['zst', 'that is plain text', text, 0, /is not a zstd archive/],
  ['zst', 'of 0 bytes', Buffer.alloc(0), 0, /ends early/],
] as const

const name = 'chat-history-1754437000000.jsonl'
const keyOfOnly = LibraryKey.parse('cycod:chat-history-1754437000000')

/** A root of cycod's with one packed history. */
function rootOf(extension: string, bytes: Uint8Array): string {
  const root = path.join(folder(), 'cycod')
  fs.mkdirSync(root, { recursive: true })
  fs.writeFileSync(path.join(root, `${name}.${extension}`), bytes)
  return root
}

function open(root: string, cacheFolder?: string): Library {
  const disk = unpackingDisk(nodeDisk)
  const library = openLibrary({
    disk,
    store: openStore({ home: path.join(root, '../home'), disk }),
    shownHome: '~/.chibi',
    histories: openHistories(disk, [{ source: 'cycod', path: root }]),
    ...(cacheFolder === undefined ? {} : { cacheFolder }),
    isRunning: () => false,
    changed: () => {},
    watched: false,
  })
  opened.push(library)
  return library
}

async function onlyOf(root: string, source: 'cycod' | 'voicemode' = 'cycod') {
  const disk = unpackingDisk(nodeDisk)
  const [history] = await openHistories(disk, [{ source, path: root }]).list()
  if (history === undefined) throw new Error('nothing was listed')
  return { disk, history }
}

async function bytesOf(original: Original): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const piece of original.bytes(signal)) pieces.push(piece)
  return Buffer.concat(pieces)
}

/** What is told before a conversation is written. */
async function toldOf(format: ExportFormat, history: History) {
  const disk = unpackingDisk(nodeDisk)
  const { conversations, files, unread } = await readUnit(history.reader, history.ref, disk, signal)
  const [conversation] = conversations
  if (conversation === undefined) throw new Error('nothing was read')
  const parts = unread.map(({ part }) => part)
  const options = { branches: 'all', unread: () => parts } as const
  const form = exporterOf(format)
  return (await countLosses(form, toExportable(conversation, files), options, signal)).losses
}

const workerPath = bundled('src/main/library/count/count.worker.ts')

describe.each(cases)('an archive (.%s) %s', (extension, _what, bytes, entries, fault) => {
  const file = `${name}.${extension}`

  it('is counted as the reader tells it, with its fault, in a thread too', async () => {
    const { disk, history } = await onlyOf(rootOf(extension, bytes))
    const count = await countHistory(inlineCounter(disk), disk, history)
    const { unread, notices, ...numbers } = count
    const read = await countReading(historyRows(disk, history))
    expect([unread, notices]).toEqual([read.unread, read.notices])
    expect(numbers).toEqual({ ...numbers, entries: read.entries, damaged: read.damaged })
    if (entries !== undefined) expect(count.entries).toBe(entries)
    expect(unread).toEqual([expect.stringMatching(fault)])
    expect(unread[0]).toMatch(`${file}: `)

    const large = history.ref.files.map((one) => ({ ...one, bytes: 5000 }))
    const counter = threadCounter(disk, workerPath())
    const asked = { ...history, ref: { ...history.ref, files: large } }
    expect(await countHistory(counter, disk, asked)).toEqual(count)
    await counter.close()
  })

  it('does not look well: in the list, the details, and the lost and found', async () => {
    const root = rootOf(extension, bytes)
    const cache = folder()
    const first = open(root, cache)
    const [row] = await first.all(true)
    expect(row?.damaged).toBeGreaterThan(0)
    await first.close()

    const library = open(root, cache)
    const [remembered] = (await library.list(undefined, 10)).conversations
    expect(remembered?.damaged).toBe(row?.damaged)
    const details = await library.details(keyOfOnly)
    expect(details.notices).toEqual([expect.stringMatching(fault)])
    const { items } = await library.lost()
    expect(items).toMatchObject([
      { kind: 'damaged', lines: details.damaged, words: [expect.stringMatching(fault)] },
    ])
  })

  it('is told before it is written, in every form, and its original is not given', async () => {
    const { disk, history } = await onlyOf(rootOf(extension, bytes))
    const refused = await bytesOf(historyOriginal(disk, history)).catch((error: unknown) => error)
    expect(refused).toMatchObject({ code: 'unreadable', message: expect.stringMatching(fault) })
    expect(refused).toMatchObject({ message: expect.stringContaining(`${file}: `) })
    for (const format of ['original', 'md', 'csv', 'chibi'] as const) {
      const losses = await toldOf(format, history)
      const sentences = losses.filter(({ kind }) => kind === 'damaged').map((one) => one.sentence)
      expect(sentences, format).toEqual([expect.stringMatching(fault)])
      expect(sentences[0]).toContain(`Some of it cannot be read: ${file}: `)
    }
  })
})

it.each([
  ['gz', gzip],
  ['zst', zstd],
  ['gz', Buffer.concat([gzip, Buffer.alloc(512)])],
])('a sound archive (.%s) looks well', async (extension, bytes) => {
  const root = rootOf(extension, bytes)
  const library = open(root)
  expect(await library.all(true)).toMatchObject([{ entries: 2, damaged: 0 }])
  expect((await library.lost()).items).toEqual([])
  const { disk, history } = await onlyOf(root)
  const original = historyOriginal(disk, history)
  expect((await bytesOf(original)).equals(text)).toBe(true)
  expect(await toldOf('original', history)).toEqual([])
})

it('tells damaged lines and the broken archive as one loss, and both in the lost and found', async () => {
  const packed = zlib.gzipSync(Buffer.concat([text, Buffer.from('no JSON\n')]))
  const root = rootOf('gz', Buffer.concat([packed, garbage]))
  const library = open(root)
  expect(await library.all(true)).toMatchObject([{ entries: 2, damaged: 2 }])
  expect((await library.lost()).items).toMatchObject([
    { kind: 'damaged', lines: 1, words: [expect.stringContaining('after it are not read')] },
  ])
  const { history } = await onlyOf(root)
  const losses = await toldOf('csv', history)
  expect(losses.filter(({ kind }) => kind === 'damaged')).toEqual([
    {
      kind: 'damaged',
      unread: 1,
      count: 2,
      sentence: expect.stringMatching(
        /^Some of it cannot be read: .* are not read\. 1 damaged line is left out\.$/,
      ),
    },
  ])
})

describe("an archived day of voicemode's", () => {
  const day = 'logs/conversations/exchanges_2025-08-02.jsonl.gz'
  const line = {
    version: 3,
    timestamp: '2025-08-02T09:30:00+02:00',
    conversation_id: 'conv_20250802_093000_two002',
    type: 'stt',
    text: 'wake me at six',
    metadata: {},
  }

  function voiceRoot(bytes: Uint8Array): string {
    const root = folder()
    fs.mkdirSync(path.join(root, path.dirname(day)), { recursive: true })
    fs.writeFileSync(path.join(root, day), bytes)
    return root
  }

  it('that is broken is counted as broken in each of its conversations', async () => {
    const packed = zlib.gzipSync(`${JSON.stringify(line)}\n`)
    const { disk, history } = await onlyOf(voiceRoot(Buffer.concat([packed, garbage])), 'voicemode')
    const { entries, unread } = await countHistory(inlineCounter(disk), disk, history)
    expect([entries, unread]).toEqual([1, [expect.stringContaining(`${day}: the archive ends`)]])
    await expect(bytesOf(historyOriginal(disk, history))).rejects.toMatchObject({
      code: 'unreadable',
    })
  })

  it('that is broken and holds no conversation is told of by itself', async () => {
    const disk = unpackingDisk(nodeDisk)
    const library = openLibrary({
      disk,
      store: openStore({ home: path.join(folder(), 'home'), disk }),
      shownHome: '~/.chibi',
      histories: openHistories(disk, [{ source: 'voicemode', path: voiceRoot(Buffer.alloc(0)) }]),
      isRunning: () => false,
      changed: () => {},
      watched: false,
    })
    opened.push(library)
    await library.countAll(Number.POSITIVE_INFINITY, signal)
    const { items } = await library.lost()
    const words = [expect.stringMatching(/: the archive ends early/)]
    expect(items).toMatchObject([{ kind: 'unreadable', title: day, lines: 0, words }])
  })
})
