import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { databasesHere } from '../../../src/main/sqlite/databases'
import { SqliteError } from '../../../src/main/sqlite/sqlite-error'
import { hasSqlite3, startWriter, writeDatabase } from '../../support/sqlite3'
import { memoryFolder, tempFolders } from '../../support/temp-folder'

const temp = tempFolders(memoryFolder)
const rows = 60
const commits = 1000

/** Commits that keep the sums of two tables equal, and say how far they are; between them whatever a program may do. */
function commitsOf(between: (n: number) => string): string {
  const one = (n: number) => `begin;
    update a set v = v + ${n}, filler = randomblob(${(n * 37) % 3000}) where id = ${n % rows};
    update b set v = v + ${n}, filler = randomblob(${(n * 53) % 3000}) where id = ${(n * 7) % rows};
    update step set n = ${n};
    commit; ${between(n)}`
  return Array.from({ length: commits }, (_, n) => one(n + 1)).join('\n')
}

const begin = (mode: string) => `pragma journal_mode = ${mode};
  create table a (id integer primary key, v, filler); create table b (id integer primary key, v, filler);
  create table step (n); insert into step values (0);
  with recursive n(i) as (select 0 union all select i + 1 from n where i < ${rows - 1})
  insert into a select i, 0, zeroblob(500) from n;
  insert into b select id, v, filler from a;`

const writers: Readonly<
  Record<string, { mode: string; setup?: string; between: (n: number) => string }>
> = {
  'that copies its log all the time': {
    mode: 'wal',
    setup: 'pragma wal_autocheckpoint = 3;',
    between: () => '',
  },
  'that cuts its log': {
    mode: 'wal',
    between: (n) => (n % 5 === 0 ? 'pragma wal_checkpoint(truncate);' : ''),
  },
  'that restarts its log and rolls back': {
    mode: 'wal',
    between: (n) =>
      n % 7 === 0 ? 'pragma wal_checkpoint(restart); begin; update a set v = 0; rollback;' : '',
  },
  'with a small cache, that vacuums': {
    mode: 'wal',
    setup: 'pragma cache_size = 3;',
    between: (n) => (n % 100 === 0 ? 'vacuum;' : ''),
  },
  'without a log': { mode: 'delete', between: () => '' },
}

describe.skipIf(!hasSqlite3)('a database with a writer', () => {
  for (const [name, { mode, setup = '', between }] of Object.entries(writers))
    it(`${name}: every state that is read is one that was committed, and none older than the last`, async () => {
      const file = path.join(temp(), 'a.db')
      writeDatabase(file, begin(mode))
      const databases = databasesHere()
      const writer = startWriter(
        file,
        `${setup}\n${commitsOf(between)}`,
        path.join(temp(), 'script.sql'),
      )
      const ended = new Promise((resolve) => writer.on('exit', resolve))
      let last = 0
      let reads = 0
      const queries = ['select n from step', 'select sum(v) from a', 'select sum(v) from b'].map(
        (sql) => ({ sql }),
      )
      while (last < commits) {
        try {
          const { answers } = await databases.read(file, queries)
          const [step, ofA, ofB] = answers.map((answer) => Number(answer.rows[0]?.[0]))
          expect({ reads, ofA, ofB }).toEqual({
            reads,
            ofA: (Number(step) * (Number(step) + 1)) / 2,
            ofB: ofA,
          })
          expect(step).toBeGreaterThanOrEqual(last)
          last = Number(step)
          reads += 1
        } catch (error) {
          // Overtaken again and again: a caller comes back later.
          if (!(error instanceof SqliteError) || error.code !== 'busy') throw error
        }
      }
      expect(await ended).toBe(0)
      expect(reads).toBeGreaterThan(0)
      await databases.close()
    })
})
