import fs from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { appDisk } from '../../../../src/main/disk/app-disk'
import { readWholeFile } from '../../../../src/main/disk/reading/read'
import { glanceAt } from '../../../../src/main/readers/common/glance'
import type { SourceRef } from '../../../../src/main/readers/common/reader'
import { databaseListName } from '../../../../src/main/readers/common/rows/list-file'
import { historyDisk } from '../../../../src/main/readers/history-disk'
import { opencodeReader } from '../../../../src/main/readers/opencode/opencode'
import { sessionFormat } from '../../../../src/main/readers/opencode/rows/record-names'
import { recordPath } from '../../../../src/main/records/interface/record-format'
import { type Databases, databasesHere } from '../../../../src/main/sqlite/databases'
import { SqliteError } from '../../../../src/main/sqlite/sqlite-error'
import { AppError } from '../../../../src/shared/model/basics/errors'
import { messageSql, opencodeTables, sessionSql, sqlText } from '../../../support/opencode-rows'
import { sourceReading, wordsIn } from '../../../support/source-reading'
import { folderState, hasSqlite3, writeDatabase } from '../../../support/sqlite3'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'
import { unreadableBytes } from '../../../support/unreadable-bytes'

const temp = tempFolders(memoryFolder)
const disk = historyDisk(appDisk)
const fixture = path.join(__dirname, '../../../fixtures/readers/opencode/input')

const { refsUnder, factsOf, bytesOf } = sourceReading(opencodeReader, disk)

async function wordsOf(ref: SourceRef | undefined): Promise<readonly string[]> {
  return ref === undefined ? [] : wordsIn((await factsOf(ref)).facts)
}

const { signal } = new AbortController()
const newTables = `
  create table session_v2 (id text primary key, directory text, title text, time_created integer, time_updated integer);
  create table session_message (id text primary key, session_id text, type text, seq integer, time_created integer,
    time_updated integer, data text);
`

/** A database that its program has just closed, as far as we can see. */
function age(file: string): void {
  fs.utimesSync(file, 1_790_000_000, 1_790_000_000)
}

const anyText = fc
  .string({ unit: 'grapheme', maxLength: 30 })
  .map((text) => text.replaceAll('\0', ' '))
const anyData = fc.oneof(
  anyText.map((text) => sqlText(JSON.stringify({ type: 'text', text }))),
  anyText.map((text) => sqlText(JSON.stringify({ type: 'text', text }, null, 2))),
  anyText.map(sqlText),
  fc.constantFrom(
    'null',
    '7',
    '0.5',
    "x'ff00fe'",
    "''",
    sqlText('{"type":"text"'),
    sqlText('{"a":1}\n{"b":2}'),
  ),
  fc.constant(`'{"type":"text","text":"' || hex(zeroblob(40000)) || '"}'`),
)
const anyRows = fc.array(
  fc.record({
    session: fc.constantFrom('ses_a', 'ses_b', "ses 'ü/%'"),
    message: fc.oneof(fc.constantFrom('msg_1', 'msg_2', 'msg_3'), anyText),
    data: anyData,
    parts: fc.array(anyData, { maxLength: 4 }),
    time: fc.integer({ min: 0, max: 5 }),
  }),
  { maxLength: 12 },
)

describe.skipIf(!hasSqlite3)('sessions of a database', () => {
  it('have the size, state and rows that their list says, whatever the rows hold', async () => {
    await fc.assert(
      fc.asyncProperty(anyRows, fc.integer({ min: 1, max: 5000 }), async (rows, pieceBytes) => {
        const root = temp()
        const file = path.join(root, 'opencode.db')
        const sql = rows.map(({ session, message, data, parts, time }, at) => {
          const own = parts.map(
            (part, n) =>
              `insert into part values ('p${at}.${n}', ${sqlText(message)}, ${sqlText(session)}, ${time}, ${time}, ${part});`,
          )
          return `insert or ignore into message values (${sqlText(message)}, ${sqlText(session)}, ${time}, ${time}, ${data}); ${own.join('\n')}`
        })
        writeDatabase(
          file,
          `pragma journal_mode = wal; ${opencodeTables} ${sessionSql('ses_a', 'A')} ${sql.join('\n')}`,
          true,
        )
        const before = folderState(root)
        const refs = await refsUnder(root)
        const sessions = new Set([
          'ses_a',
          ...rows
            .filter(
              ({ message }, at) =>
                rows.findIndex((row) => row.message === message) === at || rows[at]?.parts.length,
            )
            .map(({ session }) => session),
        ])
        expect(new Set(refs.map(({ key }) => key))).toEqual(sessions)
        for (const ref of refs) {
          const { bytes, files } = ref
          const stat = await disk.stat(path.join(root, files[0]?.file ?? ''))
          expect(stat).toMatchObject({
            sizeBytes: bytes,
            identity: files[0]?.identity,
            mtimeMs: files[0]?.mtimeMs,
          })
          const opened = await disk.open(path.join(root, files[0]?.file ?? ''), 'read')
          expect(await opened.stat()).toEqual(stat)
          await opened.close()
          const whole = await bytesOf(ref, 1024 * 1024)
          expect(whole.length).toBe(bytes)
          expect((await bytesOf(ref, pieceBytes)).equals(whole)).toBe(true)
          const { facts, gaps } = await factsOf(ref)
          expect(gaps).toEqual([])
          const ledger = facts.find((fact) => fact.type === 'file')
          if (ledger?.type !== 'file') throw new Error('no ledger')
          const { lines, entryLines, control, blank, damaged, unit } = ledger.ledger
          expect([unit, entryLines + control + blank + damaged.length]).toEqual(['message', lines])
        }
        expect(folderState(root)).toBe(before)
      }),
      { seed: 48, numRuns: 20 },
    )
  })

  it('appear and grow as the program writes them, and the others stay as they were', async () => {
    const root = temp()
    const file = path.join(root, 'opencode.db')
    const many = Array.from(
      { length: 20 },
      (_, n) =>
        sessionSql(`ses_${n}`, `Session ${n}`, 1_790_000_000_000 + n) +
        messageSql(`ses_${n}`, `msg_${n}`, 'user', `question ${n}`, 1_790_000_000_000 + n),
    )
    writeDatabase(file, `pragma journal_mode = wal; ${opencodeTables} ${many.join('\n')}`, true)
    const first = await refsUnder(root)
    expect(first).toHaveLength(20)
    const identityOf = (refs: readonly SourceRef[], key: string) =>
      refs.find((ref) => ref.key === key)?.files[0]?.identity
    // The oldest one, whose own row is not touched.
    writeDatabase(
      file,
      messageSql('ses_0', 'msg_answer', 'assistant', 'an answer', 1_790_000_100_000),
      true,
    )
    const second = await refsUnder(root)
    expect(await wordsOf(second.find(({ key }) => key === 'ses_0'))).toEqual([
      'question 0',
      'an answer',
    ])
    const changed = second.filter(({ key }) => identityOf(first, key) !== identityOf(second, key))
    expect(changed.map(({ key }) => key)).toEqual(['ses_0'])
    // A row that is updated in place, as while an answer is written.
    writeDatabase(
      file,
      `update part set data = '{"type":"text","text":"a longer answer"}' where message_id = 'msg_19'; ${sessionSql('ses_new', 'New')} ${messageSql('ses_new', 'msg_new', 'user', 'a new one', 1_790_000_200_000)} delete from session where id = 'ses_5'; delete from message where session_id = 'ses_5'; delete from part where session_id = 'ses_5';`,
      true,
    )
    const third = await refsUnder(root)
    expect(await wordsOf(third.find(({ key }) => key === 'ses_19'))).toEqual(['a longer answer'])
    expect(await wordsOf(third.find(({ key }) => key === 'ses_new'))).toEqual(['a new one'])
    expect(third.map(({ key }) => key)).not.toContain('ses_5')
  })

  it('are listed at first by the pages of their tables, as SQLite itself lists them', async () => {
    const root = temp()
    const file = path.join(root, 'opencode.db')
    const rows = Array.from({ length: 700 }, (_, n) => {
      const session = `ses_${(n * 7) % 120}`
      return messageSql(session, `msg_${n}`, 'user', 'word '.repeat(n % 1500), 1.79e12 + (n % 9))
    })
    const sessions = Array.from({ length: 130 }, (_, n) => sessionSql(`ses_${n}`, `Session ${n}`))
    const orphan = `insert into part values ('prt_x', 'msg_gone', 'ses_alone', 5, null, '{}');`
    writeDatabase(
      file,
      `pragma journal_mode = wal; begin; ${opencodeTables} ${sessions.join('')} ${rows.slice(0, 500).join('')} commit; pragma wal_checkpoint; begin; ${rows.slice(500).join('')} ${orphan} commit;`,
      true,
    )
    const databases = databasesHere()
    const listed = async (bySqlite: boolean) => {
      const asked: string[] = []
      const counted: Databases = {
        ...databases,
        read(at, queries, tables) {
          for (const query of queries) asked.push('sums' in query ? 'sums' : query.sql)
          if (bySqlite && queries.some((query) => 'sums' in query))
            throw new SqliteError('unsupported', 'has rows that only SQLite reads')
          return databases.read(at, queries, tables)
        },
      }
      const refs: SourceRef[] = []
      for await (const ref of opencodeReader.list(root, historyDisk(appDisk, counted), signal))
        refs.push(ref)
      return { refs, asked }
    }
    const byPages = await listed(false)
    const bySqlite = await listed(true)
    expect(byPages.refs).toHaveLength(131)
    expect(byPages.refs).toEqual(bySqlite.refs)
    const rowReading = (sql: string) =>
      /sum\(octet_length.*group by session_id|distinct session_id from \w+$/s.test(sql)
    expect(byPages.asked.filter(rowReading)).toEqual([])
    expect(bySqlite.asked.filter(rowReading)).not.toEqual([])
    await databases.close()
  })

  it('are listed all, though bytes beside their rows cannot be read', async () => {
    const root = temp()
    const file = path.join(root, 'opencode.db')
    const rows = Array.from({ length: 40 }, (_, n) =>
      messageSql(`ses_${n % 4}`, `msg_${n}`, 'user', 'word '.repeat(3000), 1.79e12 + n),
    )
    const sessions = Array.from({ length: 4 }, (_, n) => sessionSql(`ses_${n}`, `Session ${n}`))
    writeDatabase(file, `begin; ${opencodeTables} ${sessions.join('')} ${rows.join('')} commit;`)
    age(file)
    const whole = (await refsUnder(root)).map(({ key, bytes }) => [key, bytes])
    expect(whole).toHaveLength(4)
    const bytes = fs.readFileSync(file)
    const beside = Array.from({ length: bytes.length / 4096 }, (_, page) => page * 4096).filter(
      (at) => bytes[at] === 0x00 && bytes.subarray(at, at + 4096).includes('word word'),
    )
    const bad = unreadableBytes(beside[Math.floor(beside.length / 2)] ?? 0, 512)
    const databases = databasesHere()
    const refs: SourceRef[] = []
    try {
      for await (const ref of opencodeReader.list(root, historyDisk(appDisk, databases), signal))
        refs.push(ref)
    } finally {
      bad.restore()
      await databases.close()
    }
    expect(bad.failed()).toBeGreaterThan(0)
    expect(refs.map((ref) => [ref.key, ref.bytes])).toEqual(whole)
  })

  it('have the state that opening them has, where an index lacks rows of its table', async () => {
    const root = temp()
    const file = path.join(root, 'opencode.db')
    const index = 'message_session_time_created_id_idx'
    const message = (n: number) => messageSql('ses_a', `msg_${n}`, 'user', 'one', 1.79e12 + n)
    const other = sessionSql('ses_b', 'B') + messageSql('ses_b', 'msg_b', 'user', 'b', 1.79e12)
    const steps = [
      `${opencodeTables} ${sessionSql('ses_a', 'A')} ${other} ${message(1)} create table kept as select * from sqlite_schema where name = '${index}';`,
      `pragma writable_schema = on; delete from sqlite_schema where name = '${index}';`,
      message(2),
      'pragma writable_schema = on; insert into sqlite_schema select * from kept;',
    ]
    for (const step of steps) writeDatabase(file, step)
    age(file)
    const list = recordPath({ container: file, format: sessionFormat, name: databaseListName })
    const listed = Buffer.from(await readWholeFile(disk, list))
      .toString('utf8')
      .split('\n')
      .flatMap((line) => (line === '' ? [] : [JSON.parse(line) as { id: string }]))
      .filter((line) => ['ses_a', 'ses_b'].includes(line.id))
    expect(listed).toHaveLength(2)
    for (const { id, ...state } of listed) {
      const target = recordPath({ container: file, format: sessionFormat, name: id })
      const opened = await disk.open(target, 'read')
      const { sizeBytes, identity } = await opened.stat()
      expect(state).toMatchObject({ sizeBytes, identity })
      await opened.close()
    }
  })

  it('are listed once each, however many rows they have of their own', async () => {
    const root = temp()
    const file = path.join(root, 'opencode.db')
    const tables = opencodeTables.replace('session (id text primary key', 'session (id text')
    writeDatabase(
      file,
      `begin; ${tables} with recursive c(i) as (select 1 union all select i + 1 from c where i < 200000)
       insert into session (id) select 'ses_a' from c; ${messageSql('ses_a', 'msg_1', 'user', 'one', 1.79e12)} commit;`,
    )
    age(file)
    expect((await refsUnder(root)).map(({ key }) => key)).toEqual(['ses_a'])
  })

  it('that grow between two pieces of the first list are listed as they are now', async () => {
    const root = temp()
    const file = path.join(root, 'opencode.db')
    writeDatabase(
      file,
      `pragma journal_mode = wal; ${opencodeTables} ${sessionSql('ses_a', 'A')} ${sessionSql('ses_b', 'B')} ${messageSql('ses_a', 'msg_1', 'user', 'one', 1.79e12)} ${messageSql('ses_b', 'msg_2', 'user', 'two', 1.79e12)}`,
      true,
    )
    const databases = databasesHere()
    let pieces = 0
    const growing: Databases = {
      ...databases,
      read(at, queries, tables) {
        if (queries.some((query) => 'sums' in query) && ++pieces === 2)
          writeDatabase(file, messageSql('ses_a', 'msg_3', 'assistant', 'three', 1.79e12 + 5), true)
        return databases.read(at, queries, tables)
      },
    }
    const refs: SourceRef[] = []
    for await (const ref of opencodeReader.list(root, historyDisk(appDisk, growing), signal))
      refs.push(ref)
    expect(pieces).toBeGreaterThan(1)
    expect(refs.map(({ bytes }) => bytes)).toEqual(
      (await refsUnder(root)).map(({ bytes }) => bytes),
    )
    await databases.close()
  })

  it('have the title and times that reading all of them gives, by their first rows alone', async () => {
    const { glance: _, ...wholeReader } = opencodeReader
    const anyMessage = fc.record({
      role: fc.constantFrom('user', 'assistant'),
      version: fc.constantFrom(1, 2),
      texts: fc.array(anyText, { maxLength: 2 }),
      isDamaged: fc.boolean(),
    })
    const anySession = fc.record({
      title: fc.constantFrom('', 'A title', 'New session - 2026-09-21T14:15:00.000Z'),
      versions: fc.subarray([1, 2]),
      messages: fc.array(anyMessage, { maxLength: 6 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(anySession, { minLength: 1, maxLength: 4 }), async (sessions) => {
        const root = temp()
        const sql = sessions.map(({ title, versions, messages }, at) => {
          const id = `ses_${at}`
          const own = versions.map((version) =>
            version === 1
              ? sessionSql(id, `${title}`)
              : `insert into session_v2 values ('${id}', '/home/ann', ${sqlText(title)}, 1790000000000, 1790000000000);`,
          )
          const all = messages.map(({ role, version, texts, isDamaged }, n) => {
            const text = texts.join()
            if (version === 1)
              return messageSql(id, `${id}_${n}`, role as 'user', text, 1.79e12 + n)
            const data = isDamaged ? '{"text' : JSON.stringify({ text, time: { created: 1.79e12 } })
            return `insert into session_message values ('${id}_${n}', '${id}', '${role}', ${n}, 1790000000000, 1790000000000, ${sqlText(data)});`
          })
          return [...own, ...all].join('\n')
        })
        writeDatabase(
          path.join(root, 'opencode.db'),
          `${opencodeTables} ${newTables} ${sql.join('')}`,
        )
        age(path.join(root, 'opencode.db'))
        for (const { glance, ...ref } of await refsUnder(root)) {
          const shown = await glanceAt(opencodeReader, ref, disk, signal)
          expect(shown).toEqual(await glanceAt(wholeReader, ref, disk, signal))
          if (glance !== undefined) expect(shown).toEqual(glance)
        }
      }),
      { seed: 50, numRuns: 20 },
    )
  })

  it('without a title take no reading of their many rows, nor of those of the session that called them', async () => {
    const root = temp()
    const file = path.join(root, 'opencode.db')
    const many = (session: string) =>
      Array.from({ length: 400 }, (_, n) => {
        const id = `${session}_${String(n).padStart(3, '0')}`
        return messageSql(session, id, 'user', `ses_child ${n}. `.repeat(50), 1.79e12 + n)
      }).join('')
    const child = `update session set title = 'New session - 2026-09-21T14:15:00.000Z', parent_id = 'ses_parent' where id = 'ses_child';`
    writeDatabase(
      file,
      `begin; ${opencodeTables} ${sessionSql('ses_parent', 'Parent')} ${sessionSql('ses_child', '')} ${child} ${many('ses_parent')} ${many('ses_child')} commit;`,
    )
    age(file)
    const databases = databasesHere()
    let rowBytes = 0
    const counted: Databases = {
      ...databases,
      async read(...given) {
        const answer = await databases.read(...given)
        rowBytes += JSON.stringify(answer.answers).length
        return answer
      },
    }
    const countedDisk = historyDisk(appDisk, counted)
    const ref = (await refsUnder(root)).find(({ key }) => key === 'ses_child')
    if (ref === undefined) throw new Error('not listed')
    const glance = await glanceAt(opencodeReader, ref, countedDisk, signal)
    expect(glance?.title).toMatch(/^ses_child 0\. ses_child 0\./)
    expect(rowBytes).toBeLessThan(40_000)
    await databases.close()
  })

  it('without a title have the words of the first message, without reading of those behind it, nor long ones at once', async () => {
    const root = temp()
    const file = path.join(root, 'opencode.db')
    const placeholder = (id: string) => sessionSql(id, 'New session - 2026-09-21T14:15:00.000Z')
    const long = 'word '.repeat(1_000_000)
    writeDatabase(
      file,
      `begin; ${opencodeTables} ${placeholder('ses_a')} ${placeholder('ses_b')}
       ${messageSql('ses_a', 'msg_1', 'user', 'The first words', 1.79e12)}
       ${messageSql('ses_a', 'msg_2', 'assistant', long, 1.79e12 + 1)}
       ${messageSql('ses_b', 'msg_3', 'user', `Long ${long}`, 1.79e12)} commit;`,
    )
    age(file)
    const databases = databasesHere()
    let beginningBytes = 0
    const counted: Databases = {
      ...databases,
      async read(...given) {
        const [, queries] = given
        const answer = await databases.read(...given)
        for (const [at, query] of queries.entries())
          if ('sql' in query && query.sql.includes('limit ?2'))
            for (const value of answer.answers[at]?.rows.flat() ?? [])
              beginningBytes += value instanceof Uint8Array ? value.length : 0
        return answer
      },
    }
    const countedDisk = historyDisk(appDisk, counted)
    const titles: (string | undefined)[] = []
    for (const ref of await refsUnder(root))
      titles.push((await glanceAt(opencodeReader, ref, countedDisk, signal))?.title)
    expect(titles.sort()).toEqual([expect.stringMatching(/^Long word word/), 'The first words'])
    expect(beginningBytes).toBeGreaterThan(0)
    expect(beginningBytes).toBeLessThan(4000)
    await databases.close()
  })

  it('are read beside a damaged page, and the one on it has a gap or says why it cannot be read', async () => {
    const root = temp()
    const file = path.join(root, 'opencode.db')
    const long = (session: string, n: number) => `${session}-${n} `.repeat(1000)
    const sql = ['ses_a', 'ses_b', 'ses_c'].flatMap((session) => [
      sessionSql(session, session),
      ...Array.from({ length: 10 }, (_, n) =>
        messageSql(session, `${session}_${n}`, 'user', long(session, n), 1_790_000_000_000 + n),
      ),
    ])
    writeDatabase(file, `begin; ${opencodeTables} ${sql.join('\n')} commit;`)
    const bytes = fs.readFileSync(file)
    // A leaf of the table of parts, by its first byte; what follows of a text is on pages of its own.
    const leaves = Array.from({ length: bytes.length / 4096 }, (_, page) => page * 4096).filter(
      (from) => bytes[from] === 0x0d && bytes.subarray(from, from + 4096).includes('prt_ses_b_5'),
    )
    expect(leaves).toHaveLength(1)
    for (const from of leaves) bytes.fill(0xff, from, from + 8)
    fs.writeFileSync(file, bytes)
    age(file)
    const words = new Map<string, readonly string[]>()
    const told: string[] = []
    for (const ref of await refsUnder(root))
      try {
        const { facts, gaps } = await factsOf(ref)
        words.set(ref.key, wordsIn(facts))
        told.push(...gaps)
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        told.push(error.message)
      }
    const all = (session: string) => Array.from({ length: 10 }, (_, n) => long(session, n))
    expect(words.get('ses_a')).toEqual(all('ses_a'))
    expect(words.get('ses_c')).toEqual(all('ses_c'))
    expect(words.get('ses_b') ?? []).not.toEqual(all('ses_b'))
    expect(told).toEqual([expect.stringMatching(/damaged/)])
  })
})

it('a log that is cut anywhere gives the whole last commit, or none of it', async () => {
  const root = temp()
  const log = fs.readFileSync(path.join(fixture, 'opencode.db-wal'))
  fs.copyFileSync(path.join(fixture, 'opencode.db'), path.join(root, 'opencode.db'))
  const wholeKeys = (await refsUnder(fixture))
    .filter(({ files }) => files[0]?.file.startsWith('opencode.db'))
    .map(({ key }) => key)
  const counts = new Set<number>()
  for (let end = 0; end <= log.length; end += 997) {
    fs.writeFileSync(path.join(root, 'opencode.db-wal'), log.subarray(0, end))
    age(path.join(root, 'opencode.db'))
    counts.add((await refsUnder(root)).length)
  }
  fs.writeFileSync(path.join(root, 'opencode.db-wal'), log)
  expect((await refsUnder(root)).map(({ key }) => key)).toEqual(wholeKeys)
  expect([...counts]).toEqual([0])
})

it('a session that was taken back is at the message before, with the rest behind it', async () => {
  const hedge = (await refsUnder(fixture)).find(({ key }) => key === 'ses_hedge')
  expect(await wordsOf(hedge)).toEqual([
    'how high is the hedge?',
    'two metres',
    'cut it to the ground',
    'it is gone',
  ])
})
