import fs from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { appDisk } from '../../../../src/main/disk/app-disk'
import type { SourceFact, SourceRef } from '../../../../src/main/readers/common/reader'
import { historyDisk } from '../../../../src/main/readers/history-disk'
import { composeThread } from '../../../../src/main/readers/zed/compose-thread'
import { zedLine } from '../../../../src/main/readers/zed/line'
import { unpackThread } from '../../../../src/main/readers/zed/unpack-thread'
import { zedReader } from '../../../../src/main/readers/zed/zed'
import { allowGaps } from '../../../../src/shared/model/conversation/reading'
import { sqlText } from '../../../support/opencode-rows'
import { folderState, hasSqlite3, writeDatabase } from '../../../support/sqlite3'
import { storedZstd } from '../../../support/stored-zstd'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'

const temp = tempFolders(memoryFolder)
const disk = historyDisk(appDisk)
const { signal } = new AbortController()
const fixture = path.join(__dirname, '../../../fixtures/readers/zed/input')

async function refsUnder(root: string): Promise<readonly SourceRef[]> {
  const refs: SourceRef[] = []
  for await (const ref of zedReader.list(root, disk, signal)) refs.push(ref)
  return refs
}

async function toldOf(ref: SourceRef | undefined) {
  if (ref === undefined) throw new Error('nothing is listed')
  const facts: SourceFact[] = []
  const gaps: string[] = []
  const reading = zedReader.read(ref, disk, signal)
  for await (const fact of allowGaps(reading, ({ sentence }) => void gaps.push(sentence)))
    facts.push(fact)
  return {
    gaps,
    facts,
    words: facts.flatMap((fact) => (fact.type === 'entry' ? [fact.entry.content] : [])),
  }
}

const table =
  'create table threads (id text primary key, summary text not null, updated_at text not null, data_type text not null, data blob not null);'

function threadOf(...words: readonly string[]): string {
  const messages = words.map((text, at) =>
    at % 2 === 0
      ? { User: { id: `u${at}`, content: [{ Text: text }] } }
      : { Agent: { content: [{ Text: text }], tool_results: {} } },
  )
  return JSON.stringify({ title: 'T', messages, request_token_usage: {}, version: '0.3.0' })
}

function rowSql(id: string, data: string, minute = 0): string {
  const time = `2026-09-10T09:${String(minute).padStart(2, '0')}:00+00:00`
  return `insert or replace into threads values (${sqlText(id)}, ${sqlText(id)}, '${time}', 'json', ${data});`
}

it('threads are found from the folder of data, the folder of threads, and the database', async () => {
  const keys = ['pear', 'hedge', 'bread', 'buds', 'strange', 'pond'].map((id) => `thread-${id}`)
  for (const place of ['', 'threads', 'threads/threads.db'])
    expect((await refsUnder(path.join(fixture, place))).map(({ key }) => key)).toEqual(keys)
})

it('a thread that ends early anywhere shows what is whole, and more the more there is', async () => {
  const whole = Buffer.from(threadOf('how deep?', 'two metres 🐟', 'and wide?', 'three'))
  const wordsOf = async (text: Buffer) => {
    const { bytes } = await composeThread('{"id":"t"}', text)
    return bytes
      .toString('utf8')
      .split('\n')
      .flatMap((line) => {
        try {
          const meaning = zedLine(JSON.parse(line), line, 'line')
          return typeof meaning !== 'string' && meaning.type === 'entries'
            ? meaning.entries.map(({ content }) => content)
            : []
        } catch {
          return [] // What is left of the last message.
        }
      })
  }
  let before = 0
  for (let end = 0; end <= whole.length; end++) {
    const words = await wordsOf(whole.subarray(0, end))
    expect(words).toEqual(
      ['how deep?', 'two metres 🐟', 'and wide?', 'three'].slice(0, words.length),
    )
    expect(words.length).toBeGreaterThanOrEqual(before)
    before = words.length
  }
  expect(before).toBe(4)
})

it('data is unpacked by its first bytes, and says where it ends early', async () => {
  const text = Buffer.from('some words '.repeat(1000))
  const packed = storedZstd(text)
  expect(await unpackThread(text)).toEqual({ text, fault: undefined })
  expect(await unpackThread(packed)).toEqual({ text, fault: undefined })
  const cut = await unpackThread(packed.subarray(0, packed.length - 20))
  expect(cut.fault).toBe('a thread ends early')
  const damaged = Buffer.concat([packed.subarray(0, 4), Buffer.alloc(40, 0xff)])
  expect((await unpackThread(damaged)).fault).toMatch(/^a thread cannot be unpacked: /)
})

describe.skipIf(!hasSqlite3)('threads of a database', () => {
  it('change, come and go as Zed writes them, and the others stay as they were', async () => {
    const root = temp()
    const file = path.join(root, 'threads.db')
    const text = (words: string) => sqlText(threadOf(words, `${words}!`))
    writeDatabase(
      file,
      `pragma journal_mode = wal; ${table} ${rowSql('a', text('one'))} ${rowSql('b', text('two'))} ${rowSql('empty', sqlText(threadOf()))}`,
      true,
    )
    const before = folderState(root)
    const first = await refsUnder(root)
    expect(first.map(({ key }) => key)).toEqual(['a', 'b'])
    for (const ref of first) {
      const { bytes, files } = ref
      const place = path.join(root, files[0]?.file ?? '')
      const { identity, mtimeMs } = files[0] ?? {}
      expect(await disk.stat(place)).toMatchObject({ sizeBytes: bytes, identity, mtimeMs })
    }
    expect(folderState(root)).toBe(before)
    writeDatabase(
      file,
      `${rowSql('a', text('more words'), 5)} delete from threads where id = 'empty'; ${rowSql('c', text('three'), 6)}`,
      true,
    )
    const second = await refsUnder(root)
    const identityOf = (refs: readonly SourceRef[], key: string) =>
      refs.find((ref) => ref.key === key)?.files[0]?.identity
    expect(second.map(({ key }) => key).sort()).toEqual(['a', 'b', 'c'])
    expect(identityOf(second, 'b')).toBe(identityOf(first, 'b'))
    expect(identityOf(second, 'a')).not.toBe(identityOf(first, 'a'))
    const { words } = await toldOf(second.find(({ key }) => key === 'a'))
    expect(words).toEqual(['more words', 'more words!'])
  })

  it('that cannot be unpacked to their end have a gap that says so', async () => {
    const root = temp()
    const packed = storedZstd(Buffer.from(threadOf('one', 'two', 'three', 'four '.repeat(50_000))))
    const cut = packed.subarray(0, packed.length - 100).toString('hex')
    writeDatabase(path.join(root, 'threads.db'), `${table} ${rowSql('a', `x'${cut}'`)}`)
    fs.utimesSync(path.join(root, 'threads.db'), 1_790_000_000, 1_790_000_000)
    const [ref] = await refsUnder(root)
    const { words, gaps, facts } = await toldOf(ref)
    expect(words).toEqual(['one', 'two', 'three'])
    expect(gaps).toEqual([expect.stringContaining('a thread ends early')])
    const ledger = facts.find((fact) => fact.type === 'file')
    expect(ledger?.type === 'file' && ledger.ledger.torn).toBe(true)
  })
})

it('a line of any shape gives entries, a control line or a reason', () => {
  const part = fc.oneof(
    fc.jsonValue(),
    fc.dictionary(
      fc.constantFrom('Text', 'Mention', 'Image', 'Thinking', 'ToolUse', 'source', 'content', 'x'),
      fc.jsonValue(),
    ),
  )
  const message = fc.oneof(
    fc.jsonValue(),
    fc.record({ User: fc.record({ content: fc.array(part) }) }),
    fc.record({ Agent: fc.record({ content: fc.array(part), tool_results: fc.jsonValue() }) }),
    fc.record({ role: fc.constantFrom('user', 'assistant', 'x'), segments: fc.array(part) }),
  )
  const line = fc.record(
    {
      record: fc.oneof(fc.constantFrom('thread', 'message'), fc.jsonValue()),
      row: fc.jsonValue(),
      data: message,
      usage: fc.jsonValue(),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(line, (value) => {
      const meaning = zedLine(value, JSON.stringify(value), 'line')
      if (typeof meaning === 'string') return
      if (meaning.type === 'entries')
        for (const { content, entry_type } of meaning.entries)
          expect([typeof content, typeof entry_type]).toEqual(['string', 'string'])
    }),
    { seed: 22, numRuns: 500 },
  )
})
