import fs from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { appDisk } from '../../../../src/main/disk/app-disk'
import { type History, openHistories } from '../../../../src/main/library/sources/histories'
import type { HistoryReader, SourceRef } from '../../../../src/main/readers/common/reader'
import { historyDisk } from '../../../../src/main/readers/history-disk'
import { readers } from '../../../../src/main/readers/index'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import { tempFolders } from '../../../support/temp-folder'

const folder = tempFolders()

const fixture = path.join(__dirname, '../../../fixtures/readers/cursor/input')

it.each([
  ['projects', 'chats'],
  ['chats', 'projects'],
])(
  'a conversation in stores under two roots is one, from the richer: %s, %s',
  async (...folders) => {
    const roots = folders.map((folder) => ({
      source: 'cursor' as const,
      path: path.join(fixture, folder),
    }))
    const histories = await openHistories(historyDisk(appDisk), roots).list()
    const keys = histories.map(({ key }) => key)
    expect(new Set(keys).size).toBe(keys.length)
    const places = histories
      .filter(({ ref }) => ref.key.startsWith('b3092f33'))
      .map(({ ref }) => ref.files[0]?.file)
    expect(places).toEqual([expect.stringContaining('/store.db/')])
  },
)

function readerOf(id: string): HistoryReader {
  const reader = readers.find((one) => one.id === id)
  if (reader === undefined) throw new Error(`${id} has no reader`)
  return reader
}

/** A promise, and the function that resolves it. */
function gate() {
  let open: () => void = () => undefined
  const isOpen = new Promise<void>((resolve) => {
    open = resolve
  })
  return { isOpen, open: () => open() }
}

it('one of voicemode opens while other systems are still being listed, and hides none that is found', async () => {
  const root = (name: string) => path.join(fixture, '../..', name)
  const fluux = readerOf('fluux')
  const late = gate()
  const waiting: HistoryReader = {
    ...fluux,
    async *list(...given) {
      await late.isOpen
      yield* fluux.list(...given)
    },
  }
  const histories = openHistories(
    historyDisk(appDisk),
    [
      { source: 'voicemode', path: root('voicemode/basic') },
      { source: 'cursor', path: path.join(fixture, 'chats') },
      { source: 'fluux', path: root('fluux/input') },
    ],
    () => undefined,
    [readerOf('voicemode'), readerOf('cursor'), waiting],
  )
  const told: History[] = []
  const listed = histories.list(undefined, (some) => void told.push(...some))
  const sources = () => new Set(told.map(({ ref }) => ref.source))
  await expect.poll(() => sources().size).toBe(2)

  const one = told.find(({ ref }) => ref.source === 'voicemode')
  if (one === undefined) throw new Error('there is none of voicemode')
  expect((await histories.now(one.key))?.key).toBe(one.key)
  const keys = (some: readonly History[]) => some.map(({ key }) => key).sort()
  expect(keys(histories.known())).toEqual(keys(told))

  late.open()
  await listed
  expect(keys(histories.known())).toEqual(keys(told))
  expect(sources().size).toBe(3)
})

it('one whose file came after its folder was listed is found, though that list still goes on', async () => {
  const root = folder()
  const history = path.join(root, 'history')
  await fs.mkdir(history)
  const write = (n: number) =>
    fs.writeFile(
      path.join(history, `chat-history-${n}.jsonl`),
      `${JSON.stringify({ role: 'user', content: 'Hello', id: '1' })}\n`,
    )
  await write(1_754_437_000_001)
  const cycod = readerOf('cycod')
  const [looked, late] = [gate(), gate()]
  const waiting: HistoryReader = {
    ...cycod,
    async *list(...given) {
      const refs: SourceRef[] = []
      for await (const ref of cycod.list(...given)) refs.push(ref)
      looked.open()
      await late.isOpen
      yield* refs
    },
  }
  const roots = [{ source: 'cycod' as const, path: root }]
  const histories = openHistories(historyDisk(appDisk), roots, () => undefined, [waiting])
  const listed = histories.list(undefined, () => undefined)
  await looked.isOpen
  await write(1_754_437_000_002)
  const key = LibraryKey.parse('cycod:chat-history-1754437000002')
  const found = histories.find(key)
  late.open()
  expect((await found)?.key).toBe(key)
  await listed
})
