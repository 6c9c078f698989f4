import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodeDisk } from '../../../src/main/disk/node/node-disk'
import { chibiReader } from '../../../src/main/readers/chibi'
import type { HistoryReader } from '../../../src/main/readers/common/reader'
import { readRoot } from '../../../src/main/readers/read-root'
import { AppError } from '../../../src/shared/model/basics/errors'
import { readingOf } from '../../../src/shared/model/conversation/reading'

const fixtures = path.join(__dirname, '../../fixtures')
const signal = new AbortController().signal

it('gathers a home into the shape of `skein read`', async () => {
  const root = path.join(fixtures, 'readers/chibi/input')
  const { conversations, files, notices } = await readRoot(chibiReader, root, nodeDisk, signal)
  const { entries, ...conversation } = conversations[0] ?? { entries: [] }
  expect(conversation).toEqual({
    source: 'chibi',
    key: 'garden',
    title: 'garden',
    project: null,
    created: '2026-02-02T02:40:00.000Z',
    updated: '2026-02-02T02:40:15.000Z',
    models: ['example/model'],
    parent: null,
    active: entries.map((entry) => entry.id),
  })
  expect(entries[1]).toEqual({
    id: 'a1c1f1de-0a51-4b0e-8b57-0d2f3f0a9f02',
    timestamp: 1770000010,
    from: 'mira',
    to: 'garden',
    content: '[20260202-0240+0000] When to sow peas?',
    entry_type: 'message',
    role: 'user',
    file: 'contexts/garden/transcript/partitions/1770000000-1770000010.jsonl',
    line: 2,
    offset: 158,
    length: 184,
  })
  expect(
    files.map(({ file, lines, entryLines, blank, damaged }) => [
      path.posix.basename(file),
      lines,
      entryLines,
      blank,
      damaged.length,
    ]),
  ).toEqual([
    ['1770000000-1770000010.jsonl', 2, 2, 0, 0],
    ['active.jsonl', 5, 3, 1, 1],
  ])
  expect(notices).toEqual([])
})

it('lists conversations without entries, and tells what was noticed', async () => {
  const root = path.join(fixtures, 'cases/72-stray-partition/home')
  const { notices } = await readRoot(chibiReader, root, nodeDisk, signal)
  expect(notices).toEqual([
    {
      key: 'default',
      notice: '1773130003-1773130004.jsonl is not in the manifest; it was read anyway.',
    },
  ])
  const { conversations } = await readRoot(
    chibiReader,
    path.join(fixtures, 'chibi/home-v09'),
    nodeDisk,
    signal,
  )
  expect(conversations.map(({ key, entries }) => [key, entries.length])).toEqual([
    ['compacted', 11],
    ['default', 16],
    ['fresh', 3],
    ['legacy', 3],
    ['locked', 1],
  ])
})

it('reads nothing where nothing is', async () => {
  expect(await readRoot(chibiReader, '/nowhere/at/all', nodeDisk, signal)).toEqual({
    conversations: [],
    files: [],
    notices: [],
    unread: [],
    damaged: [],
  })
})

describe('a root that cannot be listed to its end', () => {
  const root = path.join(fixtures, 'readers/chibi/input')
  const failure = new AppError('unreadable', 'the rest cannot be listed.')
  // biome-ignore lint/correctness/useYield: it fails before
  async function* failingAccounts(): AsyncGenerator<never> {
    throw failure
  }
  const failing = (after: boolean): HistoryReader => ({
    ...chibiReader,
    async *list(...of) {
      if (after) yield* chibiReader.list(...of)
      throw failure
    },
    // Whoever lists for the accounts meets the same failure.
    accounts: (folder) => readingOf(folder, failingAccounts()),
  })

  it('gives what was listed before, and tells the failure once', async () => {
    const whole = await readRoot(chibiReader, root, nodeDisk, signal)
    expect(await readRoot(failing(true), root, nodeDisk, signal)).toEqual({
      ...whole,
      unread: [
        {
          key: root,
          part: { file: '', fromByte: 0, cause: 'failed', sentence: failure.message },
        },
      ],
    })
  })

  it('fails where nothing was listed', async () => {
    await expect(readRoot(failing(false), root, nodeDisk, signal)).rejects.toBe(failure)
  })
})
