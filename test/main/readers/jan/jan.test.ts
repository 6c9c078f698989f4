import fs from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { appDisk } from '../../../../src/main/disk/app-disk'
import type { SourceRef } from '../../../../src/main/readers/common/reader'
import { historyDisk } from '../../../../src/main/readers/history-disk'
import { janReader } from '../../../../src/main/readers/jan/jan'
import { janLine } from '../../../../src/main/readers/jan/line'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'

const temp = tempFolders(memoryFolder)
const disk = historyDisk(appDisk)
const { signal } = new AbortController()
const fixture = path.join(__dirname, '../../../fixtures/readers/jan/input')

async function refsUnder(root: string): Promise<readonly SourceRef[]> {
  const refs: SourceRef[] = []
  for await (const ref of janReader.list(root, disk, signal)) refs.push(ref)
  return refs
}

it('threads are found from the folder of data, the folder of threads, one thread, and its messages', async () => {
  const keys = async (place: string) =>
    (await refsUnder(path.join(fixture, place))).map(({ key }) => key)
  expect(await keys('')).toEqual(['jan_1789030800', 'pond'])
  expect(await keys('threads')).toEqual(['jan_1789030800', 'pond'])
  expect(await keys('threads/pond')).toEqual(['pond'])
  expect(await keys('threads/pond/messages.jsonl')).toEqual(['pond'])
})

it('a new title in the file beside the messages is seen, and one that Jan put there is none', async () => {
  const root = temp()
  fs.cpSync(fixture, root, { recursive: true })
  const titles = async () => (await refsUnder(root)).map(({ storedTitle }) => storedTitle)
  expect(await titles()).toEqual(['Prune the pear', undefined])
  const file = path.join(root, 'threads/pond/thread.json')
  fs.writeFileSync(file, JSON.stringify({ id: 'pond', title: 'Dig the pond' }))
  expect(await titles()).toEqual(['Prune the pear', 'Dig the pond'])
  fs.writeFileSync(file, '{"id":"pond","ti')
  expect(await titles()).toEqual(['Prune the pear', undefined])
})

it('an answer that has lost the message before it follows the one in the file', () => {
  const linkOf = (role: string, metadata: object) => {
    const meaning = janLine({ id: 'x', role, content: 'words', metadata }, '', 'line')
    return typeof meaning === 'string' ? meaning : meaning.link
  }
  expect(linkOf('user', { parentId: null })).toEqual({ id: 'x', parent: null })
  expect(linkOf('assistant', { parentId: 'a' })).toEqual({ id: 'x', parent: 'a' })
  expect(linkOf('assistant', { parentId: null })).toBeUndefined()
  expect(linkOf('user', {})).toBeUndefined()
})

it('a line of any shape gives entries, a control line or a reason', () => {
  const part = fc.oneof(
    fc.jsonValue(),
    fc.dictionary(
      fc.constantFrom('type', 'text', 'image_url', 'input', 'output', 'tool_name'),
      fc.oneof(fc.constantFrom('text', 'tool_call', 'image_url', 'reasoning'), fc.jsonValue()),
    ),
  )
  const line = fc.record(
    {
      id: fc.oneof(fc.constantFrom('a', ''), fc.jsonValue()),
      role: fc.oneof(fc.constantFrom('user', 'assistant', 'tool', 'system'), fc.jsonValue()),
      content: fc.oneof(fc.jsonValue(), fc.array(part)),
      created_at: fc.jsonValue(),
      metadata: fc.oneof(
        fc.jsonValue(),
        fc.record({ tool_calls: fc.array(fc.jsonValue()), usage: fc.jsonValue() }),
      ),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(line, (value) => {
      const meaning = janLine(value, JSON.stringify(value), 'line')
      if (typeof meaning === 'string') return
      if (meaning.type === 'entries')
        for (const { content, entry_type } of meaning.entries)
          expect([typeof content, typeof entry_type]).toEqual(['string', 'string'])
    }),
    { seed: 23, numRuns: 500 },
  )
})
