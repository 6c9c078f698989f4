import fs from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { databasesHere } from '../../../src/main/sqlite/databases'
import { SqliteError } from '../../../src/main/sqlite/sqlite-error'
import { hasSqlite3, writeDatabase } from '../../support/sqlite3'
import { memoryFolder, tempFolders } from '../../support/temp-folder'
import { unreadableBytes } from '../../support/unreadable-bytes'

const temp = tempFolders(memoryFolder)
const databases = databasesHere()
afterAll(() => databases.close())

const sums = { table: 't', key: 'of', json: ['id', 'n', 'at'], data: 'data', id: 'id', time: 'at' }
const json = (name: string) => `iif(typeof(${name}) = 'blob', hex(${name}), ${name})`
/** The same of SQLite itself. */
const sumsSql = `select of, count(*), sum(octet_length(json_object('id', ${json('id')}, 'n', ${json('n')}, 'at', ${json('at')}))),
    sum(coalesce(octet_length(data), 4)), sum(octet_length(json_quote(${json('id')}))),
    max(cast(at as integer)), sum(cast(at as integer) % 1000003)
  from t where of is not null and rowid > ?1 group by of order by of`

type Rows = readonly (readonly unknown[])[]

async function bySqlite(file: string, after = Number.MIN_SAFE_INTEGER): Promise<Rows> {
  const { answers } = await databases.read(file, [{ sql: sumsSql, values: [after] }])
  return answers[0]?.rows ?? []
}

/** Undefined where SQLite alone can tell. */
async function byPages(file: string, after?: number): Promise<Rows | undefined> {
  try {
    const { answers } = await databases.read(file, [{ sums: { ...sums, after } }])
    expect(answers[0]?.isCut).toBe(false)
    return [...(answers[0]?.rows ?? [])].sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))
  } catch (error) {
    if (error instanceof SqliteError && error.code === 'unsupported') return undefined
    throw error
  }
}

/** A database that its program has closed, or one whose rows are in its log. */
function written(sql: string, pageSize: number, hasLog: boolean): string {
  const file = path.join(temp(), 'a.db')
  const mode = hasLog ? 'pragma journal_mode = wal;' : ''
  writeDatabase(file, `pragma page_size = ${pageSize}; ${mode} ${sql}`, hasLog)
  if (!hasLog) fs.utimesSync(file, 1_790_000_000, 1_790_000_000)
  return file
}

/** A database of a program that has closed it: rows of one session, with so many bytes of data each, on pages of 512. */
function rowsWritten(rows: number, bytes: number): string {
  const inserts = Array.from(
    { length: rows },
    (_, n) => `insert into t values ('id${n}', 'a', null, ${n}, hex(zeroblob(${bytes})));`,
  )
  const table = 'create table t (id text, of text, n, at integer, data text);'
  return written(`begin; ${table} ${inserts.join('')} commit;`, 512, false)
}

const plainText = fc.string({ unit: fc.constantFrom(...'abcXYZ019_- ü🍐'), maxLength: 60 })
const anyText = fc.string({ unit: 'grapheme', maxLength: 20 })
const asSql = (text: string) => `'${text.replaceAll("'", "''").replaceAll('\0', ' ')}'`
const plain = {
  of: fc.oneof(fc.constantFrom("'a'", "'b'", "'ses_c'", 'null')),
  id: fc.oneof(plainText.map(asSql), fc.integer().map(String)),
  at: fc.oneof(fc.integer().map(String), fc.constantFrom('null', '0', '1', '1790000000000', '-7')),
  n: fc.oneof(plainText.map(asSql), fc.constantFrom('null', "x'00ff'", '12345678901')),
  data: fc.oneof(
    plainText.map(asSql),
    fc.constantFrom('null', "x'ff00fe'", "''"),
    fc.integer({ min: 1, max: 9000 }).map((bytes) => `randomblob(${bytes})`),
  ),
}
const odd = {
  of: fc.oneof(plain.of, anyText.map(asSql), fc.constantFrom("x'61'", "'ü'", "'A'")),
  id: fc.oneof(plain.id, anyText.map(asSql), fc.constantFrom('0.5', "'\"\\'", 'randomblob(5000)')),
  at: fc.oneof(plain.at, fc.constantFrom('0.5', "'12x'", '9223372036854775807', "x'00'")),
  n: fc.oneof(plain.n, fc.constantFrom('1e300', 'char(10)', 'hex(zeroblob(4000))')),
  data: fc.oneof(plain.data, fc.constantFrom('7', '0.5')),
}
const tables = fc.constantFrom(
  'create table t (id text primary key, of text, n, at integer, data text);',
  'create table t (of, id, data, n, at);',
  'create table t (at, extra text, id, of text, n, data, more);',
)
const oddTables = fc.oneof(
  tables,
  fc.constantFrom(
    'create table t (at integer primary key, id, of text, n, data);',
    'create table t (id text primary key, of text, n, at, data) without rowid;',
    'create table t (id, of text collate nocase, n, at, data);',
    'create table t (id, of text, n real, at, data);',
    "create table t (id, of, at, data); alter table t add column n default 'x';",
    'create table t (id, of, at, data, n as (at + 1));',
    'create table t (id, of, at, data); create index i on t (of); alter table t add column n;',
  ),
)

function script(create: string, rows: readonly Readonly<Record<string, string>>[]): string {
  const inserts = rows.map(({ of, id, n, at, data }) => {
    const time = create.includes('at integer primary') ? `cast(${at} as integer)` : at
    const values = [of, id, time, data, ...(create.includes('n as') ? [] : [n])]
    const names = ['of', 'id', 'at', 'data', 'n'].slice(0, values.length)
    return `insert or ignore into t (${names.join()}) values (${values.join()});`
  })
  // Rows of two lengths are gone again, so that pages have free places.
  return `begin; ${create} ${inserts.join('\n')} delete from t where length(data) % 7 = 0; commit;`
}

const sizes = fc.constantFrom(512, 1024, 4096, 65536)

describe.skipIf(!hasSqlite3)('sums of a table by its pages', () => {
  it('are those of SQLite, for rows as programs write them, behind any row', async () => {
    const rows = fc.array(fc.record(plain), { maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(
        tables,
        rows,
        sizes,
        fc.boolean(),
        fc.integer({ min: -1, max: 60 }),
        async (create, all, pageSize, hasLog, after) => {
          const file = written(script(create, all), pageSize, hasLog)
          const found = await byPages(file)
          // What stands behind a long value is on another page.
          if ((create.includes('id text') && pageSize >= 4096) || found !== undefined) {
            expect(found).toEqual(await bySqlite(file))
            expect(await byPages(file, after)).toEqual(await bySqlite(file, after))
          }
        },
      ),
      { seed: 51, numRuns: 40 },
    )
  })

  it('are those of SQLite or none, whatever the rows and their table are', async () => {
    const rows = fc.array(fc.record(odd), { maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(oddTables, rows, sizes, fc.boolean(), async (create, all, pageSize, log) => {
        const file = written(script(create, all), pageSize, log)
        const found = await byPages(file)
        if (found !== undefined) expect(found).toEqual(await bySqlite(file))
      }),
      { seed: 52, numRuns: 60 },
    )
  })

  it('are of some pages at a time, and go on behind them', async () => {
    const file = written(
      `create table t (id text primary key, of text, n, at integer, data text); begin;
       with recursive c(i) as (select 1 union all select i + 1 from c where i < 20000)
       insert into t select 'id' || i, 's' || (i / 100), null, i, hex(zeroblob(120)) from c; commit;`,
      512,
      false,
    )
    const counts: number[] = []
    let after: number | undefined
    do {
      const { answers } = await databases.read(file, [{ sums: { ...sums, after } }])
      const rows = answers[0]?.rows ?? []
      counts.push(rows.reduce((sum, [, count]) => sum + Number(count), 0))
      after = answers[0]?.reached
    } while (after !== undefined)
    expect(counts.length).toBeGreaterThan(1)
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(20_000)
  })

  it('are none of a table with a damaged page, wherever it is', async () => {
    const file = rowsWritten(40, 60)
    const bytes = fs.readFileSync(file)
    const whole = await bySqlite(file)
    for (let page = 2; page <= bytes.length / 512; page++) {
      const damaged = path.join(temp(), `${page}.db`)
      const copy = Buffer.from(bytes)
      copy.fill(0xff, (page - 1) * 512, (page - 1) * 512 + 12)
      fs.writeFileSync(damaged, copy)
      fs.utimesSync(damaged, 1_790_000_000, 1_790_000_000)
      expect(await byPages(damaged)).toBeUndefined()
    }
    expect(await byPages(file)).toEqual(whole)
  })

  it('need no page that has none of the rows, and are none where a page with rows cannot be read', async () => {
    const file = rowsWritten(60, 1200)
    const whole = await bySqlite(file)
    const bytes = fs.readFileSync(file)
    const outcomes = new Map<string, number>()
    for (let page = 2; page <= bytes.length / 512; page++) {
      const from = (page - 1) * 512
      const kind = bytes[from] === 0x0d || bytes[from] === 0x05 ? 'table' : 'other'
      const bad = unreadableBytes(from, 512)
      const found = await byPages(file).finally(bad.restore)
      expect(found).toEqual(kind === 'table' ? undefined : whole)
      outcomes.set(kind, (outcomes.get(kind) ?? 0) + 1)
    }
    expect(outcomes.get('table')).toBeGreaterThan(10)
    expect(outcomes.get('other')).toBeGreaterThan(10)
  })

  it('are none where a page is there twice, or before its place', async () => {
    const file = rowsWritten(40, 60)
    const bytes = fs.readFileSync(file)
    const above = 512 * (Array.from(bytes).findIndex((_, at) => bytes[at * 512] === 0x05) || 1)
    expect(bytes[above]).toBe(0x05)
    const cellAt = (n: number) => above + bytes.readUInt16BE(above + 12 + n * 2)
    const [first, second] = [cellAt(0), cellAt(1)]
    const [a, b] = [bytes.readUInt32BE(first), bytes.readUInt32BE(second)]
    for (const [one, other] of [
      [a, a],
      [b, a],
    ] as const) {
      const damaged = path.join(temp(), 'twice.db')
      const copy = Buffer.from(bytes)
      copy.writeUInt32BE(one, first)
      copy.writeUInt32BE(other, second)
      fs.writeFileSync(damaged, copy)
      fs.utimesSync(damaged, 1_790_000_000, 1_790_000_000)
      expect(await byPages(damaged)).toBeUndefined()
    }
  })
})
