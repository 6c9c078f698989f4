import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { appDisk } from '../../../src/main/disk/app-disk'
import { openHistories } from '../../../src/main/library/sources/histories'
import { historyDisk } from '../../../src/main/readers/history-disk'
import { readers } from '../../../src/main/readers/index'
import { databasesHere } from '../../../src/main/sqlite/databases'
import { allowGaps } from '../../../src/shared/model/conversation/reading'
import { hasSqlite3, writeDatabase } from '../../support/sqlite3'
import { memoryFolder, tempFolders } from '../../support/temp-folder'

const temp = tempFolders(memoryFolder)
const fixtures = path.join(__dirname, '../../fixtures/readers')
const { signal } = new AbortController()
const disk = historyDisk(appDisk, databasesHere())

function databasesOf(root: string): readonly string[] {
  return fs
    .readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => fs.existsSync(path.join(root, `${name}-wal`)))
    .sort()
}

/** Adds a change to a database, of which a byte is damaged; gives the frames that it took. */
function addDamagedChange(file: string): number {
  const log = `${file}-wal`
  const before = fs.statSync(log).size
  writeDatabase(file, 'create table added (a); insert into added values (1);', true)
  fs.rmSync(`${file}-shm`, { force: true })
  const bytes = fs.readFileSync(log)
  const pageSize = bytes.readUInt32BE(8)
  bytes[before + 100] = (bytes[before + 100] ?? 0) ^ 0x10
  fs.writeFileSync(log, bytes)
  return (bytes.length - before) / (24 + pageSize)
}

describe.skipIf(!hasSqlite3)('a database whose log has a damaged frame', () => {
  // Codex keeps titles alone in its database: without them a thread's own file tells its title.
  const ids = readers.flatMap(({ id, databaseFormats }) =>
    databaseFormats === undefined || id === 'codex' ? [] : [id],
  )

  for (const id of ids)
    it(`of ${id} is told with the number of frames, and its conversations are listed`, async () => {
      const input = path.join(fixtures, id, 'input')
      for (const database of databasesOf(input)) {
        const root = temp()
        fs.cpSync(input, root, { recursive: true })
        const listed = async () => {
          const told: string[] = []
          const histories = openHistories(disk, [{ source: id, path: root }], (words) => {
            told.push(words)
          })
          const found = await histories.list(signal)
          for (const { reader, ref } of found)
            for await (const _ of allowGaps(reader.read(ref, disk, signal), ({ sentence }) => {
              told.push(sentence)
            }));
          return { keys: found.map(({ key }) => key), told }
        }
        const whole = await listed()
        const frames = addDamagedChange(path.join(root, database))
        const damaged = await listed()
        expect(damaged.keys).toEqual(whole.keys)
        const words = `has a damaged write-ahead log: ${frames} frames of it cannot be read`
        expect(damaged.told.filter((one) => one.includes(words)).length).toBeGreaterThan(0)
        expect(whole.told.filter((one) => one.includes('write-ahead log'))).toEqual([])
      }
    })
})
