import path from 'node:path'
import { expect, it } from 'vitest'
import { appDisk } from '../../../../src/main/disk/app-disk'
import { chatgptReader } from '../../../../src/main/readers/chatgpt/chatgpt'
import { deepseekReader } from '../../../../src/main/readers/deepseek/deepseek'
import { historyDisk } from '../../../../src/main/readers/history-disk'
import { readRoot } from '../../../../src/main/readers/read-root'

const disk = historyDisk(appDisk)
const { signal } = new AbortController()
const fixtures = path.join(__dirname, '../../../fixtures/readers')

it('tells its exports and those of ChatGPT apart, which have the same name and shape', async () => {
  for (const [reader, other] of [
    [deepseekReader, 'chatgpt'],
    [chatgptReader, 'deepseek'],
  ] as const) {
    const own = await readRoot(reader, path.join(fixtures, reader.id, 'input'), disk, signal)
    expect(own.conversations.length).toBeGreaterThan(0)
    const foreign = await readRoot(reader, path.join(fixtures, other, 'input'), disk, signal)
    expect(foreign.conversations).toEqual([])
  }
})

it('shows the copy of a conversation that was updated last, at its newest message', async () => {
  const root = path.join(fixtures, 'deepseek/input')
  const { conversations } = await readRoot(deepseekReader, root, disk, signal)
  const bees = conversations.find(({ key }) => key === 'd1-bees')
  expect(bees?.title).toBe('Bees when it is cold')
  expect(bees?.entries.at(-1)?.id).toBe('4#2')
  const thoughts = bees?.entries.filter(({ entry_type: type }) => type === 'reasoning')
  expect(thoughts?.map(({ content }) => content)).toEqual(['They form a ball.\nIs that so?'])
})

it('keeps a message of files alone, and what is no message', async () => {
  const { meaningOf } = deepseekReader
  const line = (value: object) => meaningOf?.(value, JSON.stringify(value), 'line')
  const message = {
    files: [{ file_name: 'a.png' }],
    fragments: [],
    inserted_at: '2026-09-10T17:00:00+08:00',
  }
  expect(line({ id: '1', parent: null, message })).toMatchObject({
    entries: [
      { timestamp: 1789030800, role: 'user', metadata: { attachments: [{ filename: 'a.png' }] } },
    ],
    link: { id: '1', parent: null },
  })
  expect(line({ id: '2', parent: '1', message: 'odd' })).toMatchObject({
    entries: [{ entry_type: 'unknown', content: 'odd' }],
  })
})
