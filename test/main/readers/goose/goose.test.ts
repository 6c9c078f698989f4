import fs from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { appDisk } from '../../../../src/main/disk/app-disk'
import type { SourceRef } from '../../../../src/main/readers/common/reader'
import { gooseReader } from '../../../../src/main/readers/goose/goose'
import { gooseLine } from '../../../../src/main/readers/goose/line'
import { historyDisk } from '../../../../src/main/readers/history-disk'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'

const temp = tempFolders(memoryFolder)
const disk = historyDisk(appDisk)
const { signal } = new AbortController()
const fixture = path.join(__dirname, '../../../fixtures/readers/goose/input')

async function refsUnder(root: string): Promise<readonly SourceRef[]> {
  const refs: SourceRef[] = []
  for await (const ref of gooseReader.list(root, disk, signal)) refs.push(ref)
  return refs
}

const placesOf = (refs: readonly SourceRef[]) => refs.map(({ files }) => files[0]?.file)

it('a session that the database has too is listed from there, and from its older file where the database is gone', async () => {
  expect(placesOf(await refsUnder(fixture))).toEqual([
    'sessions/sessions.db/!goose/20260910_1',
    'sessions/sessions.db/!goose/20260910_2',
    'sessions/sessions.db/!goose/20260910_4',
    'sessions/20250310_120000.jsonl',
  ])
  const root = temp()
  for (const name of ['20250310_120000.jsonl', '20260910_1.jsonl'])
    fs.copyFileSync(path.join(fixture, 'sessions', name), path.join(root, name))
  expect(placesOf(await refsUnder(root))).toEqual(['20250310_120000.jsonl', '20260910_1.jsonl'])
})

it('sessions are found in the folder of data, in the one that holds all folders, in their own, and by a file', async () => {
  const keys = (await refsUnder(fixture)).map(({ key }) => key)
  const root = temp()
  fs.cpSync(fixture, path.join(root, 'data'), { recursive: true })
  expect((await refsUnder(root)).map(({ key }) => key)).toEqual(keys)
  expect((await refsUnder(path.join(fixture, 'sessions'))).map(({ key }) => key)).toEqual(keys)
  const database = await refsUnder(path.join(fixture, 'sessions/sessions.db'))
  expect(database.map(({ key }) => key)).toEqual(keys.slice(0, 3))
  const file = await refsUnder(path.join(fixture, 'sessions/20250310_120000.jsonl'))
  expect(file.map(({ key }) => key)).toEqual(['20250310_120000'])
})

it('a name that Goose gave a session is no title, unless a person gave it', () => {
  const titleOf = (row: object) => {
    const line = gooseLine({ record: 'sessions', row }, '', 'line')
    return typeof line === 'string' ? line : line.head?.title
  }
  for (const name of ['CLI Session', 'New Chat', 'New session 12', 'new session'])
    expect(titleOf({ name })).toBe('')
  expect(titleOf({ name: 'New Chat', user_set_name: 1 })).toBe('New Chat')
  expect(titleOf({ name: '', description: 'An older title' })).toBe('An older title')
})

it('keys and secrets of a session are on no line of it', async () => {
  for (const { root, files } of await refsUnder(fixture)) {
    const opened = await disk.open(path.join(root, files[0]?.file ?? ''), 'read')
    const bytes = Buffer.alloc(100_000)
    await opened.read(bytes, 0)
    await opened.close()
    expect(bytes.toString('utf8')).not.toContain('not-to-be-read')
  }
})

it('a line of any shape gives entries, a control line or a reason', () => {
  const kinds = ['text', 'image', 'toolRequest', 'toolResponse', 'actionRequired', 'thinking', 'x']
  const part = fc.oneof(
    fc.jsonValue(),
    fc.dictionary(
      fc.constantFrom('type', 'text', 'data', 'id', 'toolCall', 'toolResult', 'msg', 'status'),
      fc.oneof(fc.constantFrom(...kinds), fc.jsonValue()),
    ),
  )
  const line = fc.record(
    {
      record: fc.oneof(fc.constantFrom('sessions', 'messages'), fc.jsonValue()),
      role: fc.constantFrom('user', 'assistant', 7),
      row: fc.oneof(
        fc.jsonValue(),
        fc.record({ role: fc.constantFrom('user', 'assistant', null) }),
      ),
      data: fc.oneof(fc.jsonValue(), fc.array(part)),
      content: fc.oneof(fc.jsonValue(), fc.array(part)),
      created: fc.jsonValue(),
      sums: fc.jsonValue(),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(line, (value) => {
      const meaning = gooseLine(value, JSON.stringify(value), 'line')
      if (typeof meaning === 'string') return
      if (meaning.type === 'entries')
        for (const { content, entry_type } of meaning.entries)
          expect([typeof content, typeof entry_type]).toEqual(['string', 'string'])
    }),
    { seed: 20, numRuns: 500 },
  )
})
