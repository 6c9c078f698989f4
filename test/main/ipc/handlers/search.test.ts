import fs from 'node:fs'
import path from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { openHomeSearch } from '../../../../src/main/home/search'
import { searchHandlers } from '../../../../src/main/ipc/handlers/search'
import { openLibrary } from '../../../../src/main/library/library'
import { openHistories } from '../../../../src/main/library/sources/histories'
import { searchDecoders } from '../../../../src/main/library/sources/search-decoders'
import { openTranscripts } from '../../../../src/main/library/transcripts'
import { inlineWorkers, type SearchWorkers } from '../../../../src/main/search/workers'
import { openStore } from '../../../../src/main/store/open-store'
import { SearchId } from '../../../../src/shared/ipc/conversations/search'
import { libraryKeyOf } from '../../../../src/shared/model/conversation/conversation'
import { EntryId } from '../../../../src/shared/model/conversation/entry'
import type { SearchHit } from '../../../../src/shared/model/search'
import { lineOf, writeEntries, writeLines } from '../../../support/search-corpus'
import { tempFolders } from '../../../support/temp-folder'

const folder = tempFolders()
const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

const plain = inlineWorkers(nodeDisk, searchDecoders)

/** Search over a home and a cycod history, as a window has it. */
function opened(workers: SearchWorkers = plain) {
  const home = path.join(folder(), 'home')
  const history = path.join(folder(), 'history')
  const store = openStore({ home, disk: nodeDisk })
  const histories = openHistories(nodeDisk, [{ source: 'cycod', path: history }])
  const library = openLibrary({
    disk: nodeDisk,
    store,
    shownHome: '~/home',
    histories,
    isRunning: () => false,
    changed: (change) => search.changed(change),
  })
  const transcripts = openTranscripts({ disk: nodeDisk, store, histories })
  const index: { bytes: number; bytesDone: number; building: boolean }[] = []
  const notes: string[] = []
  const search = openHomeSearch({
    disk: nodeDisk,
    library,
    cacheFolder: path.join(folder(), 'cache'),
    workers,
    tellIndex: (state) => index.push(state),
    note: (words) => notes.push(words),
  })
  const found: { searchId: string; hits: SearchHit[] }[] = []
  const progress: { searchId: string }[] = []
  const handlers = searchHandlers(() => ({ search, transcripts }), {
    found: (told) => void found.push(told as { searchId: string; hits: SearchHit[] }),
    progress: (told) => void progress.push(told),
    index: () => {},
    counted: () => {},
  })
  closers.push(async () => {
    await search.close()
    await library.close()
  })
  const query = (text: string, id = 'one', limit = 100) =>
    handlers.query({ searchId: SearchId.parse(id), query: text, limit })
  const ids = async (text: string) => (await query(text)).hits.map(({ entryId }) => entryId)
  return { home, history, library, search, handlers, query, ids, found, progress, index, notes }
}

/** Workers that keep every scan waiting until it is told to go on, or aborted. */
function heldWorkers() {
  let asked = 0
  const waiting = new Set<() => void>()
  const workers: SearchWorkers = {
    ...plain,
    async scan(job, signal) {
      asked++
      await new Promise<void>((resolve) => {
        waiting.add(resolve)
        if (signal?.aborted) resolve()
        signal?.addEventListener('abort', () => resolve())
      })
      return plain.scan(job, signal)
    },
  }
  return {
    workers,
    asked: () => asked,
    goOn: () => {
      for (const resolve of waiting) resolve()
    },
  }
}

it('answers a query with hits of both systems, and tells them while it goes on', async () => {
  const { home, history, query, found, progress } = opened()
  writeEntries(home, 'contexts/garden/transcript/active.jsonl', [{ id: 'a', content: 'needle' }])
  writeLines(history, 'chat-history-1773140000001.jsonl', [
    JSON.stringify({ role: 'user', content: 'a needle too' }),
  ])
  const { hits, total, complete } = await query('needle')

  expect([total, complete]).toEqual([3, true]) // the history's title is its first words
  expect(hits.map(({ source, entryId }) => `${source} ${entryId}`).sort()).toEqual([
    'chibi a',
    'cycod L1',
    'cycod null',
  ])
  expect(found.every(({ searchId }) => searchId === 'one')).toBe(true)
  expect(found.flatMap((told) => told.hits).length).toBeGreaterThan(0)
  expect(progress.length).toBeGreaterThan(0)
})

it('finds what was just appended, came or went, by anybody and without a sign', async () => {
  const { home, ids, library } = opened()
  const write = (name: string, id: string) =>
    writeEntries(home, `contexts/${name}/transcript/active.jsonl`, [{ id, content: 'needle' }])
  const file = write('garden', 'a')
  await library.list(undefined, 100)
  expect(await ids('needle')).toEqual(['a'])

  fs.appendFileSync(file, `${lineOf({ id: 'b', content: 'needle two' })}\n`)
  expect(await ids('needle')).toEqual(['a', 'b'])

  write('orchard', 'c')
  await expect.poll(() => ids('needle')).toEqual(['a', 'b', 'c'])

  fs.rmSync(path.join(home, 'contexts/garden'), { recursive: true })
  expect(await ids('needle')).toEqual(['c'])
})

it('misses nothing while a conversation grows and its index is built', async () => {
  const { home, library, search, query, index } = opened()
  const hay = 'hay '.repeat(200)
  const entryOf = (n: number) => ({ id: `e${n}`, content: `needle ${hay}${n}`, timestamp: n })
  const file = writeEntries(
    home,
    'contexts/garden/transcript/active.jsonl',
    Array.from({ length: 500 }, (_, n) => entryOf(n)),
  )
  await library.list(undefined, 100)
  search.buildInBackground()
  for (let n = 500; n < 540; n++) {
    fs.appendFileSync(file, `${lineOf(entryOf(n))}\n`)
    const { total, hits } = await query('needle', 'grow', 1)
    expect([total >= 1, hits[0]?.entryId]).toEqual([true, `e${n}`])
  }
  await expect.poll(() => index.at(-1)?.building).toBe(false)
  expect(index.at(-1)?.bytesDone).toBeGreaterThan(0)
  const all = await query('needle', 'all', 1000)
  expect([all.total, all.complete]).toEqual([540, true])
})

it('ends a search when it is cancelled: it answers with what was found', async () => {
  const held = heldWorkers()
  const { home, query, handlers } = opened(held.workers)
  writeEntries(home, 'contexts/needle/transcript/active.jsonl', [{ id: 'a', content: 'needle' }])
  const answer = query('needle')
  await expect.poll(() => held.asked()).toBe(1)
  await handlers.cancel({ searchId: SearchId.parse('one') })
  const { complete, hits } = await answer

  expect(complete).toBe(false)
  expect(hits.map(({ field }) => field)).toEqual(['title'])
  await handlers.cancel({ searchId: SearchId.parse('unknown') })
})

it('ends the first of two searches with one id, and tells no more of it', async () => {
  const held = heldWorkers()
  const { home, query, found } = opened(held.workers)
  writeEntries(home, 'contexts/garden/transcript/active.jsonl', [
    { id: 'a', content: 'needle' },
    { id: 'b', content: 'hay' },
  ])
  const first = query('needle')
  await expect.poll(() => held.asked()).toBe(1)
  const second = query('hay')
  await expect.poll(() => held.asked()).toBe(2)
  held.goOn()

  expect((await first).complete).toBe(false)
  expect((await second).hits.map(({ entryId }) => entryId)).toEqual(['b'])
  expect(found.flatMap(({ hits }) => hits.map(({ entryId }) => entryId))).toEqual(['b'])
})

it('ends everything when the home is closed', async () => {
  const held = heldWorkers()
  const { home, query, search } = opened(held.workers)
  writeEntries(home, 'contexts/garden/transcript/active.jsonl', [{ id: 'a', content: 'needle' }])
  const answer = query('needle')
  await expect.poll(() => held.asked()).toBe(1)
  await search.close()

  expect((await answer).complete).toBe(false)
})

it('previews the entry of a hit with its neighbours, and the beginning for a hit in a title', async () => {
  const { home, handlers, query } = opened()
  writeEntries(home, 'contexts/garden/transcript/active.jsonl', [
    { id: 'a', content: 'one spade' },
    { id: 'b', content: 'two tulips' },
    { id: 'c', content: 'three beans' },
  ])
  const hits = (await query('tulips OR title:garden')).hits
  const hit = hits.find(({ snippet }) => snippet === 'two tulips')
  if (hit?.file === undefined || hit.offset === undefined || hit.entryId === null)
    throw new Error('no hit in an entry')
  const { file, offset, entryId, snippet, ranges } = hit
  const key = libraryKeyOf(hit.source, hit.key)
  const previewed = await handlers.preview({
    key,
    at: { file, offset, entry: EntryId.parse(entryId) },
    snippet,
    ranges,
  })
  const contents = (rows: Awaited<ReturnType<typeof handlers.preview>>['rows']) =>
    rows.map((row) => (row.type === 'entry' ? row.entry.content : row.type))
  expect(contents(previewed.rows).slice(-3)).toEqual(['one spade', 'two tulips', 'three beans'])
  expect(contents(previewed.rows)[previewed.hit ?? -1]).toBe('two tulips')
  expect(previewed).toMatchObject({ hasMatch: true, isLeft: false })
  const ofTitle = await handlers.preview({ key, snippet: 'garden', ranges: [[0, 6]] })
  expect(ofTitle.hit).toBeNull()
  expect(contents(ofTitle.rows)).toContain('one spade')
})
