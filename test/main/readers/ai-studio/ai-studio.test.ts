import path from 'node:path'
import { expect, it } from 'vitest'
import { unpackingDisk } from '../../../../src/main/disk/unpack/unpacking-disk'
import { aiStudioReader } from '../../../../src/main/readers/ai-studio/ai-studio'
import { historyDisk } from '../../../../src/main/readers/history-disk'
import { readRoot } from '../../../../src/main/readers/read-root'
import { memoryDisk } from '../../../support/memory-disk'
import { zipped } from '../../../support/zipped'

const signal = new AbortController().signal
const prompt = (...chunks: readonly object[]) =>
  JSON.stringify({ runSettings: { model: 'models/gemini-3' }, chunkedPrompt: { chunks } })

function read(files: Readonly<Record<string, string | Buffer>>, root = '/drive') {
  const disk = memoryDisk()
  for (const [name, text] of Object.entries(files))
    disk.put(path.posix.join('/drive', name), typeof text === 'string' ? Buffer.from(text) : text)
  return readRoot(aiStudioReader, root, historyDisk(unpackingDisk(disk)), signal)
}

it('finds prompts without an ending, whose names are their titles, among other files', async () => {
  const files = {
    'Beans, v1.2': prompt({ role: 'user', text: 'a' }),
    'Peas.json': prompt({ role: 'user', text: 'b' }),
    'leaf.png': 'PNG',
    'notes.txt': 'Beans',
    LICENSE: 'Copyright',
    'other.json': '{"chunks":[]}',
  }
  const { conversations } = await read(files)
  expect(conversations.map(({ key, title }) => [key, title])).toEqual([
    ['Beans, v1.2', 'Beans, v1.2'],
    ['Peas', 'Peas'],
  ])
})

it('tells thoughts and words of one chunk apart by its parts', async () => {
  const parts = [{ text: 'Hm.', thought: true }, { text: 'In ' }, { text: 'May.' }]
  const { conversations } = await read({ a: prompt({ role: 'model', text: 'Hm.In May.', parts }) })
  expect(conversations[0]?.entries.map(({ entry_type: type, content }) => [type, content])).toEqual(
    [
      ['reasoning', 'Hm.'],
      ['message', 'In May.'],
    ],
  )
})

it('finds prompts whose titles look like names of files, and one file of any name', async () => {
  const titles = [
    'Conversations with beans.v2',
    'Explain main.py',
    'My activity plan',
    'Plan for v2.final',
  ]
  const other = prompt({ role: 'user', text: 'other' })
  const files = {
    ...Object.fromEntries(titles.map((title) => [title, prompt({ role: 'user', text: title })])),
    'My activity plan.json': other,
    'My Activity (2).json': other,
    'leaf.PNG': other,
  }
  const { conversations, unread } = await read(files)
  expect(conversations.map(({ title }) => title).sort()).toEqual(
    [...titles, 'My activity plan'].sort(),
  )
  expect(unread).toEqual([])
  const one = await read(files, '/drive/leaf.PNG')
  expect(one.conversations.map(({ title }) => title)).toEqual(['leaf.PNG'])
})

it('lists every prompt of several with one title, each with a key of its own', async () => {
  const { conversations } = await read({
    'a/Beans': prompt({ role: 'user', text: 'first' }),
    'a/Beans.json': prompt({ role: 'user', text: 'second, and longer' }),
    'b/Beans': prompt({ role: 'user', text: 'third' }),
  })
  expect(conversations.map(({ key, title, entries }) => [key, title, entries[0]?.content])).toEqual(
    [
      ['Beans', 'Beans', 'first'],
      ['a/Beans.json', 'Beans', 'second, and longer'],
      ['b/Beans', 'Beans', 'third'],
    ],
  )
})

it('lists of one place in several zips the prompt with the latest message, though it is shorter', async () => {
  const chunk = (text: string, createTime: string) =>
    zipped([
      {
        name: 'Takeout/Beans',
        content: Buffer.from(prompt({ role: 'user', text, createTime })),
      },
    ])
  const { conversations } = await read({
    'a.zip': chunk('older, and longer', '2026-09-10T09:00:00Z'),
    'b.zip': chunk('newer', '2026-09-11T09:00:00Z'),
    Beans: prompt({ role: 'user', text: 'elsewhere' }),
  })
  const told = conversations.map(({ key, entries }) => [key, entries[0]?.content])
  expect(told.sort()).toEqual([
    ['Beans', 'elsewhere'],
    ['a.zip/Takeout/Beans', 'newer'],
  ])
})
