import fs from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { StateAnswer } from '../../../src/main/sqlite/database'
import { type Databases, databasesHere } from '../../../src/main/sqlite/databases'
import { databaseAnswers, threadDatabases } from '../../../src/main/sqlite/thread'
import { bundle } from '../../support/bundles'
import { hasSqlite3, writeDatabase } from '../../support/sqlite3'
import { tempFolders } from '../../support/temp-folder'
import { unreadableBytes } from '../../support/unreadable-bytes'

const temp = tempFolders()
const open: Databases[] = []
afterEach(async () => {
  for (const databases of open.splice(0)) await databases.close()
})

describe.skipIf(!hasSqlite3)('databases in a thread', () => {
  it('answer as in the caller, and fail with the same reasons', async () => {
    const databases = threadDatabases(await bundle('src/main/sqlite/sqlite.worker.ts'))
    open.push(databases)
    const file = path.join(temp(), 'a.db')
    writeDatabase(
      file,
      "pragma journal_mode = wal; create table t (a, b); insert into t values ('ä', x'00ff');",
      true,
    )
    const { answers } = await databases.read(file, [
      { sql: 'select a, b from t where a = ?1', values: ['ä'] },
    ])
    expect(answers).toEqual([{ rows: [['ä', new Uint8Array([0, 255])]], isCut: false }])
    await expect(databases.read(file, [{ sql: 'select * from u' }])).rejects.toMatchObject({
      code: 'query',
    })
    await expect(databases.read(`${file}x`, [])).rejects.toMatchObject({ code: 'unreadable' })
  })

  it('read past bytes that a bad disk cannot read as past damage, or say that there are some', async () => {
    const file = path.join(temp(), 'a.db')
    const rows = Array.from(
      { length: 60 },
      (_, n) => `insert into t values (${n}, hex(zeroblob(90)));`,
    )
    writeDatabase(
      file,
      `pragma page_size = 512; begin; create table t (a, b); ${rows.join('')} commit;`,
    )
    const bytes = fs.readFileSync(file)
    const leaves = Array.from({ length: bytes.length / 512 }, (_, page) => page * 512).filter(
      (at) => bytes[at] === 0x0d && at > 0,
    )
    const [damaged = 0] = leaves
    bytes.fill(0xff, damaged, damaged + 12)
    fs.writeFileSync(file, bytes)
    fs.utimesSync(file, 1_790_000_000, 1_790_000_000)
    const databases = databasesHere()
    open.push(databases)
    const answers = databaseAnswers(databases)
    const bad = unreadableBytes(leaves.at(-1) ?? 0, 512)
    const queries = [{ sql: 'select count(b) from t' }]
    const ask = (tables: readonly string[]) => answers({ path: file, queries, tables })
    const [past, plain] = [await ask(['t']), await ask([])]
    bad.restore()
    const { answer } = past as { answer?: StateAnswer }
    expect(answer?.lost).toHaveLength(2)
    const counted = Number(answer?.answers[0]?.rows[0]?.[0])
    expect([counted > 0, counted < 60]).toEqual([true, true])
    expect(plain).toMatchObject({ type: 'failed', code: 'damaged' })
  })
  it('have all rows again once a disk that failed reads them, and tell which rows it could not read', async () => {
    const file = path.join(temp(), 'a.db')
    const rows = Array.from(
      { length: 60 },
      (_, n) => `insert into t values (${n}, hex(zeroblob(90)));`,
    )
    writeDatabase(
      file,
      `pragma page_size = 512; begin; create table t (a, b); ${rows.join('')} commit;`,
    )
    const bytes = fs.readFileSync(file)
    fs.utimesSync(file, 1_790_000_000, 1_790_000_000)
    const leaf = bytes.findLastIndex((byte, at) => byte === 0x0d && at > 0 && at % 512 === 0)
    const databases = databasesHere()
    open.push(databases)
    const ask = () => databases.read(file, [{ sql: 'select count(b) from t' }], ['t'])
    const bad = unreadableBytes(leaf, 512)
    const [once, twice] = [await ask(), await ask()]
    bad.restore()
    expect(once.lost).toEqual([expect.objectContaining({ table: 't', isUnread: true })])
    expect(twice).toEqual(once)
    expect(await ask()).toMatchObject({ answers: [{ rows: [[60]] }], lost: undefined })
  })
})
