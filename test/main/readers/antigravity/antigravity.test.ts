import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { antigravityReader } from '../../../../src/main/readers/antigravity/antigravity'
import { antigravityLine } from '../../../../src/main/readers/antigravity/line'
import { historyDisk } from '../../../../src/main/readers/history-disk'
import { readRoot } from '../../../../src/main/readers/read-root'
import { memoryDisk } from '../../../support/memory-disk'

const signal = new AbortController().signal
const logs = (id: string) => `brain/${id}/.system_generated/logs`
const step = (type: string, content: unknown, more: object = {}) =>
  `${JSON.stringify({ step_index: 0, source: 'USER_EXPLICIT', type, content, ...more })}\n`

function read(files: Readonly<Record<string, string>>, root = '/agy') {
  const disk = memoryDisk()
  for (const [name, text] of Object.entries(files))
    disk.put(path.posix.join('/agy', name), Buffer.from(text))
  return readRoot(antigravityReader, root, historyDisk(disk), signal)
}

describe('finding transcripts', () => {
  const files = {
    [`${logs('a')}/transcript.jsonl`]: step('USER_INPUT', 'short'),
    [`${logs('a')}/transcript_full.jsonl`]: step('USER_INPUT', 'whole'),
    [`${logs('b')}/transcript.jsonl`]: step('USER_INPUT', 'other'),
    'brain/a/plan.md': '# Plan',
    'conversations/c.pb': 'encrypted',
  }

  it('reads one of each conversation, the one with whole texts where it is there', async () => {
    const { conversations } = await read(files)
    expect(conversations.map(({ key, title }) => [key, title])).toEqual([
      ['a', 'whole'],
      ['b', 'other'],
    ])
  })

  it('reads a folder inside, and one file', async () => {
    const keysIn = async (root: string) =>
      (await read(files, `/agy/${root}`)).conversations.map(({ key }) => key)
    expect(await keysIn('brain')).toEqual(['a', 'b'])
    expect(await keysIn('brain/b')).toEqual(['b'])
    expect(await keysIn(`${logs('b')}/transcript.jsonl`)).toEqual(['b'])
  })
})

it('keeps a person’s words apart from what the program put around them, and loses none of it', () => {
  const content =
    'before <USER_REQUEST>\nhello\n</USER_REQUEST>\n<OPEN_FILES>\na.ts\n</OPEN_FILES> after'
  const line = antigravityLine(JSON.parse(step('USER_INPUT', content)), '', 'line')
  if (typeof line === 'string' || line.type === 'control') throw new Error('no entries')
  expect(line.entries.map((one) => [one.content, one.metadata?.injected === true])).toEqual([
    ['hello', false],
    ['<OPEN_FILES>\na.ts\n</OPEN_FILES>', true],
    [expect.stringMatching(/before\s+after/), true],
  ])
})

it('accounts for every line, whatever is in it', async () => {
  const value = fc.oneof(
    fc.json(),
    fc.string().map((text) => step('PLANNER_RESPONSE', text).trim()),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(value, { maxLength: 8 }), async (lines) => {
      const { files } = await read({
        [`${logs('a')}/transcript.jsonl`]: lines.map((one) => `${one}\n`).join(''),
      })
      for (const { lines: all, entryLines, control, blank, damaged } of files)
        expect(all).toBe(entryLines + control + blank + damaged.length)
    }),
    { numRuns: 100 },
  )
})
