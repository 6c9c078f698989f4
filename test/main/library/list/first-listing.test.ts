import fs from 'node:fs/promises'
import path from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { DiskError } from '../../../../src/main/disk/interface/disk'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { type Counter, inlineCounter } from '../../../../src/main/library/count/counter'
import { type Library, openLibrary } from '../../../../src/main/library/library'
import type { LibraryRowChange } from '../../../../src/main/library/list/change-feed'
import type { ConversationListing } from '../../../../src/main/library/list/conversation-source'
import { beginFirstListing } from '../../../../src/main/library/list/first-listing'
import { libraryFacts } from '../../../../src/main/library/list/library-facts'
import { openHistories } from '../../../../src/main/library/sources/histories'
import type { HistoryReader } from '../../../../src/main/readers/common/reader'
import { readers } from '../../../../src/main/readers/index'
import { openStore } from '../../../../src/main/store/open-store'
import type { Store } from '../../../../src/main/store/store'
import { AppError } from '../../../../src/shared/model/basics/errors'
import type { ConversationSummary } from '../../../../src/shared/model/conversation/conversation'
import { ConversationKey, LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import { message } from '../../../support/entries'
import { tempFolders } from '../../../support/temp-folder'

const folder = tempFolders()
const opened: Library[] = []
const releases: (() => void)[] = []
afterEach(async () => {
  for (const release of releases.splice(0)) release()
  for (const library of opened.splice(0)) await library.close()
})

/** A gate that lets nobody through before it is opened. */
function gate() {
  let open: () => void = () => undefined
  const isOpen = new Promise<void>((resolve) => {
    open = resolve
  })
  releases.push(open)
  return { isOpen, open: () => open() }
}

function readerOf(id: string): HistoryReader {
  const reader = readers.find((one) => one.id === id)
  if (reader === undefined) throw new Error(`${id} has no reader`)
  return reader
}

/** A home whose contexts cannot be listed, which turns out late. */
function brokenStore(store: Store, late: Promise<void>): Store {
  return {
    ...store,
    async listContexts() {
      await late
      throw new AppError('unreadable', 'The contexts cannot be listed.')
    },
  }
}

/** Reads contexts late. */
function lateCounter(late: Promise<void>): Counter {
  const counter = inlineCounter(nodeDisk)
  return {
    ...counter,
    async ends(...given) {
      await late
      return counter.ends(...given)
    },
  }
}

const text = (id: string, content: string) => `${JSON.stringify({ role: 'user', content, id })}\n`

/**
 * A library of cycod's conversations and fluux-agent's, and of a home with one context, that gives rows at once. The list of
 * fluux-agent's, and the reading of cycod's rows, wait for their gates.
 */
async function listing(
  options: {
    isHomeBroken?: boolean
    chats?: number
    areChatsBroken?: boolean
    isGardenLate?: boolean
  } = {},
) {
  const root = folder()
  const home = path.join(root, 'home')
  const store = openStore({ home, disk: nodeDisk })
  const writer = await store.openWriter('garden', { create: true })
  await writer.append(message('hello'))
  await writer.close()
  const history = path.join(root, 'cycod', 'history')
  await fs.mkdir(history, { recursive: true })
  for (let n = 0; n < (options.chats ?? 2); n++) {
    const file = path.join(history, `chat-history-${1_754_437_000_000 + n}.jsonl`)
    await fs.writeFile(file, text(`${n}`, `Question ${n}`))
    await fs.utimes(file, 1_790_000_000 + n, 1_790_000_000 + n)
  }
  await fs.cp('test/fixtures/readers/fluux/input', path.join(root, 'fluux'), { recursive: true })
  const lists = { cycod: 0, fluux: 0 }
  const found = gate()
  const read = gate()
  const cycod = readerOf('cycod')
  const fluux = readerOf('fluux')
  const changes: LibraryRowChange[] = []
  const waiting: HistoryReader[] = [
    {
      ...cycod,
      async *list(...given) {
        lists.cycod++
        yield* cycod.list(...given)
      },
    },
    {
      ...fluux,
      async *list(...given) {
        lists.fluux++
        await found.isOpen
        yield* fluux.list(...given)
      },
    },
  ]
  const library = openLibrary({
    disk: {
      ...nodeDisk,
      async open(file, mode) {
        if (file.startsWith(history)) {
          await read.isOpen
          if (options.areChatsBroken) throw new DiskError('io', file, 'cannot be read')
        }
        return nodeDisk.open(file, mode)
      },
    },
    store: options.isHomeBroken ? brokenStore(store, found.isOpen) : store,
    shownHome: '~/.chibi',
    histories: openHistories(
      nodeDisk,
      [
        { source: 'cycod', path: path.join(root, 'cycod') },
        { source: 'fluux', path: path.join(root, 'fluux') },
      ],
      () => undefined,
      waiting,
    ),
    cacheFolder: path.join(root, 'cache'),
    ...(options.isGardenLate ? { counter: lateCounter(read.isOpen) } : {}),
    isRunning: () => false,
    changed: (change) => changes.push(change),
    rowsAfterMs: 0,
    watched: false,
  })
  opened.push(library)
  const rows = () => changes.flatMap(({ conversations }) => conversations)
  const states = () => changes.flatMap(({ listing }) => listing?.state ?? [])
  return { library, changes, rows, states, found, read, lists, home }
}

const named = (rows: readonly ConversationSummary[], source: string) =>
  rows.filter((row) => row.source === source)

it('tells the rows of one system while another is still being listed', async () => {
  const { library, rows, states, found, read } = await listing()

  const first = await library.list(undefined, 10)
  expect(first.listing).toBe('finding')
  await expect.poll(() => named(rows(), 'cycod').length).toBe(2)
  expect(named(rows(), 'cycod')).toMatchObject([
    {
      key: 'cycod:chat-history-1754437000001',
      title: 'chat-history-1754437000001',
      updated: '2026-09-21T14:13:21.000Z',
      provisional: true,
    },
    { key: 'cycod:chat-history-1754437000000', provisional: true },
  ])
  expect(named(rows(), 'cycod').map(({ entries }) => entries)).toEqual([undefined, undefined])
  expect(named(rows(), 'fluux')).toEqual([])
  expect(new Set(states())).toEqual(new Set(['finding']))

  read.open()
  await expect
    .poll(() => named(rows(), 'cycod').slice(2))
    .toMatchObject([{ title: 'Question 1' }, { title: 'Question 0' }])
  expect(states()).not.toContain('done')

  found.open()
  await expect.poll(() => states().at(-1)).toBe('done')
  const last = new Map(rows().map((row) => [row.key, row]))
  expect([...last.values()].filter(({ provisional }) => provisional)).toEqual([])
  expect([...last.values()]).toEqual(expect.arrayContaining([...(await library.all(false))]))
})

it('gives a window that comes later what is found so far, and reads no row for it', async () => {
  const { library, rows, states, found, read } = await listing({ chats: 5 })
  await library.list(undefined, 10)
  await expect.poll(() => named(rows(), 'cycod').length).toBe(5)

  const pages = [await library.list(undefined, 2)]
  for (let next = pages[0]?.next; next !== undefined; next = pages.at(-1)?.next)
    pages.push(await library.list(next, 2))

  const titles = pages.flatMap(({ conversations }) => named(conversations, 'cycod'))
  expect(titles.map(({ key, provisional }) => [key.slice(-1), provisional])).toEqual(
    ['4', '3', '2', '1', '0'].map((n) => [n, true]),
  )
  expect(pages.map(({ listing: state }) => state)).toEqual(pages.map(() => 'finding'))
  read.open()
  found.open()
  await expect.poll(() => states().at(-1)).toBe('done')
  expect((await library.list(undefined, 50)).listing).toBeUndefined()
})

it('opens one that is found while others are still being found, and lists nothing twice', async () => {
  const { library, rows, states, found, read, lists } = await listing()
  await library.list(undefined, 10)
  await expect.poll(() => named(rows(), 'cycod').length).toBe(2)
  read.open()

  const details = await library.details(LibraryKey.parse('cycod:chat-history-1754437000001'))
  expect(details).toMatchObject({ lines: 1, summary: { title: 'Question 1', entries: 1 } })

  const searched = library.searchables()
  const counted = library.countAll(Number.POSITIVE_INFINITY, new AbortController().signal)
  found.open()
  await expect.poll(() => states().at(-1)).toBe('done')
  expect((await searched).map(({ source }) => source)).toContain('fluux')
  await counted
  expect(lists).toEqual({ cycod: 1, fluux: 1 })
  expect(named(rows(), 'cycod').at(-1)).toMatchObject({ entries: 1 })
})

it('tells that the list has failed where it ends before all are found', async () => {
  const { library, changes, found, states } = await listing({ isHomeBroken: true })
  expect((await library.list(undefined, 10)).listing).toBe('finding')
  await expect.poll(() => states().length).toBeGreaterThan(0)
  found.open()
  await expect.poll(() => states().at(-1)).toBe('failed')
  const failure = { code: 'unreadable', message: 'The contexts cannot be listed.' }
  expect(changes.at(-1)?.listing).toEqual({ state: 'failed', failure })
  await expect(library.list(undefined, 10)).rejects.toMatchObject(failure)
})

it('asks its sources again for what is lost, their formats and counts where it has failed', async () => {
  const { library, found, read, states } = await listing({ isHomeBroken: true })
  await library.list(undefined, 10)
  found.open()
  read.open()
  await expect.poll(() => states().at(-1)).toBe('failed')
  const failure = { code: 'unreadable', message: 'The contexts cannot be listed.' }
  await expect(library.lost()).rejects.toMatchObject(failure)
  await expect(library.drift()).rejects.toMatchObject(failure)
  const { signal } = new AbortController()
  await expect(library.countAll(1, signal)).rejects.toMatchObject(failure)
})

it('gives a window that comes later the words of a row whose reading failed', async () => {
  const { library, rows, read } = await listing({ areChatsBroken: true })
  await library.list(undefined, 10)
  read.open()
  await expect.poll(() => rows().filter(({ unreadable }) => unreadable).length).toBe(2)

  const again = await library.list(undefined, 10)
  expect(again.listing).toBe('finding')
  expect(named(again.conversations, 'cycod')).toMatchObject([
    { unreadable: expect.any(String) },
    { unreadable: expect.any(String) },
  ])
  expect(again.conversations.filter(({ provisional }) => provisional)).toEqual([])
})

it('tells that a context has gone while others are still being found, and shows it no more', async () => {
  const { library, changes, rows, states, found, read, home } = await listing({
    isGardenLate: true,
  })
  await library.list(undefined, 10)
  await expect.poll(() => named(rows(), 'chibi').length).toBeGreaterThan(0)
  const [garden] = named(rows(), 'chibi')
  await fs.rm(path.join(home, 'contexts', 'garden'), { recursive: true })
  const refreshed = library.refresh(garden?.key ?? '')
  await expect.poll(() => changes.flatMap(({ gone }) => gone)).toEqual([garden?.key])
  expect(states()).not.toContain('done')
  await refreshed

  const told = named(rows(), 'chibi').length
  read.open()
  found.open()
  await expect.poll(() => states().at(-1)).toBe('done')
  expect(named(rows(), 'chibi')).toHaveLength(told)
})

/** Conversations that are found at once, and read without a disk. */
function manyListed(count: number): readonly ConversationListing[] {
  return Array.from({ length: count }, (_, n) => ({
    ...{ source: 'cycod' as const, stamp: `${n}`, files: [], bytes: 1, updatedAtMs: n },
    key: LibraryKey.parse(`cycod:${n}`),
    ownKey: ConversationKey.parse(`${n}`),
    ...{ lock: { state: 'free' as const }, unreadable: undefined, missing: [], shownPlace: '' },
    readFacts: async () => ({ title: `${n}`, project: null, created: null, updated: null }),
    count: async () => expect.unreachable('nothing is counted'),
    readNotes: async () => ({}),
  }))
}

/** Tells a first list of some conversations to its end. */
async function told(some: readonly ConversationListing[], isThere = (_: LibraryKey) => true) {
  const reports: (readonly ConversationSummary[])[] = []
  const states: string[] = []
  const listing = beginFirstListing({
    facts: libraryFacts(undefined, () => false),
    scan: async (found) => found(some),
    isThere,
    isPromised: () => false,
    tell(rows, { state }) {
      reports.push(rows)
      states.push(state)
    },
    signal: new AbortController().signal,
  })
  await listing.tellRows()
  return { reports, states }
}

it('tells many rows that are read at once in reports of two thousand at most', async () => {
  const { reports, states } = await told(manyListed(4500))
  const ofRead = reports.map((rows) => rows.filter(({ provisional }) => !provisional).length)
  expect(Math.max(...ofRead)).toBe(2000)
  expect(new Set(reports.flat().map(({ key }) => key)).size).toBe(4500)
  expect(states.filter((state) => state === 'done')).toEqual(states.slice(-1))
})

it('tells no row of one that has gone since it was found', async () => {
  const some = manyListed(3)
  const gone = some[1]?.key
  const { reports } = await told(some, (key) => key !== gone)
  expect(new Set(reports.flat().map(({ key }) => key))).toEqual(new Set(['cycod:0', 'cycod:2']))
})

it('lets other work have its turn while it makes rows that no disk delays', async () => {
  let now = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 10))
  let read = 0
  const some = manyListed(500).map((one) => ({
    ...one,
    readFacts: () => {
      read += 1
      return one.readFacts()
    },
  }))
  const reading = told(some)
  const atTurns: number[] = []
  let isOver = false
  const turn = () => {
    atTurns.push(read)
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  await reading.finally(() => {
    isOver = true
    clock.mockRestore()
  })
  // A few rows for each turn.
  const steps = atTurns.map((at, n) => at - (atTurns[n - 1] ?? 0))
  expect(steps.filter((rowsOfTurn) => rowsOfTurn >= 100)).toEqual([])
})
