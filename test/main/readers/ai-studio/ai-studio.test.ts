import path from 'node:path'
import { expect, it } from 'vitest'
import { aiStudioReader } from '../../../../src/main/readers/ai-studio/ai-studio'
import { historyDisk } from '../../../../src/main/readers/history-disk'
import { readRoot } from '../../../../src/main/readers/read-root'
import { memoryDisk } from '../../../support/memory-disk'

const signal = new AbortController().signal
const prompt = (...chunks: readonly object[]) =>
  JSON.stringify({ runSettings: { model: 'models/gemini-3' }, chunkedPrompt: { chunks } })

function read(files: Readonly<Record<string, string>>, root = '/drive') {
  const disk = memoryDisk()
  for (const [name, text] of Object.entries(files))
    disk.put(path.posix.join('/drive', name), Buffer.from(text))
  return readRoot(aiStudioReader, root, historyDisk(disk), signal)
}

it('finds prompts without an ending, whose names are their titles, among other files', async () => {
  const files = {
    'Beans, v1.2': prompt({ role: 'user', text: 'a' }),
    'Peas.json': prompt({ role: 'user', text: 'b' }),
    'leaf.png': 'PNG',
    'notes.txt': prompt({ role: 'user', text: 'c' }),
    LICENSE: 'Copyright',
    'other.json': '{"chunks":[]}',
  }
  const { conversations } = await read(files)
  expect(conversations.map(({ key, title }) => [key, title])).toEqual([
    ['Beans, v1.2', 'Beans, v1.2'],
    ['Peas', 'Peas'],
  ])
  const one = await read(files, '/drive/notes.txt')
  expect(one.conversations.map(({ title }) => title)).toEqual(['notes.txt'])
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
