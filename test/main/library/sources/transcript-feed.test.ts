import fs from 'node:fs/promises'
import path from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { openHistories } from '../../../../src/main/library/sources/histories'
import { openTranscripts } from '../../../../src/main/library/sources/library-transcripts'
import {
  followTranscript,
  type TranscriptFeed,
} from '../../../../src/main/library/sources/transcript-feed'
import type { TranscriptWriter } from '../../../../src/main/store/core/writer-types'
import { openStore } from '../../../../src/main/store/open-store'
import { LibraryKey, type LockState } from '../../../../src/shared/model/conversation/conversation'
import type { Cursor, TranscriptRow } from '../../../../src/shared/model/conversation/transcript'
import { jsonLine, message } from '../../../support/entries'
import { tempFolders } from '../../../support/temp-folder'

const folder = tempFolders()
const feeds: TranscriptFeed[] = []
const writers: TranscriptWriter[] = []
afterEach(async () => {
  for (const feed of feeds.splice(0)) feed.close()
  for (const writer of writers.splice(0)) await writer.close()
})

/** A context with one message, followed from its end; `told` has what the feed told, and `until` waits for it. */
async function follow(storagePolicy?: { maxEntries: number }) {
  const home = path.join(folder(), 'home')
  const store = openStore({
    home,
    disk: nodeDisk,
    ...(storagePolicy === undefined
      ? {}
      : {
          storagePolicy: async () => ({
            maxAgeSeconds: 1e9,
            maxTokens: 1e9,
            bytesPerToken: 3,
            bloomFilters: true,
            ...storagePolicy,
          }),
        }),
  })
  const writer = await store.openWriter('garden', { create: true })
  writers.push(writer)
  await writer.append(message('first'))
  const { after } = await store.readPage('garden', 'end', 1)
  const told: string[] = []
  let heard: () => void = () => undefined
  const histories = openHistories(nodeDisk, [])
  const transcripts = openTranscripts({ disk: nodeDisk, store, histories })
  const feed = followTranscript(transcripts, LibraryKey.parse('garden'), after, {
    appended: (rows) => {
      told.push(...rows.map(words))
      heard()
    },
    changed: () => {
      told.push('changed')
      heard()
    },
    lock: () => undefined,
  })
  feeds.push(feed)
  const until = async (count: number) => {
    while (told.length < count)
      await new Promise<void>((resolve) => {
        heard = resolve
      })
  }
  const active = path.join(home, 'contexts/garden/transcript/active.jsonl')
  return { store, writer, feed, told, until, active }
}

function words(row: TranscriptRow): string {
  return row.type === 'entry' ? row.entry.content : 'damaged'
}

it('tells what we append when it is poked, once and in order', async () => {
  const { writer, feed, told } = await follow()
  for (const text of ['second', 'third', 'fourth']) await writer.append(message(text))
  await Promise.all([feed.poke(), feed.poke(), feed.poke()])
  await feed.poke()

  expect(told).toEqual(['second', 'third', 'fourth'])
  await writer.close()
})

it('tells what another program appends, without a poke', async () => {
  const { writer, told, until, active } = await follow()
  await writer.close()
  await fs.appendFile(active, `${jsonLine({ id: 'b', content: 'from outside' })}\n`)
  await until(1)

  expect(told).toEqual(['from outside'])
})

it('goes on over rotations without losing or doubling a row', async () => {
  const { writer, feed, told } = await follow({ maxEntries: 3 })
  const texts = Array.from({ length: 20 }, (_, n) => `entry ${n}`)
  for (const text of texts) {
    await writer.append(message(text))
    if (Number(text.slice(6)) % 5 === 0) await feed.poke()
  }
  await feed.poke()

  expect(told).toEqual(texts)
  await writer.close()
})

it('asks for the page again when the file was replaced', async () => {
  const { writer, told, until, active } = await follow()
  await writer.close()
  await fs.writeFile(`${active}.new`, `${jsonLine({ id: 'z', content: 'another history' })}\n`)
  await fs.rename(`${active}.new`, active)
  await until(1)

  expect(told).toContain('changed')
})

it('tells an unfinished line once, and its entry when it is whole', async () => {
  const { writer, feed, told, active } = await follow()
  await writer.close()
  const line = jsonLine({ id: 'slow', content: 'written in two halves' })
  await fs.appendFile(active, line.slice(0, 30))
  for (let n = 0; n < 3; n++) await feed.poke()
  expect(told).toEqual(['damaged'])
  await fs.appendFile(active, `${line.slice(30)}\n`)
  for (let n = 0; n < 3; n++) await feed.poke()

  expect(told).toEqual(['damaged', 'written in two halves'])
})

it('tells nothing after it is closed', async () => {
  const { writer, feed, told } = await follow()
  feed.close()
  await writer.append(message('unheard'))
  await feed.poke()

  expect(told).toEqual([])
  await writer.close()
})

it('reads again where a rotation took a file from under it, and only then asks for the page again', async () => {
  const { store, feed: first } = await follow()
  first.close()
  const { after } = await store.readPage('garden', 'end', 1)
  const told: string[] = []
  let failures = 2
  const transcripts = openTranscripts({
    disk: nodeDisk,
    store,
    histories: openHistories(nodeDisk, []),
  })
  const feed = followTranscript(
    {
      ...transcripts,
      page: async (...asked) => {
        if (failures-- > 0) throw new Error('a file is gone')
        return transcripts.page(...asked)
      },
    },
    LibraryKey.parse('garden'),
    after,
    {
      appended: () => told.push('rows'),
      changed: () => told.push('changed'),
      lock: () => undefined,
    },
  )
  feeds.push(feed)
  await feed.poke()
  expect(told).toEqual([])

  failures = 100
  await feed.poke()
  expect(told).toEqual(['changed'])
})

it('tells the lock as it is last, though an earlier look at it takes longer', async () => {
  const held: LockState = { state: 'held', holder: 'chibi', beatAt: 1, staleAt: 46 }
  let isHeld = true
  let endFirst: () => void = () => undefined
  const firstEnds = new Promise<void>((resolve) => {
    endFirst = resolve
  })
  let looks = 0
  let change: () => void = () => undefined
  const told: string[] = []
  let isFree: () => void = () => undefined
  const wasFree = new Promise<void>((resolve) => {
    isFree = resolve
  })
  const feed = followTranscript(
    {
      page: () => Promise.reject(new Error('nothing is read here')),
      watch(_key, listener) {
        change = listener
        return () => undefined
      },
      async lockState() {
        const seen: LockState = isHeld ? held : { state: 'free' }
        if (++looks === 1) await firstEnds
        return seen
      },
    },
    LibraryKey.parse('garden'),
    await anyCursor(),
    {
      appended: () => undefined,
      changed: () => undefined,
      lock({ state }) {
        told.push(state)
        if (state === 'free') isFree()
      },
    },
  )
  feeds.push(feed)
  // The first look has seen it held, and is slow to say so; meanwhile it is given back.
  await feed.poke()
  isHeld = false
  change()
  await feed.poke()
  endFirst()
  await wasFree
  await feed.poke()

  expect(told).toEqual(['held', 'free'])
})

async function anyCursor(): Promise<Cursor> {
  const store = openStore({ home: path.join(folder(), 'home'), disk: nodeDisk })
  const writer = await store.openWriter('garden', { create: true })
  await writer.append(message('first'))
  await writer.close()
  return (await store.readPage('garden', 'end', 1)).after
}
