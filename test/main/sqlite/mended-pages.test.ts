import fs from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { databasesHere } from '../../../src/main/sqlite/databases'
import { SqliteError } from '../../../src/main/sqlite/sqlite-error'
import { hasSqlite3, writeDatabase } from '../../support/sqlite3'
import { memoryFolder, tempFolders } from '../../support/temp-folder'

const temp = tempFolders(memoryFolder)
const databases = databasesHere()
const rowsSql = { sql: 'select rowid, octet_length(a), b from t order by rowid' }

/** The bytes of a database with rows of many lengths, of which some go on over several pages. */
function made(pageSize: number, rows: number): Buffer {
  const file = path.join(temp(), 'a.db')
  writeDatabase(
    file,
    `pragma page_size = ${pageSize}; create table t (b, a); create index by_b on t (b);
     with recursive n(i) as (select 1 union all select i + 1 from n where i < ${rows})
     insert into t (rowid, b, a) select i * 7 - 500, 'row ' || i, zeroblob(i * 37 % 900) from n;`,
  )
  return fs.readFileSync(file)
}

/** Writes bytes as a database that nobody has just changed. */
function placed(bytes: Uint8Array): string {
  const file = path.join(temp(), 'a.db')
  fs.writeFileSync(file, bytes)
  fs.utimesSync(file, 1_700_000_000, 1_700_000_000)
  return file
}

async function readPast(bytes: Uint8Array) {
  const { answers, lost } = await databases.read(placed(bytes), [rowsSql], ['t'])
  return { rows: answers[0]?.rows ?? [], lost }
}

describe.skipIf(!hasSqlite3)('a table with a damaged page', () => {
  it.each([
    [512, 120, 0x00],
    [512, 120, 0xff],
    [4096, 300, 0x00],
    [65536, 400, 0x00],
  ])(
    'has all rows but those on that page, and names those (pages of %i bytes)',
    async (pageSize, count, fill) => {
      const whole = made(pageSize, count)
      const { rows: all, lost: nothing } = await readPast(whole)
      expect([all.length, nothing]).toEqual([count, undefined])
      const lostCounts = new Set<number>()
      for (let at = pageSize; at < whole.length; at += pageSize) {
        const bytes = Buffer.from(whole)
        bytes.fill(fill, at, at + pageSize)
        const { rows, lost = [] } = await readPast(bytes)
        const isLost = ([rowid]: readonly unknown[]) =>
          lost.some(({ after, to }) => Number(rowid) > after && Number(rowid) <= to)
        expect(rows).toEqual(all.filter((row) => !isLost(row)))
        lostCounts.add(all.length - rows.length)
      }
      // Pages of rows, some of them with all rows, and pages of the index and of long values.
      expect(lostCounts.has(0)).toBe(true)
      expect(lostCounts.size).toBeGreaterThan(1)
    },
  )

  it('has the rows of the part that is left where the file was cut off anywhere', async () => {
    const whole = made(1024, 300)
    const { rows: all } = await readPast(whole)
    let before = 0
    for (let end = 1024 * 3; end < whole.length; end += 5000) {
      const { rows, lost = [] } = await readPast(whole.subarray(0, end))
      expect(all).toEqual(expect.arrayContaining([...rows]))
      expect(rows.length).toBeGreaterThanOrEqual(before)
      expect(lost.length > 0 || rows.length === all.length).toBe(true)
      before = rows.length
    }
    expect(before).toBeGreaterThan(all.length / 2)
  })

  it('is read, or fails in words, whatever bytes of it are damaged', async () => {
    const whole = made(512, 200)
    const places = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), {
      minLength: 1,
      maxLength: 40,
    })
    await fc.assert(
      fc.asyncProperty(places, async (changes) => {
        const bytes = Buffer.from(whole)
        for (const [at, value] of changes) bytes[at] = value
        const answer = await readPast(bytes).catch((error: unknown) => error)
        if (answer instanceof Error) expect(answer).toBeInstanceOf(SqliteError)
      }),
      { seed: 19, numRuns: 60 },
    )
  })

  it('is damaged for a reader that has not asked to read past it', async () => {
    const bytes = made(512, 100)
    bytes.fill(0, 512, bytes.length - 512)
    await expect(databases.read(placed(bytes), [rowsSql])).rejects.toMatchObject({
      code: 'damaged',
    })
  })
})
