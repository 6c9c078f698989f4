import fs from 'node:fs/promises'
import path from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { type Disk, DiskError } from '../../../src/main/disk/interface/disk'
import { nodeDisk } from '../../../src/main/disk/node/node-disk'
import { type Library, openLibrary } from '../../../src/main/library/library'
import type { LibraryRowChange } from '../../../src/main/library/list/change-feed'
import { openHistories } from '../../../src/main/library/sources/histories'
import { openStore } from '../../../src/main/store/open-store'
import { LibraryKey } from '../../../src/shared/model/conversation/conversation'
import { message } from '../../support/entries'
import { stillTime } from '../../support/still-time'
import { tempFolders } from '../../support/temp-folder'

const folder = tempFolders()
// The first page waits for a moment for the order by the entries' own times.
stillTime()
const opened: Library[] = []
afterEach(async () => {
  for (const library of opened.splice(0)) await library.close()
})

const startedAtMs = 1_754_437_000_000
const key = LibraryKey.parse(`cycod:chat-history-${startedAtMs}`)

/** A person's folder: a home with one context, and cycod's with one conversation. */
async function person() {
  const root = folder()
  const home = path.join(root, 'home')
  const history = path.join(root, 'cycod', 'history')
  await fs.mkdir(history, { recursive: true })
  const file = path.join(history, `chat-history-${startedAtMs}.jsonl`)
  await writeChat(file, ['How deep do tulips go?', 'Fifteen centimetres.'])
  const store = openStore({ home, disk: nodeDisk, now: () => 1_780_000_000_000 })
  const writer = await store.openWriter('garden', { create: true })
  await writer.append(message('hello', { metadata: { model: 'm-1' } }))
  await writer.close()
  return { root, home, history, file, cache: path.join(root, 'cache') }
}

async function writeChat(file: string, texts: readonly string[]): Promise<void> {
  const lines = texts.map((content, n) => ({ role: n % 2 === 0 ? 'user' : 'assistant', content }))
  await fs.writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
}

function open(
  { root, home, cache }: Awaited<ReturnType<typeof person>>,
  options: {
    disk?: Disk
    changed?: (change: LibraryRowChange) => void
    note?: (words: string) => void
    interrupted?: (names: readonly string[]) => void
    watched?: boolean
    isPartial?: () => boolean
  } = {},
) {
  const { disk = nodeDisk, changed = () => {}, watched = false, ...rest } = options
  const library = openLibrary({
    disk,
    store: openStore({ home, disk }),
    shownHome: '~/.chibi',
    histories: openHistories(disk, [{ source: 'cycod', path: path.join(root, 'cycod') }]),
    cacheFolder: cache,
    isRunning: () => false,
    changed,
    watched,
    ...rest,
  })
  opened.push(library)
  return library
}

/** A disk that remembers what was opened to be read. */
function watchedDisk(): { disk: Disk; read: string[] } {
  const read: string[] = []
  const disk: Disk = {
    ...nodeDisk,
    open(file, mode) {
      if (mode === 'read' && file.endsWith('.jsonl')) read.push(path.basename(file))
      return nodeDisk.open(file, mode)
    },
  }
  return { disk, read }
}

const whole = Number.POSITIVE_INFINITY
const noEnd = () => new AbortController().signal

it('lists other systems beside our contexts, under names of their own', async () => {
  const somebody = await person()
  await fs.utimes(somebody.file, 1_790_000_000, 1_790_000_000)

  const { conversations, total } = await open(somebody).list(undefined, 10)

  expect(total).toBe(2)
  expect(conversations).toMatchObject([
    {
      source: 'cycod',
      key,
      title: 'How deep do tulips go?',
      project: null,
      created: '2025-08-05T23:36:40.000Z',
      updated: '2026-09-21T14:13:20.000Z',
      bytes: (await fs.stat(somebody.file)).size,
      lock: { state: 'free' },
      running: false,
    },
    { source: 'chibi', key: 'garden', title: 'garden' },
  ])
})

it('tells the details of a conversation of another system', async () => {
  const somebody = await person()
  await fs.appendFile(somebody.file, '\n{"role":"assist')

  expect(await open(somebody).details(key)).toMatchObject({
    summary: { key, entries: 2, damaged: 1 },
    folder: somebody.file,
    partitions: 0,
    lines: 4,
    blank: 1,
    damaged: 1,
    models: [],
  })
})

it('reads on its second start only what has changed', async () => {
  const somebody = await person()
  await writeChat(path.join(somebody.history, 'chat-history-1754437000001.jsonl'), ['Other'])
  const first = open(somebody)
  await first.list(undefined, 10)
  await first.countAll(whole, noEnd())
  await first.close()
  await writeChat(somebody.file, ['How deep do roses go?', 'Deeper.', 'Thanks.'])

  const { disk, read } = watchedDisk()
  const rows = await open(somebody, { disk }).all(true)

  expect(
    new Set(read.filter((name) => name.startsWith('chat-history') || name === 'active.jsonl')),
  ).toEqual(new Set([`chat-history-${startedAtMs}.jsonl`]))
  expect(rows.find((row) => row.key === key)).toMatchObject({
    title: 'How deep do roses go?',
    entries: 3,
  })
  expect(rows.map(({ entries }) => entries).sort()).toEqual([1, 2, 3])
})

it('opens one file of a thousand on its second start where one has changed', async () => {
  const somebody = await person()
  const names = Array.from({ length: 1000 }, (_, n) => `chat-history-${startedAtMs + n}.jsonl`)
  for (const name of names)
    await writeChat(path.join(somebody.history, name), [`Question ${name}`, 'Answer'])
  const start = async (disk: Disk) => {
    const library = open(somebody, { disk })
    const { total } = await library.list(undefined, 50)
    const rows = await library.all(true)
    await library.searchables()
    await library.close()
    return [total, rows.length]
  }
  const first = watchedDisk()
  expect(await start(first.disk)).toEqual([1001, 1001])
  expect(names.filter((name) => !first.read.includes(name))).toEqual([])

  await fs.appendFile(somebody.file, `${JSON.stringify({ role: 'user', content: 'Thanks.' })}\n`)
  const second = watchedDisk()
  expect(await start(second.disk)).toEqual([1001, 1001])
  expect(new Set(second.read.filter((name) => name.startsWith('chat-history')))).toEqual(
    new Set([path.basename(somebody.file)]),
  )
})

it('gives its first page from the cache, and tells what has changed since', async () => {
  const somebody = await person()
  const gone = path.join(somebody.history, 'chat-history-1754437000001.jsonl')
  await writeChat(gone, ['Soon gone'])
  const first = open(somebody)
  await first.all(true)
  await first.close()
  await writeChat(somebody.file, ['How deep do roses go?'])
  await fs.rm(gone)
  await writeChat(path.join(somebody.history, 'chat-history-1754437000002.jsonl'), ['New'])

  const changes: LibraryRowChange[] = []
  const second = open(somebody, { changed: (change) => changes.push(change) })
  const page = await second.list(undefined, 10)
  await second.close()

  expect(page.conversations.map(({ title }) => title).sort()).toEqual([
    'How deep do tulips go?',
    'Soon gone',
    'garden',
  ])
  expect(changes.flatMap(({ gone: keys }) => keys)).toEqual([])
  expect(
    changes
      .flatMap(({ conversations }) => conversations.map(({ title, gone: is }) => [title, is]))
      .sort(),
  ).toEqual([
    ['How deep do roses go?', undefined],
    ['New', undefined],
    ['Soon gone', true],
  ])
})

it('keeps a conversation listed whose file was deleted, until it is forgotten or comes back', async () => {
  const somebody = await person()
  const deleted = path.join(somebody.history, 'chat-history-1754437000001.jsonl')
  await writeChat(deleted, ['Soon gone'])
  const bytes = await fs.readFile(deleted)
  const deletedKey = LibraryKey.parse('cycod:chat-history-1754437000001')
  const rowsOf = async (work: (library: Library) => Promise<unknown> = async () => {}) => {
    const library = open(somebody)
    await library.list(undefined, 10)
    await library.all(false)
    await work(library)
    const { conversations } = await library.list(undefined, 10)
    await library.close()
    return conversations.filter((row) => row.key === deletedKey)
  }
  expect(await rowsOf()).toMatchObject([{ title: 'Soon gone' }])
  await fs.rm(deleted)
  expect(await rowsOf()).toMatchObject([{ title: 'Soon gone', gone: true }])
  expect(await rowsOf()).toMatchObject([{ title: 'Soon gone', gone: true }])

  await fs.writeFile(deleted, bytes)
  const back = await rowsOf()
  expect(back).toMatchObject([{ title: 'Soon gone' }])
  expect(back[0]).not.toHaveProperty('gone')

  await fs.rm(deleted)
  expect(await rowsOf((library) => library.forget(deletedKey))).toEqual([])
  expect(await rowsOf()).toEqual([])
})

it.each([
  ['damaged', (text: string) => text.slice(0, text.length - 20)],
  ['empty', () => ''],
  ['all zeros', (text: string) => '\0'.repeat(text.length)],
  ['of another version', (text: string) => text.replace('"version":1', '"version":99')],
  ['of another shape', (text: string) => text.replaceAll('"title":"', '"name":"')],
])('reads everything again when its cache is %s', async (_, damage) => {
  const somebody = await person()
  const first = open(somebody)
  const expected = await first.all(true)
  await first.close()
  const [name = ''] = await fs.readdir(path.join(somebody.cache, 'library'))
  const file = path.join(somebody.cache, 'library', name)
  await fs.writeFile(file, damage(await fs.readFile(file, 'utf8')))

  const second = open(somebody)
  const titles = async () =>
    (await second.list(undefined, 10)).conversations.map(({ title }) => title).sort()
  // What is whole of a damaged one is there at once, as of any; what is not comes with what is new.
  await expect.poll(titles).toEqual(['How deep do tulips go?', 'garden'])
  expect(await second.all(true)).toEqual(expected)
})

it('works without a cache where none can be written, and says so once', async () => {
  const somebody = await person()
  await fs.writeFile(somebody.cache, 'a file stands in the way')
  const noted: string[] = []
  const library = open(somebody, { note: (words) => noted.push(words) })
  expect(await library.all(false)).toHaveLength(2)
  await library.all(true)
  await library.close()

  expect(noted).toHaveLength(1)
  expect(noted[0]).toMatch(/^The list is not cached: /)
})

it('lists one that cannot be read, says why, and does not remember it', async () => {
  const somebody = await person()
  const disk: Disk = {
    ...nodeDisk,
    async open(file, mode) {
      if (file === somebody.file) throw new DiskError('denied', file, 'permission denied')
      return nodeDisk.open(file, mode)
    },
  }
  const first = open(somebody, { disk })
  const rows = await first.all(true)
  await first.close()

  expect(rows.find((row) => row.key === key)).toMatchObject({
    title: `chat-history-${startedAtMs}`,
    unreadable: expect.stringContaining('permission denied'),
  })
  expect(rows).toHaveLength(2)
  const again = (await open(somebody).all(true)).find((row) => row.key === key)
  expect(again).toMatchObject({ title: 'How deep do tulips go?', entries: 2 })
})

it('lists the other roots where one cannot be listed, and says so', async () => {
  const somebody = await person()
  const noted: string[] = []
  const disk: Disk = {
    ...nodeDisk,
    async list(named) {
      if (named === somebody.history) throw new DiskError('denied', named, 'permission denied')
      return nodeDisk.list(named)
    },
  }
  const other = path.join(somebody.root, 'other')
  await fs.mkdir(other)
  await writeChat(path.join(other, 'chat-history-1.jsonl'), ['Elsewhere'])
  const histories = openHistories(
    disk,
    [
      { source: 'cycod', path: path.join(somebody.root, 'cycod') },
      { source: 'cycod', path: other },
    ],
    (words) => noted.push(words),
  )

  expect((await histories.list()).map((one) => one.key)).toEqual(['cycod:chat-history-1'])
  await histories.list()
  expect(noted).toHaveLength(1)
  expect(noted[0]).toMatch(/^cycod: .*permission denied/)
})

it('tells files of other systems that come, grow and go', async () => {
  const somebody = await person()
  const changes: LibraryRowChange[] = []
  let heard = () => {}
  const library = open(somebody, {
    watched: true,
    changed(change) {
      changes.push(change)
      heard()
    },
  })
  const until = async (isSo: (change: LibraryRowChange) => boolean) => {
    while (!changes.some(isSo))
      await new Promise<void>((resolve) => {
        heard = resolve
      })
  }
  await library.list(undefined, 10)

  const added = path.join(somebody.history, 'chat-history-1754437000009.jsonl')
  await writeChat(added, ['Just begun'])
  await until(({ conversations }) => conversations.some(({ title }) => title === 'Just begun'))
  const { size } = await fs.stat(added)
  await writeChat(added, ['Just begun', 'and going on'])
  await until(({ conversations }) => conversations.some(({ bytes }) => bytes > size))
  await fs.rm(added)
  await until(({ conversations }) =>
    conversations.some((row) => row.title === 'Just begun' && row.gone === true),
  )
})

it('counts again what has changed since it was counted', async () => {
  const somebody = await person()
  const entries: (number | undefined)[] = []
  let heard = () => {}
  const library = open(somebody, {
    changed({ conversations }) {
      entries.push(...conversations.filter((row) => row.key === key).map((row) => row.entries))
      heard()
    },
  })
  await library.list(undefined, 10)
  await library.countAll(whole, noEnd())
  await writeChat(somebody.file, ['one', 'two', 'three'])
  await library.refresh(key)
  while (entries.at(-1) !== 3)
    await new Promise<void>((resolve) => {
      heard = resolve
    })

  expect(entries).toEqual([2, undefined, 3])
})

it('tells once which answers a crash cut off', async () => {
  const somebody = await person()
  await fs.writeFile(path.join(somebody.home, 'contexts/garden/partial.skein.jsonl'), '')
  const told: (readonly string[])[] = []
  const library = open(somebody, { interrupted: (names) => told.push(names) })
  await library.list(undefined, 10)
  await library.all(false)

  expect(told).toEqual([['garden']])
})

it('gives two roots that hold one conversation each a name for it', async () => {
  const somebody = await person()
  const copy = path.join(somebody.root, 'copy')
  await fs.cp(somebody.history, copy, { recursive: true })
  const histories = openHistories(nodeDisk, [
    { source: 'cycod', path: somebody.history },
    { source: 'cycod', path: copy },
  ])

  expect((await histories.list()).map((one) => one.key)).toEqual([key, `${key}@2`])
})

it('takes nothing for gone where a folder cannot be listed', async () => {
  const somebody = await person()
  const rowsBy = async (disk: Disk) => {
    const library = open(somebody, { disk })
    await library.list(undefined, 10)
    await library.all(false)
    const found = await library.find(key)
    const { conversations } = await library.list(undefined, 10)
    await library.close()
    return [found, ...conversations.filter((row) => row.key === key)]
  }
  const [before] = await rowsBy(nodeDisk)
  expect(before).toMatchObject({ key })
  const closed: Disk = {
    ...nodeDisk,
    list: (folder) =>
      folder.startsWith(somebody.history)
        ? Promise.reject(new DiskError('denied', folder, 'permission denied'))
        : nodeDisk.list(folder),
  }
  const rows = await rowsBy(closed)
  expect(rows).toHaveLength(2)
  for (const row of rows) {
    expect(row?.title).toBe(before?.title)
    expect(row).not.toHaveProperty('gone')
  }
})

it('says of no conversation that it is there no more where its folder cannot be listed', async () => {
  const somebody = await person()
  const closed: Disk = {
    ...nodeDisk,
    list: (folder) =>
      folder.startsWith(somebody.history)
        ? Promise.reject(new DiskError('denied', folder, 'permission denied'))
        : nodeDisk.list(folder),
  }
  await expect(open(somebody, { disk: closed }).details(key)).rejects.toMatchObject({
    code: 'unreadable',
    message: expect.stringContaining(`"${key}" cannot be read: its folder could not be listed.`),
  })
  await expect(
    open(somebody, { isPartial: () => true }).details(LibraryKey.parse('cycod:other')),
  ).rejects.toMatchObject({
    code: 'unreadable',
    message: '"cycod:other" cannot be read: not all folders of its system could be listed.',
  })
  await expect(open(somebody).details(LibraryKey.parse('cycod:other'))).rejects.toMatchObject({
    code: 'not-found',
    message: 'The conversation "cycod:other" no longer exists.',
  })
})
