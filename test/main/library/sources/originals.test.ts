import fs from 'node:fs'
import path from 'node:path'
import zlib from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { appDisk } from '../../../../src/main/disk/app-disk'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { openHistories } from '../../../../src/main/library/sources/histories'
import {
  contextOriginal,
  libraryOriginal,
  type Original,
} from '../../../../src/main/library/sources/originals'
import { historyDisk } from '../../../../src/main/readers/history-disk'
import { readers } from '../../../../src/main/readers/index'
import { readRoot } from '../../../../src/main/readers/read-root'
import { openStore } from '../../../../src/main/store/open-store'
import {
  type LibraryKey,
  libraryKeyOf,
} from '../../../../src/shared/model/conversation/conversation'
import type { SourceId } from '../../../../src/shared/model/conversation/sources'
import { tempFolders } from '../../../support/temp-folder'

const temp = tempFolders()
const fixtures = path.join(__dirname, '../../../fixtures')
const signal = new AbortController().signal

async function bytesOf(original: Original): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const piece of original.bytes(signal)) pieces.push(piece)
  return Buffer.concat(pieces)
}

/** The originals of everything under a root of another system. */
async function originalsIn(source: SourceId, root: string, disk = nodeDisk) {
  const histories = openHistories(disk, [{ source, path: root }])
  const store = openStore({ home: path.join(temp(), 'home'), disk })
  const originalOf = (key: LibraryKey) => libraryOriginal({ store, histories }, key, disk)
  return { listed: await histories.list(), originalOf }
}

/** The originals of the contexts of a home, by name. */
async function originalsOfHome(home: string) {
  const store = openStore({ home, disk: nodeDisk })
  const found = new Map<string, { readonly name: string; readonly bytes: Buffer }>()
  for (const { name } of await store.listContexts()) {
    const original = await contextOriginal(nodeDisk, store, name)
    found.set(name, { name: original.name, bytes: await bytesOf(original) })
  }
  return found
}

/** A file's lines that are not white space alone, each with a line feed: what stands there, byte for byte. */
function writtenLines(...files: readonly string[]): Buffer {
  const lines = files.flatMap((file) => fs.readFileSync(file).toString('latin1').split('\n'))
  const kept = lines.filter((line) => line.replace(/^\u00ef\u00bb\u00bf/, '').trim() !== '')
  return Buffer.from(kept.map((line) => `${line}\n`).join(''), 'latin1')
}

/** Bytes and times of everything under a folder. */
function state(root: string) {
  return fs
    .readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(root, name))
    .filter((file) => fs.statSync(file).isFile())
    .map((file) => [file, fs.readFileSync(file).toString('base64'), fs.statSync(file).mtimeMs])
}

describe('a conversation with a file of its own', () => {
  it.each([
    ['cycod', 'readers/cycod/input'],
    ['cycod', 'branches/cycod-family'],
    ['fluux', 'readers/fluux/input'],
    ['fluux', 'readers/fluux/memory'],
    ['fluux', 'readers/fluux/tricky'],
  ] as const)('of %s is told byte for byte, under its own name: %s', async (source, folder) => {
    const root = path.join(fixtures, folder)
    const before = state(root)
    const { listed, originalOf } = await originalsIn(source, root)
    expect(listed.length).toBeGreaterThan(1)
    for (const { key, ref } of listed) {
      const file = path.join(root, ref.files[0]?.file ?? '')
      const original = await originalOf(key)
      expect((await bytesOf(original)).equals(fs.readFileSync(file))).toBe(true)
      expect(original.name).toBe(path.basename(file))
    }
    expect(state(root)).toEqual(before)
  })

  it('is told unpacked where it is packed, larger than one chunk and with what is no text', async () => {
    const root = temp()
    const noise = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))
    const long = Buffer.alloc(3_000_000, `{"role":"user","content":"${'soup '.repeat(99)}"}\n`)
    const content = Buffer.concat([Buffer.from('\ufeff\r\n\n'), noise, long, Buffer.from('{"cut')])
    const packed = path.join(root, 'chat-history-1754437000000.jsonl.gz')
    fs.writeFileSync(packed, zlib.gzipSync(content))
    const { listed, originalOf } = await originalsIn('cycod', root, appDisk)
    const original = await originalOf(listed[0]?.key ?? libraryKeyOf('cycod', ''))
    expect((await bytesOf(original)).equals(content)).toBe(true)
    expect(original.name).toBe('chat-history-1754437000000.jsonl')
  })

  it('of text files is all of them, one after the other', async () => {
    const root = path.join(fixtures, 'readers/voicemode/input')
    const { originalOf } = await originalsIn('voicemode', root)
    const names = ['stt_20250628_103055_001.txt', 'tts_20250628_103510_500.txt']
    const files = names.map((name) => fs.readFileSync(path.join(root, 'transcriptions', name)))
    const original = await originalOf(
      libraryKeyOf('voicemode', 'transcriptions/stt_20250628_103055_001'),
    )
    expect((await bytesOf(original)).equals(Buffer.concat(files))).toBe(true)
    expect(original.name).toBe('stt_20250628_103055_001.txt')
  })
})

describe('a conversation of voicemode, whose files others share', () => {
  const root = path.join(fixtures, 'readers/voicemode/input')
  const days = ['2025-08-01', '2025-08-02'].map((day) =>
    fs
      .readFileSync(path.join(root, `logs/conversations/exchanges_${day}.jsonl`))
      .toString('latin1')
      .split('\n'),
  )
  /** Lines by day and number, as an editor counts them. */
  const linesAt = (...places: readonly (readonly [day: number, line: number])[]) =>
    places.map(([day, line]) => `${days[day]?.[line - 1]}\n`).join('')

  it('has its own lines as they stand there, also the damaged ones between them, in all its days', async () => {
    const before = state(root)
    const { originalOf } = await originalsIn('voicemode', root)
    const told = async (key: string) =>
      (await bytesOf(await originalOf(libraryKeyOf('voicemode', key)))).toString('latin1')
    expect(await told('conv_20250801_235830_mid001')).toBe(
      linesAt([0, 2], [0, 4], [0, 5], [1, 1], [1, 2], [1, 3], [1, 6]),
    )
    expect(await told('conv_20250802_120000_later7')).toBe(linesAt([1, 7], [1, 8]))
    expect((await originalOf(libraryKeyOf('voicemode', 'conv_20250801_235830_mid001'))).name).toBe(
      'exchanges_2025-08-01.jsonl',
    )
    expect(state(root)).toEqual(before)
  })

  it('reads again as the same conversation', async () => {
    for (const folder of ['readers/voicemode/basic', 'readers/voicemode/midnight']) {
      const from = path.join(fixtures, folder)
      const reader = readers.find(({ id }) => id === 'voicemode')
      if (reader === undefined) throw new Error('no reader')
      const { originalOf } = await originalsIn('voicemode', from)
      const { conversations } = await readRoot(reader, from, nodeDisk, signal)
      expect(conversations.length).toBeGreaterThan(0)
      for (const { key, entries, title } of conversations) {
        const original = await originalOf(libraryKeyOf('voicemode', key))
        const copy = path.join(temp(), original.name)
        fs.writeFileSync(copy, await bytesOf(original))
        const again = await readRoot(reader, copy, nodeDisk, signal)
        const own = again.conversations.find((one) => one.title === title)
        expect(own?.entries.map(({ content, timestamp }) => [content, timestamp])).toEqual(
          entries.map(({ content, timestamp }) => [content, timestamp]),
        )
      }
    }
  })
})

describe('a conversation in a document', () => {
  it.each(['chatgpt', 'claude-ai'] as const)(
    'of %s is its bytes there, and reads again as the same conversation',
    async (source) => {
      const records = historyDisk(appDisk)
      const from = path.join(fixtures, 'readers', source, 'input')
      const reader = readers.find(({ id }) => id === source)
      if (reader === undefined) throw new Error('no reader')
      const before = state(from)
      const { originalOf } = await originalsIn(source, from, records)
      const { conversations } = await readRoot(reader, from, records, signal)
      const whole = conversations.filter(({ entries }) =>
        entries.some(({ role }) => role === 'user'),
      )
      expect(whole.length).toBeGreaterThan(1)
      for (const { key, entries, title } of whole) {
        const original = await originalOf(libraryKeyOf(source, key))
        const copy = path.join(temp(), original.name)
        fs.writeFileSync(copy, await bytesOf(original))
        const again = await readRoot(reader, copy, records, signal)
        expect(again.conversations.map((one) => [one.key, one.title])).toEqual([[key, title]])
        expect(again.conversations[0]?.entries.map(({ content }) => content)).toEqual(
          entries.map(({ content }) => content),
        )
      }
      expect(state(from)).toEqual(before)
    },
  )
})

describe('a context', () => {
  it('has the lines of all its partitions as one transcript', async () => {
    const home = path.join(fixtures, 'chibi/home-v09')
    const before = state(home)
    const { name, bytes } = (await originalsOfHome(home)).get('default') ?? {}
    const folder = path.join(home, 'contexts/default/transcript')
    const names = ['1770000000-1770000063', '1770000070-1770000092']
    const files = [...names.map((one) => `partitions/${one}.jsonl`), 'active.jsonl']
    expect(bytes?.equals(writtenLines(...files.map((file) => path.join(folder, file))))).toBe(true)
    expect(name).toBe('active.jsonl')
    expect(state(home)).toEqual(before)
  })

  it('has every damaged line, bad byte, mark and carriage return, and no blank line', async () => {
    const home = temp()
    const tricky = path.join(fixtures, 'chibi/tricky')
    const names = fs.readdirSync(tricky)
    for (const name of names)
      fs.cpSync(path.join(tricky, name), path.join(home, 'contexts', name), { recursive: true })
    const found = await originalsOfHome(home)
    expect([...found.keys()].sort()).toEqual(names.sort())
    for (const [name, { bytes }] of found) {
      const file = path.join(home, 'contexts', name, 'transcript/active.jsonl')
      expect([name, bytes.equals(writtenLines(file))]).toEqual([name, true])
    }
  })

  it('of the earliest form is its document', async () => {
    const home = path.join(fixtures, 'chibi/home-v05')
    const { name, bytes } = (await originalsOfHome(home)).get('default') ?? {}
    expect(name).toBe('context.json')
    expect(bytes?.equals(fs.readFileSync(path.join(home, 'contexts/default/context.json')))).toBe(
      true,
    )
  })

  it('whose active partition is rotated while it is read is told whole', async () => {
    const home = temp()
    const store = openStore({ home, disk: nodeDisk })
    const folder = path.join(home, 'contexts/garden/transcript')
    fs.mkdirSync(path.join(folder, 'partitions'), { recursive: true })
    const line = (second: number) =>
      `{"id":"a${second}","timestamp":${second},"from":"user","to":"garden","content":"soup","entry_type":"message"}\n`
    fs.writeFileSync(path.join(folder, 'active.jsonl'), line(1) + line(2))
    const original = await contextOriginal(nodeDisk, store, 'garden')
    fs.renameSync(path.join(folder, 'active.jsonl'), path.join(folder, 'partitions/1-2.jsonl'))
    fs.writeFileSync(path.join(folder, 'active.jsonl'), line(3))
    expect((await bytesOf(original)).toString()).toBe(line(1) + line(2))
    fs.rmSync(path.join(folder, 'partitions/1-2.jsonl'))
    await expect(bytesOf(original)).rejects.toMatchObject({ code: 'unreadable' })
  })
})

it('says so when a conversation is not there any more', async () => {
  const { originalOf } = await originalsIn('cycod', path.join(temp(), 'nowhere'))
  await expect(originalOf(libraryKeyOf('cycod', 'chat-history-1'))).rejects.toMatchObject({
    code: 'not-found',
  })
})
