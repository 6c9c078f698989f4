import fs from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { appDisk } from '../../../../src/main/disk/app-disk'
import type { SourceFact, SourceRef } from '../../../../src/main/readers/common/reader'
import { gooseReader } from '../../../../src/main/readers/goose/goose'
import { historyDisk } from '../../../../src/main/readers/history-disk'
import { AppError } from '../../../../src/shared/model/basics/errors'
import { allowGaps } from '../../../../src/shared/model/conversation/reading'
import { gooseMessageSql, gooseRowTables, gooseSessionSql } from '../../../support/goose-rows'
import { sqlText } from '../../../support/opencode-rows'
import { sourceReading } from '../../../support/source-reading'
import { folderState, hasSqlite3, writeDatabase } from '../../../support/sqlite3'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'

// Goose's tables stand for all that are read so.
const temp = tempFolders(memoryFolder)
const disk = historyDisk(appDisk)
const { signal } = new AbortController()
const { bytesOf } = sourceReading(gooseReader, disk)
const fileName = 'sessions.db'

interface Told {
  readonly refs: readonly SourceRef[]
  readonly facts: ReadonlyMap<string, readonly SourceFact[]>
  /** Whatever could not be read, in words. */
  readonly faults: readonly string[]
}

async function toldOf(root: string): Promise<Told> {
  const refs: SourceRef[] = []
  const facts = new Map<string, readonly SourceFact[]>()
  const faults: string[] = []
  const whileReadable = async (work: () => Promise<void>) => {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      faults.push(error.message)
    }
  }
  await whileReadable(async () => {
    for await (const ref of gooseReader.list(root, disk, signal)) refs.push(ref)
  })
  for (const ref of refs)
    await whileReadable(async () => {
      const own: SourceFact[] = []
      const reading = gooseReader.read(ref, disk, signal)
      for await (const fact of allowGaps(reading, ({ sentence }) => void faults.push(sentence)))
        own.push(fact)
      facts.set(ref.key, own)
    })
  return { refs, facts, faults }
}

function wordsIn(facts: readonly SourceFact[] = []): readonly string[] {
  return facts.flatMap((fact) => (fact.type === 'entry' ? [fact.entry.content] : []))
}

const anyText = fc
  .string({ unit: 'grapheme', maxLength: 30 })
  .map((text) => text.replaceAll('\0', ' '))
const anyData = fc.oneof(
  anyText.map((text) => sqlText(JSON.stringify([{ type: 'text', text }]))),
  anyText.map((text) => sqlText(JSON.stringify([{ type: 'text', text }], null, 2))),
  anyText.map(sqlText),
  fc.constantFrom('7', '0.5', "x'ff00fe'", "''", sqlText('[{"type":"te'), sqlText('[1]\n[2]')),
  fc.constant(`'[{"type":"text","text":"' || hex(zeroblob(40000)) || '"}]'`),
)
const anyRows = fc.array(
  fc.record({
    session: fc.constantFrom('a', 'b', "c 'ü/%'"),
    id: fc.oneof(
      fc.constantFrom('null', "'m1'", "'m2'", '9', '0.5', "x'00ff'"),
      anyText.map(sqlText),
    ),
    role: fc.constantFrom("'user'", "'assistant'", "'robot'", "x'ff'"),
    data: anyData,
    time: fc.integer({ min: -5, max: 2 ** 45 }),
  }),
  { maxLength: 12 },
)

describe.skipIf(!hasSqlite3)('conversations of a database', () => {
  it('have the size, state and rows that their list says, whatever the rows hold', async () => {
    await fc.assert(
      fc.asyncProperty(anyRows, fc.integer({ min: 1, max: 5000 }), async (rows, pieceBytes) => {
        const root = temp()
        const sql = rows.map(
          ({ session, id, role, data, time }) =>
            `insert into messages values (null, ${id}, ${sqlText(session)}, ${role}, ${data}, ${time}, null);`,
        )
        const made = `pragma journal_mode = wal; ${gooseRowTables} ${gooseSessionSql('a', 'A')} ${sql.join('\n')}`
        writeDatabase(path.join(root, fileName), made, true)
        const before = folderState(root)
        const { refs, facts, faults } = await toldOf(root)
        expect(faults).toEqual([])
        expect(new Set(refs.map(({ key }) => key))).toEqual(
          new Set(rows.map(({ session }) => session)),
        )
        for (const ref of refs) {
          const { bytes, files } = ref
          const stat = await disk.stat(path.join(root, files[0]?.file ?? ''))
          const { identity, mtimeMs } = files[0] ?? {}
          expect(stat).toMatchObject({ sizeBytes: bytes, identity, mtimeMs })
          const whole = await bytesOf(ref, 1024 * 1024)
          expect(whole.length).toBe(bytes)
          expect((await bytesOf(ref, pieceBytes)).equals(whole)).toBe(true)
          const own = facts.get(ref.key) ?? []
          const ids = own.flatMap((fact) => (fact.type === 'entry' ? [fact.entry.id] : []))
          expect(new Set(ids).size).toBe(ids.length)
          const ledger = own.find((fact) => fact.type === 'file')
          if (ledger?.type !== 'file') throw new Error('no ledger')
          const { lines, entryLines, control, blank, damaged, unit } = ledger.ledger
          expect([unit, entryLines + control + blank + damaged.length]).toEqual(['message', lines])
        }
        expect(folderState(root)).toBe(before)
      }),
      { seed: 57, numRuns: 20 },
    )
  })

  it('appear, grow and go as the program writes them, and the others stay as they were', async () => {
    const root = temp()
    const file = path.join(root, fileName)
    const many = Array.from(
      { length: 20 },
      (_, n) =>
        gooseSessionSql(`s${n}`, `Session ${n}`, n) +
        gooseMessageSql(`s${n}`, 'user', `question ${n}`, 1_789_030_000 + n),
    )
    writeDatabase(file, `pragma journal_mode = wal; ${gooseRowTables} ${many.join('\n')}`, true)
    const first = await toldOf(root)
    expect(first.refs).toHaveLength(20)
    const identityOf = ({ refs }: Told, key: string) =>
      refs.find((ref) => ref.key === key)?.files[0]?.identity
    // The oldest one, whose own row is not touched.
    writeDatabase(file, gooseMessageSql('s0', 'assistant', 'an answer', 1_789_040_000), true)
    const second = await toldOf(root)
    expect(wordsIn(second.facts.get('s0'))).toEqual(['question 0', 'an answer'])
    const changed = second.refs.filter(
      ({ key }) => identityOf(first, key) !== identityOf(second, key),
    )
    expect(changed.map(({ key }) => key)).toEqual(['s0'])
    // A row that is updated in place, a new session, and one that goes, with the newest rows.
    writeDatabase(
      file,
      `update messages set content_json = '[{"type":"text","text":"longer words"}]' where session_id = 's19';
       delete from messages where session_id in ('s0', 's5'); delete from sessions where id = 's5';
       ${gooseSessionSql('new', 'New', 59)} ${gooseMessageSql('new', 'user', 'a new one', 1_789_050_000)}`,
      true,
    )
    const third = await toldOf(root)
    expect(wordsIn(third.facts.get('s19'))).toEqual(['longer words'])
    expect(wordsIn(third.facts.get('new'))).toEqual(['a new one'])
    // A session without a message is none.
    expect(third.refs.map(({ key }) => key)).not.toEqual(expect.arrayContaining(['s5']))
    expect(third.refs.map(({ key }) => key)).not.toEqual(expect.arrayContaining(['s0']))
  })

  it('are read past the damage of any page: what is missing was on it, and is reported', async () => {
    const pageSize = 512
    const sessions = ['a', 'b', 'c', 'd', 'e']
    const wordOf = (session: string, n: number) => `word-${session}-${n}.`
    const sql = sessions.map((session) =>
      [
        gooseSessionSql(session, `title-${session}.`),
        ...Array.from({ length: 9 }, (_, n) =>
          gooseMessageSql(session, 'user', wordOf(session, n), 1_789_030_000 + n),
        ),
      ].join('\n'),
    )
    const made = path.join(temp(), fileName)
    writeDatabase(
      made,
      `pragma page_size = ${pageSize}; begin; ${gooseRowTables} ${sql.join('\n')} commit;`,
    )
    const whole = fs.readFileSync(made)
    const words = sessions.flatMap((session) =>
      Array.from({ length: 9 }, (_, n) => wordOf(session, n)),
    )
    const kinds = new Set<number>()
    for (let at = 0; at < whole.length; at += pageSize) {
      const page = whole.subarray(at, at + pageSize)
      const root = temp()
      const file = path.join(root, fileName)
      const bytes = Buffer.from(whole)
      bytes.fill(0, at, at + pageSize)
      fs.writeFileSync(file, bytes)
      // A database that its program has not just changed.
      fs.utimesSync(file, 1_790_000_000, 1_790_000_000)
      const { facts, faults } = await toldOf(root)
      const text = [...facts.values()].flatMap(wordsIn).join('\n')
      const missing = words.filter((word) => !text.includes(word))
      const kind = page[0] ?? 0
      kinds.add(kind)
      // The first page, pages above others, and those that name the tables, name pages that nothing else names.
      const isNamed =
        at > 0 && kind !== 0x05 && !/CREATE |sqlite_autoindex/i.test(page.toString('latin1'))
      if (isNamed) expect(missing.filter((word) => !page.includes(word))).toEqual([])
      if (missing.length > 0) expect(faults).not.toEqual([])
    }
    // Rows, pages above rows, and an index.
    expect([...kinds]).toEqual(expect.arrayContaining([0x0d, 0x05, 0x0a]))
  })

  it('tell which message is on a damaged page, at its place, and hide no other', async () => {
    const root = temp()
    const file = path.join(root, fileName)
    const long = 'long words '.repeat(2000)
    const sql = ['before', long, 'after'].map((text, n) =>
      gooseMessageSql('a', 'user', text, 1_789_030_000 + n),
    )
    writeDatabase(
      file,
      `begin; ${gooseRowTables} ${gooseSessionSql('a', 'A')} ${sql.join('\n')} commit;`,
    )
    const bytes = fs.readFileSync(file)
    // A page that the long text goes on upon: its first four bytes name the next one.
    const at = Array.from({ length: bytes.length / 4096 }, (_, page) => page * 4096).find(
      (from) =>
        from > 0 && bytes[from] === 0 && bytes.subarray(from + 4, from + 100).includes('words'),
    )
    if (at === undefined) throw new Error('no page holds a part of the long text alone')
    bytes.fill(0xff, at, at + 4)
    fs.writeFileSync(file, bytes)
    fs.utimesSync(file, 1_790_000_000, 1_790_000_000)
    const { facts, faults } = await toldOf(root)
    expect(wordsIn(facts.get('a'))).toEqual(['before', '', 'after'])
    expect(faults).toEqual([expect.stringMatching(/damaged/)])
  })
})
