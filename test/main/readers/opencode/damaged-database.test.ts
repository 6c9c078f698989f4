import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { appDisk } from '../../../../src/main/disk/app-disk'
import type { Disk } from '../../../../src/main/disk/interface/disk'
import type { SourceRef } from '../../../../src/main/readers/common/reader'
import { historyDisk } from '../../../../src/main/readers/history-disk'
import { opencodeReader } from '../../../../src/main/readers/opencode/opencode'
import { databasesHere } from '../../../../src/main/sqlite/databases'
import { AppError } from '../../../../src/shared/model/basics/errors'
import { allowGaps } from '../../../../src/shared/model/conversation/reading'
import { messageSql, opencodeTables, sessionSql } from '../../../support/opencode-rows'
import { hasSqlite3, writeDatabase } from '../../../support/sqlite3'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'
import { unreadableBytes } from '../../../support/unreadable-bytes'

const temp = tempFolders(memoryFolder)
const files = historyDisk(appDisk)
const disk = files
const { signal } = new AbortController()
const pageSize = 512
const sessions = ['ses_a', 'ses_b', 'ses_c', 'ses_d', 'ses_e']
const each = 9
const wordOf = (session: string, n: number) => `word-${session}-${n}.`

/** The bytes of a database, built from statements. */
function made(sql: string): Buffer {
  const file = path.join(temp(), 'opencode.db')
  writeDatabase(file, `pragma page_size = ${pageSize}; begin; ${opencodeTables} ${sql} commit;`)
  return fs.readFileSync(file)
}

/** Puts a database where nobody has just changed it. */
function placed(bytes: Uint8Array): string {
  const root = temp()
  const file = path.join(root, 'opencode.db')
  fs.writeFileSync(file, bytes)
  fs.utimesSync(file, 1_790_000_000, 1_790_000_000)
  return root
}

interface Shown {
  readonly text: string
  readonly told: readonly string[]
}

/** Everything that is shown of a root: titles and words as one text, and what was reported. */
async function shown(root: string, disk: Disk = files): Promise<Shown> {
  const told: string[] = []
  const texts: string[] = []
  const refs: SourceRef[] = []
  const tell = (error: unknown) => {
    if (!(error instanceof AppError)) throw error
    told.push(error.message)
  }
  try {
    for await (const ref of opencodeReader.list(root, disk, signal)) refs.push(ref)
  } catch (error) {
    tell(error)
  }
  for (const ref of refs)
    try {
      const reading = opencodeReader.read(ref, disk, signal)
      for await (const fact of allowGaps(reading, ({ sentence }) => void told.push(sentence))) {
        if (fact.type === 'conversation') texts.push(fact.conversation.title)
        if (fact.type === 'entry') texts.push(fact.entry.content)
      }
    } catch (error) {
      tell(error)
    }
  return { text: texts.join('\n'), told }
}

const sql = sessions.map((session) => [
  sessionSql(session, `title-${session}.`),
  ...Array.from({ length: each }, (_, n) =>
    messageSql(session, `${session}_${n}`, 'user', wordOf(session, n), 1_790_000_000_000 + n),
  ),
])
const words = sessions.flatMap((session) => [
  `title-${session}.`,
  ...Array.from({ length: each }, (_, n) => wordOf(session, n)),
])

describe.skipIf(!hasSqlite3)('a damaged database', () => {
  it('shows every row whose own page is whole, and reports the others, whichever page is damaged', async () => {
    const whole = made(sql.flat().join('\n'))
    expect(await shown(placed(whole))).toMatchObject({ told: [] })
    const kinds = new Map<number, number>()
    for (let at = 0; at < whole.length; at += pageSize) {
      const page = whole.subarray(at, at + pageSize)
      const bytes = Buffer.from(whole)
      bytes.fill(0, at, at + pageSize)
      const { text, told } = await shown(placed(bytes))
      const missing = words.filter((word) => !text.includes(word))
      const lost = words.filter((word) => page.includes(word))
      const kind = page[0] ?? 0
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
      // The first page, pages above others, and those that name the tables, name pages that nothing else names.
      const isNamed =
        at > 0 && kind !== 0x05 && !/CREATE |sqlite_autoindex/.test(page.toString('latin1'))
      if (isNamed) expect(missing.filter((word) => !lost.includes(word))).toEqual([])
      if (missing.length > 0) expect(told).not.toEqual([])
    }
    // Rows, pages above rows, and both kinds of an index.
    expect([...kinds.keys()]).toEqual(expect.arrayContaining([0x0d, 0x05, 0x0a, 0x02]))
  })

  it('reports rows that are lost with their own sessions, and nothing of the others', async () => {
    const whole = made(sql.flat().join('\n'))
    const at = Array.from({ length: whole.length / pageSize }, (_, page) => page * pageSize).find(
      (from) =>
        whole[from] === 0x0d && whole.subarray(from, from + pageSize).includes(wordOf('ses_c', 4)),
    )
    if (at === undefined) throw new Error('no page has the word')
    whole.fill(0, at, at + pageSize)
    const { told } = await shown(placed(whole))
    expect(told).toEqual([
      'opencode.db/!opencode/ses_c: rows of this session are on damaged pages of the database.',
    ])
  })

  it('shows all rows but those on a page that a bad disk cannot read, and reports those that it misses, whichever page it is', async () => {
    const whole = made(sql.flat().join('\n'))
    let tried = 0
    for (let at = pageSize; at < whole.length; at += pageSize) {
      const page = whole.subarray(at, at + pageSize)
      const kind = page[0] ?? 0
      // Pages above others, and those that name the tables, name pages that nothing else names.
      const isNamed = kind !== 0x05 && !/CREATE |sqlite_autoindex/.test(page.toString('latin1'))
      const root = placed(whole)
      const databases = databasesHere()
      const bad = unreadableBytes(at, pageSize)
      const { text, told } = await shown(root, historyDisk(appDisk, databases)).finally(bad.restore)
      await databases.close()
      const missing = words.filter((word) => !text.includes(word))
      if (isNamed) expect(missing.filter((word) => !page.includes(word))).toEqual([])
      if (missing.length > 0) expect(told).not.toEqual([])
      tried += 1
    }
    expect(tried).toBeGreaterThan(20)
  })

  it('is whole in the next list where a disk has failed once', async () => {
    const whole = made(sql.flat().join('\n'))
    const pages = Array.from({ length: whole.length / pageSize }, (_, page) => page * pageSize)
    // Rows of sessions, of which the list is made, and of messages.
    const held = ['title-ses_b.', wordOf('ses_c', 4)].map((word) =>
      pages.find(
        (at) => at > 0 && whole[at] === 0x0d && whole.subarray(at, at + pageSize).includes(word),
      ),
    )
    for (const at of held) {
      if (at === undefined) throw new Error('no page has the word')
      const root = placed(whole)
      const databases = databasesHere()
      const here = historyDisk(appDisk, databases)
      const bad = unreadableBytes(at, pageSize)
      const before = await shown(root, here).finally(bad.restore)
      expect(before.told).not.toEqual([])
      const { text, told } = await shown(root, here)
      await databases.close()
      expect(told).toEqual([])
      expect(words.filter((word) => !text.includes(word))).toEqual([])
    }
  })

  it('loses nothing by a damaged index, and has nothing to report', async () => {
    const whole = made(sql.flat().join('\n'))
    let indexes = 0
    for (let at = pageSize; at < whole.length; at += pageSize) {
      if (whole[at] !== 0x0a && whole[at] !== 0x02) continue
      whole.fill(0, at, at + pageSize)
      indexes += 1
    }
    expect(indexes).toBeGreaterThan(5)
    const { text, told } = await shown(placed(whole))
    expect(words.filter((word) => !text.includes(word))).toEqual([])
    expect(told).toEqual([])
  })

  it('shows what lies in the part that is left where the file was cut off', async () => {
    const whole = made(sql.flat().join('\n'))
    const { text, told } = await shown(placed(whole.subarray(0, whole.length / 2)))
    const left = words.filter((word) => text.includes(word))
    expect(left.length).toBeGreaterThan(words.length / 3)
    expect(left.length).toBeLessThan(words.length)
    expect(told.join('\n')).toMatch(/damaged/)
  })

  it('shows the row of which only the long text is damaged at its place, and all that follow', async () => {
    const long = `long ${'text '.repeat(2000)}`
    const whole = made(
      sessionSql('ses_a', 'A') +
        ['first', long, 'last']
          .map((text, n) =>
            messageSql(
              'ses_a',
              `msg_${n}`,
              n === 1 ? 'assistant' : 'user',
              text,
              1_790_000_000_000 + n,
            ),
          )
          .join('\n'),
    )
    // Pages of a long text begin with the number of the next one.
    const pages = Array.from(
      { length: whole.length / pageSize },
      (_, page) => page * pageSize,
    ).filter(
      (from) =>
        whole.readUInt32BE(from) < 256 &&
        whole.subarray(from, from + pageSize).includes('text text text'),
    )
    const from = pages[Math.floor(pages.length / 2)] ?? 0
    whole.fill(0, from, from + pageSize)
    const { text, told } = await shown(placed(whole))
    expect(text.split('\n')).toEqual(['A', 'first', '{"type":"unreadable"}', 'last'])
    expect(told).toEqual([expect.stringMatching(/ses_a: the database is damaged/)])
  })

  it('that was replaced since it was listed is read as it is now', async () => {
    const root = placed(
      made(
        sessionSql('ses_a', 'A') + messageSql('ses_a', 'msg_1', 'user', 'one', 1_790_000_000_000),
      ),
    )
    const refs: SourceRef[] = []
    for await (const ref of opencodeReader.list(root, disk, signal)) refs.push(ref)
    const other = placed(
      made(
        sessionSql('ses_a', 'A') + messageSql('ses_a', 'msg_1', 'user', 'two', 1_790_000_000_000),
      ),
    )
    fs.renameSync(path.join(other, 'opencode.db'), path.join(root, 'opencode.db'))
    const texts: string[] = []
    for (const ref of refs)
      for await (const fact of allowGaps(opencodeReader.read(ref, disk, signal), ({ sentence }) =>
        expect.unreachable(sentence),
      ))
        if (fact.type === 'entry') texts.push(fact.entry.content)
    expect(texts).toEqual(['two'])
    expect((await shown(root)).text.split('\n')).toEqual(['A', 'two'])
  })
})
