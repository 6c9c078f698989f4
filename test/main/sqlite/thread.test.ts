import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { Databases } from '../../../src/main/sqlite/databases'
import { threadDatabases } from '../../../src/main/sqlite/thread'
import { bundle } from '../../support/bundles'
import { hasSqlite3, writeDatabase } from '../../support/sqlite3'
import { tempFolders } from '../../support/temp-folder'

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
})
