import fs from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { nodeDisk } from '../../../src/main/disk/node/node-disk'
import { openLibrary } from '../../../src/main/library/library'
import type { LibraryRowChange } from '../../../src/main/library/list/change-feed'
import { openStore } from '../../../src/main/store/open-store'
import { LibraryKey } from '../../../src/shared/model/conversation/conversation'
import { message } from '../../support/entries'
import { stillTime } from '../../support/still-time'
import { tempFolders } from '../../support/temp-folder'

const folder = tempFolders()
// The first page waits for a moment for the order by the entries' own times.
stillTime()

/** A home with the contexts and, per context, the times of its messages in Unix seconds. */
async function home(contexts: Readonly<Record<string, readonly number[]>>) {
  const root = path.join(folder(), 'home')
  let clock = 1_780_000_000
  const store = openStore({ home: root, disk: nodeDisk, now: () => clock * 1000 })
  for (const [name, times] of Object.entries(contexts)) {
    clock = times[0] ?? clock
    const writer = await store.openWriter(name, { create: true })
    for (const timestamp of times) await writer.append(message(`at ${timestamp}`, { timestamp }))
    await writer.close()
  }
  return { root, store }
}

function library(
  store: Awaited<ReturnType<typeof home>>['store'],
  changed?: (c: LibraryRowChange) => void,
) {
  return openLibrary({
    disk: nodeDisk,
    store,
    shownHome: '~/.chibi',
    isRunning: () => false,
    changed: changed ?? (() => undefined),
    watched: false,
  })
}

it('lists by the time of the last entry, not of the file', async () => {
  const { root, store } = await home({ old: [1000, 2000], newest: [5000], middle: [3000] })
  const now = new Date()
  await fs.utimes(path.join(root, 'contexts/old/transcript/active.jsonl'), now, now)

  const { conversations, total } = await library(store).list(undefined, 10)

  expect(conversations.map(({ key, created, updated }) => ({ key, created, updated }))).toEqual([
    { key: 'newest', created: '1970-01-01T01:23:20.000Z', updated: '1970-01-01T01:23:20.000Z' },
    { key: 'middle', created: '1970-01-01T00:50:00.000Z', updated: '1970-01-01T00:50:00.000Z' },
    { key: 'old', created: '1970-01-01T00:16:40.000Z', updated: '1970-01-01T00:33:20.000Z' },
  ])
  expect(total).toBe(3)
})

it('gives every conversation once over its pages', async () => {
  const names = Array.from({ length: 7 }, (_, n) => `c${n}`)
  const { store } = await home(Object.fromEntries(names.map((name, n) => [name, [1000 + n]])))
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const page = await library(store).list(cursor, 3)
    seen.push(...page.conversations.map(({ key }) => key))
    cursor = page.next
  } while (cursor !== undefined)

  expect(seen).toEqual([...names].reverse())
})

it('changes nothing in a home that it lists and counts', async () => {
  const { root, store } = await home({ a: [1000], b: [2000] })
  const before = await snapshot(root)
  const opened = library(store)
  await opened.list(undefined, 10)
  await opened.details(LibraryKey.parse('a'))
  await opened.countAll(Number.POSITIVE_INFINITY, new AbortController().signal)

  expect(await snapshot(root)).toEqual(before)
})

it('counts entries and damaged lines, and tells the rows that changed', async () => {
  const { root, store } = await home({ a: [1000], b: [2000] })
  await fs.appendFile(path.join(root, 'contexts/b/transcript/active.jsonl'), '{"id":"torn\n')
  const changes: LibraryRowChange[] = []
  const opened = library(store, (change) => changes.push(change))
  await opened.list(undefined, 10)
  await opened.countAll(Number.POSITIVE_INFINITY, new AbortController().signal)

  const told = changes.flatMap(({ conversations }) =>
    conversations.map(({ key, entries, damaged }) => ({ key, entries, damaged })),
  )
  // Two are counted side by side: which of them is told first is chance.
  expect(told.sort((a, b) => (a.key < b.key ? -1 : 1))).toEqual([
    { key: 'a', entries: 2, damaged: 0 },
    { key: 'b', entries: 2, damaged: 1 },
  ])
})

it('leaves what is too large to be counted when it is opened', async () => {
  const { store } = await home({ a: [1000] })
  const opened = library(store)
  await opened.countAll(10, new AbortController().signal)

  expect((await opened.find(LibraryKey.parse('a')))?.entries).toBeUndefined()
  expect((await opened.details(LibraryKey.parse('a'))).summary.entries).toBe(2)
})

it('tells a refreshed conversation once, when it changed', async () => {
  const { store } = await home({ a: [1000] })
  const changes: LibraryRowChange[] = []
  const opened = library(store, (change) => changes.push(change))
  await opened.list(undefined, 10)
  await opened.refresh('a')
  expect(changes).toEqual([])

  const writer = await store.openWriter('a', { create: false })
  await writer.append(message('later', { timestamp: 9000 }))
  await writer.close()
  await opened.refresh('a')
  await opened.refresh('a')

  expect(changes.map(({ conversations }) => conversations.map(({ updated }) => updated))).toEqual([
    ['1970-01-01T02:30:00.000Z'],
  ])
})

it('tells a conversation that is gone', async () => {
  const { root, store } = await home({ a: [1000], b: [2000] })
  const changes: LibraryRowChange[] = []
  const opened = library(store, (change) => changes.push(change))
  await opened.list(undefined, 10)
  await fs.rm(path.join(root, 'contexts/a'), { recursive: true })
  await opened.refresh('a')

  expect(changes).toMatchObject([{ conversations: [{ key: 'a', gone: true }], gone: [] }])
})

it('names what cannot be read and lists the rest', async () => {
  const { root, store } = await home({ a: [1000], b: [2000] })
  const file = path.join(root, 'contexts/a/transcript/active.jsonl')
  await fs.rm(file)
  await fs.mkdir(file)

  const { conversations } = await library(store).list(undefined, 10)

  expect(conversations.map(({ key }) => key).sort()).toEqual(['a', 'b'])
  await expect(library(store).details(LibraryKey.parse('none'))).rejects.toMatchObject({
    code: 'not-found',
  })
})

/** Every file below a folder with its bytes and times. */
async function snapshot(root: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const name of await fs.readdir(root, { recursive: true })) {
    const file = path.join(root, name)
    const { mtimeMs } = await fs.stat(file)
    const bytes = (await fs.stat(file)).isFile() ? await fs.readFile(file, 'utf8') : 'folder'
    found[name] = `${mtimeMs} ${bytes}`
  }
  return found
}
