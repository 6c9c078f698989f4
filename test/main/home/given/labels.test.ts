import fs from 'node:fs'
import path from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { openStore } from '../../../../src/main/store/open-store'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import { type Entry, EntryId } from '../../../../src/shared/model/conversation/entry'
import { message } from '../../../support/entries'
import { openTestHome, placesIn, testSettings } from '../../../support/home'
import { tempFolders } from '../../../support/temp-folder'

const temp = tempFolders()
const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})
const key = LibraryKey.parse('garden')
const label = { word: 'plan', color: 'green' } as const

async function opened() {
  const root = temp()
  const { home } = placesIn(root)
  const writer = await openStore({ home, disk: nodeDisk }).openWriter('garden', { create: true })
  await writer.append(message('Tulips or crocuses?'))
  await writer.close()
  let changes = 0
  const session = await openTestHome(root, {
    roots: [],
    settings: await testSettings(placesIn(root), 'http://127.0.0.1:9'),
    events: { labelsChanged: () => void changes++ },
  })
  closers.push(() => session.close())
  const { rows } = await session.transcripts.page(key, 'end', 10)
  const entries = rows.flatMap((row): Entry[] => (row.type === 'entry' ? [row.entry] : []))
  const said = entries.at(-1)
  if (said === undefined) throw new Error('nothing was said')
  const at = { entry: said.id, file: said.file, offset: said.offset }
  return { session, at, home, changes: () => changes }
}

it('gives an entry a label, tells once that labels are others, and says what was there before', async () => {
  const { session, at, changes } = await opened()
  expect(await session.labels.set(key, at, label)).toBeUndefined()
  expect(changes()).toBe(1)
  expect(await session.labels.list()).toMatchObject([{ key, entry: at.entry, ...label }])
  expect(await session.labels.set(key, at, label)).toMatchObject(label)
  expect(changes()).toBe(1)
  expect(await session.labels.set(key, at, undefined)).toMatchObject(label)
  expect(changes()).toBe(2)
  expect(await session.labels.list()).toEqual([])
})

it('finds an entry whose line lies in another file now, and refuses one that is not there', async () => {
  const { session, at, home } = await opened()
  await session.labels.set(key, { ...at, file: 'contexts/garden/elsewhere.jsonl' }, label)
  expect(await session.labels.list()).toHaveLength(1)
  const other = { ...at, entry: EntryId.parse('another') }
  await expect(session.labels.set(key, other, label)).rejects.toMatchObject({ code: 'not-found' })
  await expect(session.labels.set(LibraryKey.parse('nowhere'), at, label)).rejects.toMatchObject({
    code: 'not-found',
  })
  // A label of what is gone can be taken away.
  fs.rmSync(path.join(home, 'contexts', 'garden'), { recursive: true })
  expect(await session.labels.set(key, at, undefined)).toMatchObject(label)
})
