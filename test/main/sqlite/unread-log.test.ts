import fs from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { databasesHere } from '../../../src/main/sqlite/databases'
import { askCopy, folderState, hasSqlite3, writeDatabase } from '../../support/sqlite3'
import { memoryFolder, tempFolders } from '../../support/temp-folder'

const temp = tempFolders(memoryFolder)
const databases = databasesHere()
const frameBytes = 24 + 4096
const query = 'select a from t order by a'

/** A database of ten commits, each a frame or two of its log; the index that writers share stays beside it or not. */
function written(hasIndex: boolean, more = ''): string {
  const file = path.join(temp(), 'a.db')
  const rows = Array.from({ length: 10 }, (_, n) => `insert into t values ('${n}');`)
  writeDatabase(
    file,
    `pragma journal_mode = wal; pragma wal_autocheckpoint = 0; create table t (a);
     ${rows.join('\n')}\n${more}`,
    true,
  )
  expect(fs.existsSync(`${file}-shm`)).toBe(true)
  if (!hasIndex) fs.rmSync(`${file}-shm`)
  return file
}

const framesOf = (file: string) => (fs.statSync(`${file}-wal`).size - 32) / frameBytes

function flip(file: string, at: number): void {
  const bytes = fs.readFileSync(`${file}-wal`)
  bytes[at] = (bytes[at] ?? 0) ^ 0x10
  fs.writeFileSync(`${file}-wal`, bytes)
}

async function read(file: string) {
  const { answers, fault, state } = await databases.read(file, [{ sql: query }])
  return { rows: (answers[0]?.rows ?? []).map(([row]) => String(row)), fault, state }
}

const words = (frames: number) =>
  `has a damaged write-ahead log: ${frames} ${frames === 1 ? 'frame' : 'frames'} of it cannot be read, and what was changed last may be in them`

describe.skipIf(!hasSqlite3)('a log with a damaged frame', () => {
  it('is read up to there, and the frames behind are counted, with and without the shared index', async () => {
    for (const hasIndex of [true, false]) {
      const whole = await read(written(hasIndex))
      const file = written(hasIndex)
      const frames = framesOf(file)
      expect(whole).toMatchObject({ fault: undefined, rows: [...'0123456789'] })
      flip(file, 32 + (frames - 4) * frameBytes + 1000)
      const before = folderState(path.dirname(file))
      const damaged = await read(file)
      expect(damaged.rows).toEqual(askCopy(file, query, temp()))
      expect(damaged).toMatchObject({ fault: words(4), rows: [...'012345'] })
      expect(folderState(path.dirname(file))).toBe(before)
    }
  })

  it('is told wherever a byte is another that a commit depends on', async () => {
    await fc.assert(
      fc.asyncProperty(fc.boolean(), fc.nat(), async (hasIndex, place) => {
        const file = written(hasIndex)
        const frames = framesOf(file)
        const at = place % (32 + frames * frameBytes)
        flip(file, at)
        const { rows, fault } = await read(file).catch(() => ({ rows: 'fails', fault: '' }))
        if (rows === 'fails') return
        expect(rows).toEqual(askCopy(file, query, temp()))
        // The last frame without an index may be half written, but for its salts, which its sum is not of.
        const last = at - (32 + (frames - 1) * frameBytes)
        if (!hasIndex && last >= 0 && (last < 8 || last >= 16)) return
        const frame = Math.floor((at - 32) / frameBytes)
        if (at >= 32) expect(fault).toMatch(/^has a damaged write-ahead log: \d+ frames? of it/)
        if (at >= 32 && hasIndex)
          expect(Number(/\d+/.exec(fault ?? '')?.[0])).toBeGreaterThanOrEqual(frames - frame)
      }),
      { seed: 20, numRuns: 12 },
    )
  })

  it('is told where its beginning is damaged, or its end is cut off that the shared index counts', async () => {
    const headless = written(false)
    const frames = framesOf(headless)
    flip(headless, 20)
    const { fault } = await databases.read(headless, [{ sql: 'select 1' }])
    expect(fault).toBe(words(frames))
    const cut = written(true)
    fs.truncateSync(`${cut}-wal`, 32 + (frames - 2) * frameBytes)
    expect(await read(cut)).toMatchObject({ fault: words(2), rows: [...'01234567'] })
  })
})

/** Makes bytes of the log zero. */
function wipe(file: string, from: number, bytes: number): void {
  const log = fs.readFileSync(`${file}-wal`)
  fs.writeFileSync(`${file}-wal`, log.fill(0, from, from + bytes))
}

const perhaps = (frames: number) =>
  `has more in its write-ahead log than SQLite reads: ${frames} ${frames === 1 ? 'frame' : 'frames'} may be left of an interrupted change, or hold changes that cannot be read`

describe.skipIf(!hasSqlite3)('a log that may be damaged', () => {
  it('is not called so, where SQLite went on before the damage and old commits are left behind', async () => {
    for (const hasIndex of [true, false]) {
      const file = written(true)
      const frames = framesOf(file)
      wipe(file, 32 + 5 * frameBytes, frameBytes)
      fs.rmSync(`${file}-shm`)
      writeDatabase(file, "insert into t values ('x');", true)
      expect(framesOf(file)).toBe(frames)
      if (!hasIndex) fs.rmSync(`${file}-shm`)
      const { rows, fault } = await read(file)
      expect(rows).toEqual(askCopy(file, query, temp()))
      expect(rows).toContain('x')
      expect(fault).toBe(hasIndex ? undefined : perhaps(frames - 6))
    }
  })

  it('is told without an index where a whole frame is gone, and not called damaged', async () => {
    const file = written(false)
    const frames = framesOf(file)
    wipe(file, 32 + (frames - 4) * frameBytes, frameBytes)
    expect(await read(file)).toMatchObject({ fault: perhaps(4), rows: [...'012345'] })
    const headless = written(false)
    wipe(headless, 0, 32)
    const { fault } = await databases.read(headless, [{ sql: 'select 1' }])
    expect(fault).toBe(perhaps(frames))
  })

  it('is told with both, where one frame is damaged and another one is gone', async () => {
    const file = written(false)
    const frames = framesOf(file)
    flip(file, 32 + (frames - 6) * frameBytes + 1000)
    wipe(file, 32 + (frames - 3) * frameBytes, frameBytes)
    expect((await read(file)).fault).toBe(
      `${words(3)}; 3 frames behind may be left of an interrupted change, or hold changes that cannot be read`,
    )
  })

  it('is whole where the head of the last frame was written and its page was not', async () => {
    const file = written(false)
    const frames = framesOf(file)
    wipe(file, 32 + (frames - 1) * frameBytes + 24, 4096)
    const { rows, fault } = await read(file)
    expect(fault).toBeUndefined()
    expect(rows).toEqual(askCopy(file, query, temp()))
    expect(rows).toEqual([...'012345678'])
  })
})

describe.skipIf(!hasSqlite3)('a log that ends before its file does', () => {
  const spilled = `pragma cache_size = 2; begin;
    with recursive n(i) as (select 1 union all select i + 1 from n where i < 400)
    insert into t select hex(zeroblob(500)) from n;`

  it('is whole, where what follows was taken back, or is of the log before', async () => {
    const ends = [
      `${spilled} rollback;`,
      `${spilled} rollback; insert into t values ('x');`,
      `${spilled} commit; delete from t where length(a) > 9; pragma wal_checkpoint(restart); insert into t values ('x');`,
      "pragma wal_checkpoint(restart); insert into t values ('x');",
    ]
    for (const end of ends)
      for (const hasIndex of [true, false]) {
        const file = written(hasIndex, end)
        const { rows, fault } = await read(file)
        expect(fault).toBeUndefined()
        expect(rows).toEqual(askCopy(file, query, temp()))
      }
  })

  it('is whole while a program is in the middle of a change, and told once it is damaged', async () => {
    const file = written(true)
    const frames = framesOf(file)
    const half = Buffer.alloc(frameBytes)
    fs.readFileSync(`${file}-wal`).copy(half, 0, 32, 32 + frameBytes)
    fs.appendFileSync(`${file}-wal`, half)
    const before = await read(file)
    expect(before.fault).toBeUndefined()
    // The program goes on, and what it writes is damaged.
    fs.truncateSync(`${file}-wal`, 32 + frames * frameBytes)
    writeDatabase(file, "insert into t values ('x');", true)
    flip(file, 32 + frames * frameBytes + 30)
    const damaged = await read(file)
    expect(damaged).toMatchObject({ fault: words(1), rows: before.rows })
    expect(damaged.state).not.toBe(before.state)
    flip(file, 32 + frames * frameBytes + 30)
    expect(await read(file)).toMatchObject({ fault: undefined, rows: [...before.rows, 'x'] })
  })
})
