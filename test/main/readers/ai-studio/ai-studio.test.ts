import path from 'node:path'
import { describe, expect, it } from 'vitest'
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

describe('what a chunk holds', () => {
  const told = async (...chunks: readonly object[]) => {
    const { conversations, files } = await read({ a: prompt(...chunks) })
    expect(files[0]?.damaged).toEqual([])
    return conversations[0]?.entries.map(({ entry_type, from, to, content, metadata }) => [
      `${entry_type} ${from} ${to}`,
      content,
      withoutModel(metadata ?? {}),
    ])
  }
  const withoutModel = ({ model: _, ...more }: Readonly<Record<string, unknown>>) => more
  const said = 'message ai-studio user'

  it('is there part by part: words, pictures, files, code and functions, as often as there are any', async () => {
    const code = (text: string) => ({
      executableCode: { language: 'PYTHON', code: text, id: text },
    })
    const parts = [
      { text: 'Think. ', thought: true },
      { text: 'First ' },
      { inlineData: { mimeType: 'image/png', data: 'aGk=' } },
      { fileData: { fileUri: 'https://files/1', mimeType: 'text/plain' } },
      code('1'),
      { codeExecutionResult: { outcome: 'OUTCOME_FAILED', output: 'no' } },
      code('2'),
      { functionCall: { id: 'f', name: 'sow', args: { what: 'peas' } } },
      { functionResponse: { id: 'f', name: 'sow', response: { output: 'sown', row: 2 } } },
      'and last.',
    ]
    const call = 'tool_call ai-studio code_execution'
    expect(await told({ role: 'model', text: 'First and last.', parts })).toEqual([
      ['reasoning ai-studio user', 'Think. ', {}],
      [
        said,
        'First ',
        {
          images: [{ url: 'data:image/png;base64,aGk=' }],
          attachments: [{ type: 'fileData', fileUri: 'https://files/1', mimeType: 'text/plain' }],
        },
      ],
      [call, '1', { language: 'python', raw_fields: { id: '1' } }],
      ['tool_result code_execution ai-studio', 'no', { is_error: true }],
      [call, '2', { language: 'python', raw_fields: { id: '2' } }],
      ['tool_call ai-studio sow', '{"what":"peas"}', {}],
      ['tool_result sow ai-studio', '{"output":"sown","row":2}', {}],
      [said, 'and last.', {}],
    ])
  })

  it('is kept where nobody knows it, and where its text and its parts differ', async () => {
    const files = { driveImage: 'id-1', inlineFile: { mimeType: 'text/csv', data: 'YQ==' } }
    expect(
      await told(
        { role: 'user', text: 'Look.', parts: [{ seed: 'bean' }, 7, { text: 5 }], ...files },
        { role: 'model', text: 'One.', parts: [{ text: 'Two.' }] },
        { role: 'model', isThought: true, driveImage: { id: 'id-2' } },
        { role: 'model', errorMessage: { code: 500 } },
        { driveImage: { id: 'id-3' } },
      ),
    ).toEqual([
      [
        'message user ai-studio',
        'Look.',
        {
          attachments: [
            { inlineData: { mimeType: 'text/csv', data: 'YQ==' } },
            { type: 'driveImage', id: 'id-1' },
          ],
        },
      ],
      ['unknown ai-studio user', '{"seed":"bean"}', { raw_type: 'seed' }],
      ['unknown ai-studio user', '7', { raw_type: 'part' }],
      ['unknown ai-studio user', '{"text":5}', { raw_type: 'text' }],
      [said, 'One.\n\nTwo.', {}],
      ['reasoning ai-studio user', '', { attachments: [{ type: 'driveImage', id: 'id-2' }] }],
      [said, '{"code":500}', { raw_type: 'error' }],
      ['unknown ai-studio user', '{"driveImage":{"id":"id-3"}}', { raw_type: 'chunk' }],
    ])
  })

  it('is once where the chunk and its parts both have it', async () => {
    const executableCode = { language: 'PYTHON', code: '1' }
    const parts = [{ executableCode }, { inlineData: { mimeType: 'image/png', data: 'aGk=' } }]
    const inlineImage = { mimeType: 'image/png', data: 'aGk=' }
    const entries = await told({ role: 'model', executableCode, inlineImage, parts })
    expect(entries?.map(([kind]) => kind)).toEqual(['tool_call ai-studio code_execution', said])
    expect(entries?.[1]?.[2]).toEqual({ images: [{ url: 'data:image/png;base64,aGk=' }] })
  })

  it('is all of what a person told the model of its answers', async () => {
    const parts = [
      { text: 'Be brief.' },
      { inlineData: { mimeType: 'image/png', data: 'aGk=' } },
      { seed: 1 },
    ]
    const text = JSON.stringify({
      systemInstruction: { parts },
      chunkedPrompt: { chunks: [{ role: 'user', text: 'a' }] },
    })
    const { conversations } = await read({ a: text })
    expect(conversations[0]?.entries[0]).toMatchObject({
      content: 'Be brief.',
      metadata: { images: [{ url: 'data:image/png;base64,aGk=' }], attachments: [{ seed: 1 }] },
    })
  })
})
