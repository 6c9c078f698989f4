import fs from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { databasesHere } from '../../../src/main/sqlite/databases'
import { SqliteError } from '../../../src/main/sqlite/sqlite-error'
import { askCopy, folderState, hasSqlite3, writeDatabase } from '../../support/sqlite3'
import { memoryFolder, tempFolders } from '../../support/temp-folder'
import { unreadableBytes } from '../../support/unreadable-bytes'

const temp = tempFolders(memoryFolder)
const databases = databasesHere()

/** Each row of the table of random databases, with types and exact bytes. */
const everything =
  'select json_array(id, typeof(a), hex(a), typeof(b), quote(b)) from t order by id'

async function rowsOf(file: string, sql: string): Promise<readonly string[]> {
  const { answers } = await databases.read(file, [{ sql }])
  return (answers[0]?.rows ?? []).map(([row]) => String(row))
}

/** Moves the files' times into the past: a database without a log counts as still only then. */
function age(file: string): void {
  for (const suffix of ['', '-wal'])
    if (fs.existsSync(file + suffix)) fs.utimesSync(file + suffix, 1_700_000_000, 1_700_000_000)
}

const value = fc.oneof(
  fc.integer({ min: -1_000_000, max: 1_000_000 }).map(String),
  fc.constantFrom('null', '9223372036854775807', '0.1', '-1e300', "x'00ff0a'", "''"),
  fc.string({ maxLength: 40 }).map(
    (text) =>
      `'${text
        .replaceAll("'", "''")
        .replaceAll('\0', ' ')
        .replaceAll(/[\r\n]/g, ' ')}'`,
  ),
  fc.integer({ min: 1, max: 30_000 }).map((bytes) => `randomblob(${bytes})`),
)
const id = fc.integer({ min: 1, max: 40 })
const statement = fc.oneof(
  fc
    .tuple(id, value, value)
    .map(([n, a, b]) => `insert or replace into t values (${n}, ${a}, ${b});`),
  fc.tuple(id, value).map(([n, a]) => `update t set a = ${a} where id >= ${n};`),
  id.map((n) => `delete from t where id = ${n};`),
  fc.constantFrom(
    'vacuum;',
    'pragma wal_checkpoint(passive);',
    'pragma wal_checkpoint(restart);',
    'pragma wal_checkpoint(truncate);',
    'begin; update t set b = id; rollback;',
  ),
)
const script = fc.record({
  pageSize: fc.constantFrom(512, 1024, 4096, 65536),
  mode: fc.constantFrom('wal', 'wal', 'wal', 'delete', 'truncate', 'persist'),
  statements: fc.array(statement, { maxLength: 25 }),
  flip: fc.option(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })),
  cut: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
})

function build(
  file: string,
  { pageSize, mode, statements }: { pageSize: number; mode: string; statements: readonly string[] },
) {
  const begin = `pragma page_size = ${pageSize}; pragma journal_mode = ${mode}; pragma wal_autocheckpoint = 0;
    create table t (id integer primary key, a, b);`
  writeDatabase(file, [begin, ...statements].join('\n'), true)
}

describe.skipIf(!hasSqlite3)('a database beside the sqlite3 program', () => {
  it('has the rows that the program finds on a copy, in every state of its log', async () => {
    await fc.assert(
      fc.asyncProperty(script, async (made) => {
        const folder = temp()
        const file = path.join(folder, 'a.db')
        build(file, made)
        age(file)
        const before = folderState(folder)
        const rows = await rowsOf(file, everything)
        expect(folderState(folder)).toBe(before)
        expect(rows).toEqual(askCopy(file, everything, temp()))
      }),
      { seed: 16, numRuns: 25 },
    )
  })

  it('takes the same commits of a log that was damaged or cut', async () => {
    await fc.assert(
      fc.asyncProperty(script, async (made) => {
        const folder = temp()
        const file = path.join(folder, 'a.db')
        build(file, { ...made, mode: 'wal' })
        const log = `${file}-wal`
        const bytes = fs.readFileSync(log)
        if (made.flip !== null && bytes.length > 0) {
          const at = Math.floor(made.flip * bytes.length)
          bytes[at] = (bytes[at] ?? 0) ^ 0x10
        }
        fs.writeFileSync(
          log,
          made.cut === null ? bytes : bytes.subarray(0, made.cut * bytes.length),
        )
        const rows = await rowsOf(file, everything).catch((error: unknown) => {
          expect(error).toBeInstanceOf(SqliteError)
          return 'fails'
        })
        expect(rows).toEqual(askCopy(file, everything, temp()))
      }),
      { seed: 17, numRuns: 30 },
    )
  })

  it('fails in words, or reads, whatever bytes of the main file are damaged', async () => {
    await fc.assert(
      fc.asyncProperty(
        script,
        fc.array(fc.nat(), { minLength: 1, maxLength: 8 }),
        async (made, places) => {
          const folder = temp()
          const file = path.join(folder, 'a.db')
          build(file, { ...made, mode: 'delete' })
          const bytes = fs.readFileSync(file)
          for (const place of places) bytes[place % bytes.length] = place & 0xff
          fs.writeFileSync(file, bytes)
          age(file)
          const answer = await rowsOf(file, everything).catch((error: unknown) => error)
          if (!Array.isArray(answer)) expect(answer).toBeInstanceOf(SqliteError)
        },
      ),
      { seed: 18, numRuns: 25 },
    )
  })
})

describe.skipIf(!hasSqlite3)('a database that another program has open', () => {
  it('is read with all that is in its log alone', async () => {
    const file = path.join(temp(), 'a.db')
    writeDatabase(
      file,
      "pragma journal_mode = wal; create table t (a); insert into t values ('in the log');",
      true,
    )
    expect(fs.statSync(file).size).toBeLessThanOrEqual(4096)
    expect(await rowsOf(file, 'select a from t')).toEqual(['in the log'])
  })

  it('is followed as its log grows and starts again', async () => {
    const file = path.join(temp(), 'a.db')
    writeDatabase(file, 'pragma journal_mode = wal; create table t (a);', true)
    const states = new Set<string>()
    for (let n = 1; n <= 6; n++) {
      const checkpoint = n % 3 === 0 ? 'pragma wal_checkpoint(truncate);' : ''
      writeDatabase(file, `insert into t values (${n}); ${checkpoint}`, true)
      const { state, answers } = await databases.read(file, [{ sql: 'select count(*) from t' }])
      expect(answers[0]?.rows).toEqual([[n]])
      states.add(state)
    }
    expect(states.size).toBe(6)
  })

  it('answers all queries of one read from one state, and gives more rows where the bytes were reached', async () => {
    const file = path.join(temp(), 'a.db')
    writeDatabase(
      file,
      `create table t (id integer primary key, a);
       with recursive n(i) as (select 1 union all select i + 1 from n where i < 100)
       insert into t select i, zeroblob(1000) from n;`,
    )
    age(file)
    const { answers } = await databases.read(file, [
      { sql: 'select id, a from t where id > ?1 order by id', values: [50], mostBytes: 10_000 },
      { sql: 'select count(*), 9007199254740993 from t' },
      { sql: 'select a from t where id = 1', mostBytes: 1 },
    ])
    expect(answers[0]?.rows.map(([n]) => n)).toEqual([51, 52, 53, 54, 55, 56, 57, 58, 59, 60])
    expect(answers[0]?.isCut).toBe(true)
    expect(answers[1]).toEqual({ rows: [[100, 9007199254740993n]], isCut: false })
    expect(answers[2]?.rows).toEqual([[new Uint8Array(1000)]])
  })
})

describe.skipIf(!hasSqlite3)('a database that cannot be read', () => {
  const failure = (file: string, sql = 'select * from t') =>
    databases.read(file, [{ sql }]).then(
      () => undefined,
      (error: unknown) =>
        error instanceof SqliteError ? `${error.code}: ${error.message}` : error,
    )

  it('says why: it is gone, is no database, keeps its text as UTF-16, lacks a table, or is in the middle of a change', async () => {
    const folder = temp()
    expect(await failure(path.join(folder, 'gone.db'))).toBe('unreadable: no longer exists')
    const words = path.join(folder, 'words.db')
    fs.writeFileSync(words, 'This is a text of more than a hundred bytes. '.repeat(40))
    age(words)
    expect(await failure(words)).toBe('damaged: is not a database, or its beginning is damaged')
    const wide = path.join(folder, 'wide.db')
    writeDatabase(wide, "pragma encoding = 'UTF-16le'; create table t (a);")
    age(wide)
    expect(await failure(wide)).toBe(
      'unsupported: keeps its text as UTF-16, which Skein cannot read',
    )
    const other = path.join(folder, 'other.db')
    writeDatabase(other, 'create table u (a);')
    age(other)
    expect(await failure(other)).toBe(
      'query: SQLITE_ERROR: sqlite3 result code 1: no such table: t',
    )
    fs.writeFileSync(`${other}-journal`, 'a journal')
    expect(await failure(other, 'select * from u')).toBe('busy: is in the middle of a change')
  })

  it('is never written to, whatever is asked', async () => {
    const folder = temp()
    const file = path.join(folder, 'a.db')
    writeDatabase(
      file,
      'pragma journal_mode = wal; create table t (a); insert into t values (1);',
      true,
    )
    const before = folderState(folder)
    for (const sql of [
      'insert into t values (2)',
      'drop table t',
      'pragma journal_mode = delete',
      'vacuum',
      'pragma wal_checkpoint(truncate)',
    ])
      await failure(file, sql)
    expect(folderState(folder)).toBe(before)
    expect(await rowsOf(file, 'select a from t')).toEqual(['1'])
  })

  it('reads pages that follow each other some at a time', async () => {
    const file = path.join(temp(), 'long.db')
    writeDatabase(
      file,
      `create table t (a); with recursive c(i) as (select 1 union all select i + 1 from c where i < 3000)
       insert into t select hex(zeroblob(300)) from c;`,
    )
    age(file)
    const pages = fs.statSync(file).size / 4096
    const reads = vi.spyOn(fs, 'readSync')
    const { answers } = await databasesHere().read(file, [{ sql: 'select sum(length(a)) from t' }])
    expect(answers[0]?.rows).toEqual([[3000 * 600]])
    expect(reads.mock.calls.length).toBeLessThan(pages / 8)
    reads.mockRestore()
  })

  it('tries to read past bytes that cannot be read once, not with each page near them', async () => {
    const file = path.join(temp(), 'long.db')
    writeDatabase(
      file,
      `create table t (a); with recursive c(i) as (select 1 union all select i + 1 from c where i < 100)
       insert into t select hex(zeroblob(5000)) from c;`,
    )
    age(file)
    const bytes = fs.readFileSync(file)
    // What is left of long values, of which only the lengths are asked.
    const beside = Array.from({ length: bytes.length / 4096 }, (_, page) => page * 4096).filter(
      (at) => bytes[at] === 0x00,
    )
    const bad = unreadableBytes(beside[Math.floor(beside.length / 2)] ?? 0, 4096)
    const reading = databasesHere()
    const queries = [{ sql: 'select sum(octet_length(a)) from t' }]
    const { answers } = await reading.read(file, queries).finally(bad.restore)
    expect(answers[0]?.rows).toEqual([[100 * 10_000]])
    expect(bad.failed()).toBe(1)
    await reading.close()
  })
})
