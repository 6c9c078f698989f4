import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { appDisk } from '../../../../src/main/disk/app-disk'
import { glanceAt } from '../../../../src/main/readers/common/glance'
import type { HistoryReader, SourceFact } from '../../../../src/main/readers/common/reader'
import { historyDisk } from '../../../../src/main/readers/history-disk'
import { readers } from '../../../../src/main/readers/index'
import { readUnit } from '../../../../src/main/readers/read-root'
import { readingOf } from '../../../../src/shared/model/conversation/reading'

const fixtures = path.resolve(import.meta.dirname, '../../../fixtures/readers')
const disk = historyDisk(appDisk)
const signal = new AbortController().signal
const foreign = readers.filter(({ id }) => id !== 'chibi')

it.each(foreign)('shows of $id what a whole reading tells', async (reader) => {
  const input = path.join(fixtures, reader.id, 'input')
  const root = fs.existsSync(input) ? input : path.dirname(input)
  let compared = 0
  for await (const ref of reader.list(root, disk, signal)) {
    const { conversations } = await readUnit(reader, ref, disk, signal)
    if (conversations.length !== 1) continue
    const glance = await glanceAt(reader, ref, disk, signal)
    const { title, project, created, updated } = conversations[0] ?? {}
    expect(glance, ref.key).toEqual({ title, project, created, updated })
    compared += 1
  }
  expect(compared).toBeGreaterThan(0)
})

/** A system whose entries have times, and whose conversations do not say when they began. */
function timedReader(times: readonly (number | null)[], withEnd: boolean): HistoryReader {
  return {
    id: 'cycod',
    defaultRoots: [],
    known: { record: 'any' },
    async *list() {},
    read: () => readingOf('k', facts()),
    ...(withEnd ? { lastTime: async () => times.at(-1) ?? undefined } : {}),
  }

  async function* facts(): AsyncGenerator<SourceFact> {
    const told = { key: 'k', title: 'Title', project: '/p', createdAt: undefined, parent: null }
    yield { type: 'conversation', conversation: told }
    for (const [n, timestamp] of times.entries()) {
      const place = { file: 'f', line: n + 1, offset: n, length: 1 }
      const said = { from: 'a', to: 'b', content: 'c', entry_type: 'message', timestamp }
      // The facts of a reader have branded ids; what they are is of no matter here.
      yield { type: 'entry', entry: { id: `L${n}` as never, ...said, ...place } }
    }
    throw new Error('read to the end')
  }
}

const ref = {
  source: 'cycod',
  root: '/r',
  key: 'k',
  files: [],
  bytes: 1,
  updatedAtMs: 9_000_000,
} as const

it.each([
  [[null, 60, 120], true, '1970-01-01T00:01:00.000Z', '1970-01-01T00:02:00.000Z'],
  [[null, 60, 120], false, '1970-01-01T00:01:00.000Z', '1970-01-01T02:30:00.000Z'],
  [Array(100).fill(null), false, null, '1970-01-01T02:30:00.000Z'],
])('stops at the first time of %j', async (times, withEnd, created, updated) => {
  const glance = await glanceAt(timedReader(times, withEnd), ref, disk, signal)
  expect(glance).toEqual({ title: 'Title', project: '/p', created, updated })
})
