import fs from 'node:fs/promises'
import path from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { type Disk, DiskError } from '../../../../src/main/disk/interface/disk'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { type Library, openLibrary } from '../../../../src/main/library/library'
import type { LibraryRowChange } from '../../../../src/main/library/list/change-feed'
import { openHistories } from '../../../../src/main/library/sources/histories'
import { openStore } from '../../../../src/main/store/open-store'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import { jsonLine, message } from '../../../support/entries'
import { tempFolders } from '../../../support/temp-folder'

const folder = tempFolders()
const opened: Library[] = []
afterEach(async () => {
  for (const library of opened.splice(0)) await library.close()
})

const chat = LibraryKey.parse('cycod:chat-history-1754437000000')
const all = Number.POSITIVE_INFINITY
const noEnd = () => new AbortController().signal

/** A home with one context, a chat of cycod's, and a day of voicemode's with one conversation. */
async function person() {
  const root = folder()
  const home = path.join(root, 'home')
  const store = openStore({ home, disk: nodeDisk, now: () => 1_780_000_000_000 })
  const writer = await store.openWriter('garden', { create: true })
  await writer.append(message('hello'))
  await writer.close()
  const file = path.join(root, 'cycod', 'history', 'chat-history-1754437000000.jsonl')
  await write(file, [
    { role: 'user', content: 'How deep do tulips go?' },
    { role: 'assistant', content: 'Fifteen centimetres.' },
  ])
  const day = path.join(root, 'voice', 'logs', 'conversations', 'exchanges_2025-08-02.jsonl')
  await write(day, [
    {
      version: 3,
      timestamp: '2025-08-02T09:30:00+02:00',
      conversation_id: 'conv_20250802_093000_two002',
      type: 'stt',
      text: 'wake me at six',
      metadata: {},
    },
  ])
  return { root, home, file, day, cache: path.join(root, 'cache') }
}

async function write(file: string, lines: readonly unknown[]): Promise<void> {
  await fs.mkdir(path.dirname(file), { recursive: true })
  await fs.writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
}

function open({ root, home, cache }: Awaited<ReturnType<typeof person>>, disk: Disk = nodeDisk) {
  const changes: LibraryRowChange[] = []
  const library = openLibrary({
    disk,
    store: openStore({ home, disk }),
    shownHome: '~/.chibi',
    histories: openHistories(disk, [
      { source: 'cycod', path: path.join(root, 'cycod') },
      { source: 'voicemode', path: path.join(root, 'voice') },
    ]),
    cacheFolder: cache,
    isRunning: () => false,
    changed: (change) => changes.push(change),
    watched: false,
  })
  opened.push(library)
  return Object.assign(library, { changes })
}

it('finds nothing where every line is where it belongs', async () => {
  const library = open(await person())
  expect(await library.lost()).toEqual({ items: [], counted: 0, waiting: 3, large: 0 })
  await library.countAll(all, noEnd())
  expect(await library.lost()).toEqual({ items: [], counted: 3, waiting: 0, large: 0 })
})

it('tells damaged lines of what was counted, with where it lies', async () => {
  const somebody = await person()
  await fs.appendFile(somebody.file, 'no JSON\n{"role":\n')
  const library = open(somebody)
  expect((await library.lost()).items).toEqual([])

  await library.countAll(all, noEnd())

  expect((await library.lost()).items).toEqual([
    {
      kind: 'damaged',
      source: 'cycod',
      key: chat,
      title: 'How deep do tulips go?',
      lines: 2,
      words: [],
      place: somebody.file,
    },
  ])
})

it('leaves what is too large to be counted waiting', async () => {
  const somebody = await person()
  const library = open(somebody)
  await library.countAll((await fs.stat(somebody.file)).size - 1, noEnd())
  const { counted, waiting, large } = await library.lost()
  expect([counted + large, waiting, large > 0]).toEqual([3, 0, true])
})

it('tells one that cannot be read, and why', async () => {
  const somebody = await person()
  const library = open(somebody, {
    ...nodeDisk,
    async open(file, mode) {
      if (file === somebody.file) throw new DiskError('denied', file, 'permission denied')
      return nodeDisk.open(file, mode)
    },
  })
  await library.countAll(all, noEnd())

  const { items, counted, waiting } = await library.lost()

  expect(items).toMatchObject([
    { kind: 'unreadable', key: chat, lines: 0, words: [expect.stringContaining('denied')] },
  ])
  expect([counted, waiting]).toEqual([2, 0])
})

it('tells lines of a file of several conversations that none of them has', async () => {
  const somebody = await person()
  const day = path.join(path.dirname(somebody.day), 'exchanges_2025-08-03.jsonl')
  await fs.writeFile(day, 'no JSON\nnor this\n')
  const library = open(somebody)
  await library.countAll(all, noEnd())

  expect((await library.lost()).items).toMatchObject([
    {
      kind: 'unplaced',
      source: 'voicemode',
      title: 'logs/conversations/exchanges_2025-08-03.jsonl',
      lines: 2,
      place: day,
    },
  ])
})

it('counts every damaged line once: in its conversation, or in none', async () => {
  const somebody = await person()
  await fs.appendFile(somebody.day, 'no JSON\n')
  const own = await fs.readFile(somebody.day, 'utf8')
  await fs.writeFile(somebody.day, `also no JSON\n${own}`)
  const library = open(somebody)
  await library.countAll(all, noEnd())

  const { items } = await library.lost()

  expect(items.reduce((sum, { lines }) => sum + lines, 0)).toBe(2)
})

it('tells a partition that no manifest lists', async () => {
  const somebody = await person()
  const partitions = path.join(somebody.home, 'contexts', 'garden', 'transcript', 'partitions')
  await fs.mkdir(partitions, { recursive: true })
  await fs.writeFile(path.join(partitions, '1-2.jsonl'), `${jsonLine({ content: 'old' })}\n`)
  const library = open(somebody)
  await library.countAll(all, noEnd())

  const noticed = (await library.lost()).items.filter(({ kind }) => kind === 'noticed')

  expect(noticed).toMatchObject([{ key: 'garden', title: 'garden', lines: 0 }])
  expect(noticed[0]?.words).toEqual(['1-2.jsonl is not in the manifest; it was read anyway.'])
})

it('keeps what is gone, over a restart too, until it is forgotten', async () => {
  const somebody = await person()
  const first = open(somebody)
  await first.countAll(all, noEnd())
  await first.close()
  await fs.rm(somebody.file)

  const second = open(somebody)
  const { items } = await second.lost()
  expect(items).toEqual([
    {
      kind: 'gone',
      source: 'cycod',
      key: chat,
      title: 'How deep do tulips go?',
      lines: 0,
      words: ['Its files are no longer on the disk. It held 2 entries.'],
      place: '',
    },
  ])
  const listed = await second.list(undefined, 10)
  expect(listed.conversations.find(({ key }) => key === chat)).toMatchObject({ gone: true })

  await second.forget(chat)

  expect(second.changes.at(-1)).toEqual({ conversations: [], gone: [chat] })
  expect((await second.lost()).items).toEqual([])
  await second.close()
  const third = open(somebody)
  expect((await third.lost()).items).toEqual([])
  expect((await third.list(undefined, 10)).conversations.map(({ key }) => key)).not.toContain(chat)
})

it('does not call gone what has come back', async () => {
  const somebody = await person()
  const library = open(somebody)
  await library.countAll(all, noEnd())
  const text = await fs.readFile(somebody.file)
  await fs.rm(somebody.file)
  await library.all(false)
  expect((await library.lost()).items.map(({ kind }) => kind)).toEqual(['gone'])

  await fs.writeFile(somebody.file, text)
  const rows = await library.all(false)

  expect((await library.lost()).items).toEqual([])
  expect(rows.find(({ key }) => key === chat)?.gone).toBe(undefined)
})

it('forgets nothing that is on the disk', async () => {
  const library = open(await person())
  await library.countAll(all, noEnd())
  const before = await library.all(false)
  await library.forget(chat)
  expect(await library.all(false)).toEqual(before)
  expect(library.changes.flatMap(({ gone }) => gone)).toEqual([])
})

it('names the most pressing first, then by title', async () => {
  const somebody = await person()
  const gone = path.join(path.dirname(somebody.file), 'chat-history-1754437000001.jsonl')
  await write(gone, [{ role: 'user', content: 'Away' }])
  for (const [number, title] of ['b damaged', 'a damaged'].entries()) {
    const file = path.join(
      path.dirname(somebody.file),
      `chat-history-175443700000${number + 2}.jsonl`,
    )
    await write(file, [{ role: 'user', content: title }])
    await fs.appendFile(file, 'no JSON\n')
  }
  const library = open(somebody, {
    ...nodeDisk,
    async open(file, mode) {
      if (file === somebody.file) throw new DiskError('denied', file, 'permission denied')
      return nodeDisk.open(file, mode)
    },
  })
  await library.countAll(all, noEnd())
  await fs.rm(gone)
  await library.all(false)

  expect((await library.lost()).items.map(({ kind, title }) => [kind, title])).toEqual([
    ['unreadable', 'chat-history-1754437000000'],
    ['damaged', 'a damaged'],
    ['damaged', 'b damaged'],
    ['gone', 'Away'],
  ])
})

it('lists a place that cannot be listed to its end, as long as that is so', async () => {
  const somebody = await person()
  const history = path.dirname(somebody.file)
  let isRefused = true
  const disk: Disk = {
    ...nodeDisk,
    list: async (target) => {
      if (isRefused && target === history) throw new DiskError('denied', target, 'is not allowed')
      return nodeDisk.list(target)
    },
  }
  const library = open(somebody, disk)
  expect((await library.lost()).items).toMatchObject([
    {
      kind: 'unreadable',
      source: 'cycod',
      title: 'cycod',
      place: path.join(somebody.root, 'cycod'),
      words: [expect.stringMatching(/^cycod: .*is not allowed/)],
    },
  ])
  isRefused = false
  expect((await library.lost()).items).toEqual([])
})
