import fs from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { appDisk } from '../../../../src/main/disk/app-disk'
import { DiskError } from '../../../../src/main/disk/interface/disk'
import { readWholeFile } from '../../../../src/main/disk/reading/read'
import { glanceAt } from '../../../../src/main/readers/common/glance'
import type { SourceRef } from '../../../../src/main/readers/common/reader'
import { cursorReader } from '../../../../src/main/readers/cursor/cursor'
import { cursorFormat, listName } from '../../../../src/main/readers/cursor/lines/names'
import { historyDisk } from '../../../../src/main/readers/history-disk'
import { recordPath } from '../../../../src/main/records/interface/record-format'
import { AppError } from '../../../../src/shared/model/basics/errors'
import { firstWords } from '../../../../src/shared/model/basics/first-words'
import {
  blobSql,
  bubbleSql,
  chatSql,
  metaSql,
  rootBlob,
  stateSql,
  stateTables,
  storeTables,
} from '../../../support/cursor-rows'
import { sqlText } from '../../../support/opencode-rows'
import { sourceReading, wordsIn } from '../../../support/source-reading'
import { folderState, hasSqlite3, writeDatabase } from '../../../support/sqlite3'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'

const temp = tempFolders(memoryFolder)
const disk = historyDisk(appDisk)
const { signal } = new AbortController()
const fixture = path.join(__dirname, '../../../fixtures/readers/cursor/input')

const { refsUnder, factsOf, bytesOf } = sourceReading(cursorReader, disk)

async function wordsOf(refs: readonly SourceRef[], key: string): Promise<readonly string[]> {
  const ref = refs.find((one) => one.key === key)
  return ref === undefined ? [] : wordsIn((await factsOf(ref)).facts)
}

async function conversationOf(refs: readonly SourceRef[], key: string) {
  const ref = refs.find((one) => one.key === key)
  const { facts } = ref === undefined ? { facts: [] } : await factsOf(ref)
  return facts.flatMap((fact) => (fact.type === 'conversation' ? [fact.conversation] : []))[0]
}

/** The editor's database in a folder of user data. */
function stateIn(root: string): string {
  const folder = path.join(root, 'User', 'globalStorage')
  fs.mkdirSync(folder, { recursive: true })
  return path.join(folder, 'state.vscdb')
}

function storeIn(root: string, chat: string): string {
  const folder = path.join(root, 'chats', 'of-a-project', chat)
  fs.mkdirSync(folder, { recursive: true })
  return path.join(folder, 'store.db')
}

function transcriptIn(root: string, file: string, ...lines: readonly object[]): void {
  const whole = path.join(root, 'projects', 'home-ann', 'agent-transcripts', file)
  fs.mkdirSync(path.dirname(whole), { recursive: true })
  fs.writeFileSync(whole, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
}

function said(role: string, text: string) {
  return { role, message: { content: [{ type: 'text', text }] } }
}

/** A database that its program has closed, as far as we can see. */
function age(file: string): void {
  fs.utimesSync(file, 1_790_000_000, 1_790_000_000)
}

const anyText = fc
  .string({ unit: 'grapheme', maxLength: 30 })
  .map((text) => text.replaceAll('\0', ' '))
const anyBubble = fc.oneof(
  fc
    .record({
      type: fc.constantFrom<unknown>(1, 2, 3, 'user', null),
      text: anyText,
      thinking: fc.constantFrom<unknown>(undefined, 'hm', { text: 'hm' }, 7),
      createdAt: fc.constantFrom<unknown>(
        undefined,
        '2026-09-10T09:00:00Z',
        1_790_000_000_000,
        'x',
      ),
      toolFormerData: fc.constantFrom<unknown>(
        undefined,
        { name: 'ls', result: '{"a":1}' },
        { params: {} },
        [],
      ),
    })
    .map((bubble) => JSON.stringify(bubble)),
  anyText,
  fc.constantFrom(
    'null',
    '7',
    '[]',
    '',
    '{"type":2',
    '{"type":2,"text":"a"}\n\n',
    `{"text":"${'a'.repeat(40_000)}"}`,
  ),
)
const anyId = fc.oneof(fc.constantFrom('b1', 'b2', 'b3', 'b 4~ü/%', ''), anyText)
const anyChat = fc.record({
  id: fc.constantFrom('chat-a', 'chat-b', ".c'h~ü/%"),
  record: fc.oneof(
    fc
      .record({
        name: fc.constantFrom<unknown>('A name', '', null, 7),
        createdAt: fc.constantFrom<unknown>(1_790_000_000_000, 'x', -1),
        fullConversationHeadersOnly: fc.oneof(
          fc.array(fc.oneof(fc.record({ bubbleId: anyId, type: fc.constant(1) }), fc.constant(7))),
          fc.constantFrom<unknown>(undefined, {}, 'x'),
        ),
        conversation: fc.oneof(
          fc.array(
            fc.oneof(
              fc.record({ bubbleId: anyId, text: anyText }),
              fc.constantFrom('x', 7, null, [1]),
            ),
          ),
          fc.constantFrom<unknown>(undefined, {}),
        ),
        subagentComposerIds: fc.constantFrom<unknown>(undefined, ['chat-a', 7], 'x'),
        blobEncryptionKey: fc.constant('SECRET'),
      })
      .map((record) => JSON.stringify(record)),
    anyText,
    fc.constantFrom('{"blobEncryptionKey":"SECRET","name', 'null', '[]'),
  ),
  hasRecord: fc.boolean(),
  bubbles: fc.array(fc.tuple(anyId, anyBubble, fc.constantFrom('text', 'blob', 'null')), {
    maxLength: 6,
  }),
})

describe.skipIf(!hasSqlite3)('chats of the editor', () => {
  it('have the size, state and rows that their list says, whatever the rows hold, and no key', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyChat, { maxLength: 4 }),
        fc.integer({ min: 1, max: 5000 }),
        async (chats, pieceBytes) => {
          const root = temp()
          const file = stateIn(root)
          const sql = chats.flatMap(({ id, record, hasRecord, bubbles }) => [
            ...(hasRecord ? [stateSql(`composerData:${id}`, record)] : []),
            ...bubbles.map(([bubble, value, type]) => {
              const text = type === 'null' ? 'null' : `cast(${sqlText(value)} as ${type})`
              return `insert into cursorDiskKV values (${sqlText(`bubbleId:${id}:${bubble}`)}, ${text});`
            }),
          ])
          writeDatabase(file, `pragma journal_mode = wal; ${stateTables} ${sql.join('\n')}`, true)
          const folder = path.dirname(file)
          const before = folderState(folder)
          for (const ref of await refsUnder(root)) {
            const { bytes, files } = ref
            const stat = await disk.stat(path.join(root, files[0]?.file ?? ''))
            const { identity, mtimeMs } = files[0] ?? {}
            expect(stat).toMatchObject({ sizeBytes: bytes, identity, mtimeMs })
            const whole = await bytesOf(ref, 1024 * 1024)
            expect(whole.length).toBe(bytes)
            expect((await bytesOf(ref, pieceBytes)).equals(whole)).toBe(true)
            expect(whole.includes('SECRET')).toBe(false)
            const { facts, gaps } = await factsOf(ref)
            expect(gaps).toEqual([])
            const ledger = facts.find((fact) => fact.type === 'file')
            if (ledger?.type !== 'file') throw new Error('no ledger')
            const { lines, entryLines, control, blank, damaged, unit } = ledger.ledger
            expect([unit, entryLines + control + blank + damaged.length]).toEqual([
              'message',
              lines,
            ])
          }
          expect(folderState(folder)).toBe(before)
        },
      ),
      { seed: 51, numRuns: 25 },
    )
  })

  it('appear and grow as the editor writes them, and the others stay as they were', async () => {
    const root = temp()
    const file = stateIn(root)
    const many = Array.from({ length: 20 }, (_, n) => [
      bubbleSql(`chat-${n}`, 'u1', { text: `question ${n}` }),
      chatSql(`chat-${n}`, { name: `Chat ${n}a`, createdAt: 1_790_000_000_000 + n }, ['u1']),
    ])
    writeDatabase(file, `pragma journal_mode = wal; ${stateTables} ${many.flat().join('\n')}`, true)
    const first = await refsUnder(root)
    expect(first).toHaveLength(20)
    const identityOf = (refs: readonly SourceRef[], key: string) =>
      refs.find((ref) => ref.key === key)?.files[0]?.identity
    writeDatabase(
      file,
      `${bubbleSql('chat-0', 'a2', { text: 'an answer' })} ${chatSql('chat-0', { name: 'Chat 0a' }, ['u1', 'a2'])}`,
      true,
    )
    const second = await refsUnder(root)
    expect(await wordsOf(second, 'chat-0')).toEqual(['question 0', 'an answer'])
    const changed = second.filter(({ key }) => identityOf(first, key) !== identityOf(second, key))
    expect(changed.map(({ key }) => key)).toEqual(['chat-0'])
    // As while an answer is written: its row alone is written anew, of a chat that is not among the last.
    writeDatabase(
      file,
      `${bubbleSql('chat-3', 'u1', { text: 'a longer question 3' })} ${bubbleSql('chat-new', 'u1', { text: 'a new one' })}
       ${chatSql('chat-new', {}, ['u1'])} delete from cursorDiskKV where key like '%chat-5%';`,
      true,
    )
    const third = await refsUnder(root)
    expect(await wordsOf(third, 'chat-3')).toEqual(['a longer question 3'])
    expect(await conversationOf(third, 'chat-new')).toMatchObject({ title: 'a new one' })
    expect(third.map(({ key }) => key)).not.toContain('chat-5')
    expect(third).toHaveLength(20)
  })

  it('are read beside a damaged page, and the one on it has a gap or says why it cannot be read', async () => {
    const root = temp()
    const file = stateIn(root)
    const long = (chat: string, n: number) => `${chat}-${n} `.repeat(1000)
    const sql = ['chat-a', 'chat-b', 'chat-c'].flatMap((chat) => {
      const ids = Array.from({ length: 10 }, (_, n) => `u${n}`)
      return [
        ...ids.map((id, n) => bubbleSql(chat, id, { text: long(chat, n) })),
        chatSql(chat, { name: chat, createdAt: 1_790_000_000_000 }, ids),
      ]
    })
    writeDatabase(file, `begin; ${stateTables} ${sql.join('\n')} commit;`)
    const bytes = fs.readFileSync(file)
    const leaves = Array.from({ length: bytes.length / 4096 }, (_, page) => page * 4096).filter(
      (from) =>
        bytes[from] === 0x0d && bytes.subarray(from, from + 4096).includes('bubbleId:chat-b:u5'),
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
    const all = (chat: string) => Array.from({ length: 10 }, (_, n) => long(chat, n))
    expect(words.get('chat-a')).toEqual(all('chat-a'))
    expect(words.get('chat-c')).toEqual(all('chat-c'))
    expect(told).toEqual([expect.stringMatching(/damaged/)])
  })

  describe('in a database whose index of keys is damaged', () => {
    const chats = ['chat-a', 'chat-b', 'chat-c']
    const ids = Array.from({ length: 100 }, (_, n) => `u${n}`)
    const said = (chat: string) => ids.map((id) => `${chat} says ${id}. `.repeat(4))

    function damagedIn(root: string, wanted: (page: Buffer) => boolean): void {
      const file = stateIn(root)
      const sql = chats.flatMap((chat) => [
        ...ids.map((id, n) => bubbleSql(chat, id, { text: said(chat)[n] })),
        chatSql(chat, { name: chat, createdAt: 1_790_000_000_000 }, ids),
      ])
      writeDatabase(file, `begin; ${stateTables} ${sql.join('\n')} commit;`)
      const bytes = fs.readFileSync(file)
      const pages = Array.from({ length: bytes.length / 4096 }, (_, n) =>
        bytes.subarray(n * 4096, n * 4096 + 4096),
      ).filter(wanted)
      expect(pages.length).toBeGreaterThan(0)
      for (const page of pages) page.fill(0)
      fs.writeFileSync(file, bytes)
      age(file)
    }

    async function listed(root: string) {
      const refs: SourceRef[] = []
      let fault: unknown
      try {
        for await (const ref of cursorReader.list(root, disk, signal)) refs.push(ref)
      } catch (error) {
        fault = error
      }
      const read = await Promise.all(
        refs.map(async (ref) => {
          const { facts, gaps } = await factsOf(ref)
          return { key: ref.key, words: wordsIn(facts), gaps }
        }),
      )
      return { read, fault: fault instanceof AppError ? fault.message : fault }
    }

    const isIndex = (page: Buffer) => page[0] === 0x0a && page.includes('bubbleId:chat-b:u5')

    it('are found among all rows, and it is told', async () => {
      const root = temp()
      damagedIn(root, isIndex)
      for (const _ of ['first', 'again'])
        expect(await listed(root)).toEqual({
          read: chats.map((key) => ({ key, words: said(key), gaps: [] })),
          fault: expect.stringMatching(/index of keys cannot be read/),
        })
    })

    it('may lack rows of a page that is damaged too', async () => {
      const root = temp()
      const isRow = (page: Buffer) => page[0] === 0x0d && page.includes('"chat-b says u50. ')
      damagedIn(root, (page) => isIndex(page) || isRow(page))
      const { read, fault } = await listed(root)
      expect(fault).toMatch(/not all of its rows/)
      expect(read.map(({ key }) => key)).toEqual(chats)
      expect(read[0]).toMatchObject({
        words: said('chat-a'),
        gaps: [expect.stringMatching(/may have had rows/)],
      })
      const kept = read[1]?.words ?? []
      expect(kept.length).toBeLessThan(100)
      expect(said('chat-b')).toEqual(expect.arrayContaining([...kept]))
    })
  })

  it('have both of two messages in their record that have one id', async () => {
    const root = temp()
    const conversation = ['one', 'two'].map((text) => ({ type: 2, bubbleId: 'b1', text }))
    const sql = stateSql('composerData:chat-a', { name: 'Well', conversation })
    writeDatabase(stateIn(root), `${stateTables} ${sql}`)
    expect(await wordsOf(await refsUnder(root), 'chat-a')).toEqual(['one', 'two'])
  })

  it('without a name have their first words, of which the list holds no more, however long the message is', async () => {
    const root = temp()
    const long = 'rake '.repeat(100_000)
    const texts = {
      plain: long,
      wrapped: `<user_info>${long}</user_info>\n<user_query>rake it</user_query>`,
    }
    const sql = Object.entries(texts).map(
      ([id, text]) => `${chatSql(id, {}, ['u1'])} ${bubbleSql(id, 'u1', { text })}`,
    )
    const file = stateIn(root)
    writeDatabase(file, `${stateTables} ${sql.join('\n')}`)
    const refs = await refsUnder(root)
    const titles = await Promise.all(
      refs.map(async (ref) => [ref.key, (await glanceAt(cursorReader, ref, disk, signal))?.title]),
    )
    expect(Object.fromEntries(titles)).toEqual({ plain: firstWords(long), wrapped: 'rake it' })
    const list = recordPath({ container: file, format: cursorFormat, name: listName })
    expect((await readWholeFile(disk, list, long.length)).length).toBeLessThan(2000)
  })

  it('without a message are not listed, and a tab that is one is its transcript', async () => {
    const root = temp()
    const empty = ['tab-1', 'tab-2'].map((id) => chatSql(id, { createdAt: 1_790_000_000_000 }, []))
    writeDatabase(stateIn(root), `${stateTables} ${empty.join('\n')}`)
    transcriptIn(root, 'tab-2/tab-2.jsonl', said('user', 'is the well deep?'))
    const refs = await refsUnder(root)
    expect(refs.map(({ key }) => key)).toEqual(['tab-2'])
    expect(await wordsOf(refs, 'tab-2')).toEqual(['is the well deep?'])
  })
})

describe.skipIf(!hasSqlite3)('chats of the command line', () => {
  const ask = JSON.stringify({ role: 'user', content: 'go on' })
  const one = JSON.stringify({ role: 'assistant', content: 'one' })
  const two = JSON.stringify({ role: 'assistant', content: 'two' })

  it('that are told to go on with the same words twice have both', async () => {
    const root = temp()
    const now = rootBlob([ask, one, ask, two])
    const sql = [
      ...[ask, one, two, now].map(blobSql),
      metaSql(now, { name: 'Well', createdAt: 1_790_000_000_000 }),
    ]
    writeDatabase(storeIn(root, 'chat-a'), `${storeTables} ${sql.join('\n')}`)
    const refs = await refsUnder(root)
    expect(await wordsOf(refs, 'chat-a')).toEqual(['go on', 'one', 'go on', 'two'])
    expect(await conversationOf(refs, 'chat-a')).toMatchObject({
      title: 'Well',
      project: '/home/ann/paths',
    })
  })

  it('keep what was taken back as a branch, are where the newest list ends, and take no other list for one', async () => {
    const root = temp()
    const file = 'a part of a file'
    const now = rootBlob([ask, two])
    const blobs = [
      ask,
      one,
      two,
      file,
      rootBlob([file]),
      rootBlob([ask]),
      rootBlob([ask, one]),
      now,
    ]
    writeDatabase(
      storeIn(root, 'chat-a'),
      `${storeTables} ${blobs.map(blobSql).join('\n')} ${metaSql(now, {})}`,
    )
    const [ref] = await refsUnder(root)
    const { facts } = ref === undefined ? { facts: [] } : await factsOf(ref)
    const entries = facts.flatMap((fact) => (fact.type === 'entry' ? [fact.entry] : []))
    expect(entries.map(({ content }) => content)).toEqual(['go on', 'two', 'one'])
    const [first, second, other] = entries
    expect([second?.parent, other?.parent]).toEqual([first?.id, first?.id])
    expect(facts.find((fact) => fact.type === 'leaf')).toMatchObject({
      leaves: [second?.id, other?.id],
    })
  })

  it('whose newest list is gone say so, and show the one before it', async () => {
    const root = temp()
    const before = rootBlob([ask, one])
    const sql = [...[ask, one, before].map(blobSql), metaSql(rootBlob([ask, one, two]), {})]
    writeDatabase(storeIn(root, 'chat-a'), `${storeTables} ${sql.join('\n')}`)
    const [ref] = await refsUnder(root)
    const { facts } = ref === undefined ? { facts: [] } : await factsOf(ref)
    expect(wordsIn(facts)).toEqual(['go on', 'one'])
    expect(facts.filter((fact) => fact.type === 'damaged')).toMatchObject([
      { damaged: { reason: expect.stringMatching(/newest list/) } },
    ])
  })

  it('whose newest list cannot be read say so, also where no other is left', async () => {
    const root = temp()
    const strange = Buffer.from('a list of another version')
    const sql = [...[ask, strange].map(blobSql), metaSql(strange, { name: 'Well' })]
    writeDatabase(storeIn(root, 'chat-a'), `${storeTables} ${sql.join('\n')}`)
    const empty = rootBlob([])
    writeDatabase(storeIn(root, 'chat-b'), `${storeTables} ${blobSql(empty)} ${metaSql(empty, {})}`)
    writeDatabase(storeIn(root, 'chat-c'), `${storeTables} ${metaSql(empty, {})}`)
    const refs = await refsUnder(root)
    expect(refs.map(({ key }) => key)).toEqual(['chat-a'])
    const [ref] = refs
    const { facts } = ref === undefined ? { facts: [] } : await factsOf(ref)
    expect(facts.filter((fact) => fact.type === 'damaged')).toMatchObject([
      { damaged: { reason: expect.stringMatching(/newest list/) } },
    ])
  })

  it('follow what the program writes, and say where they cannot be read', async () => {
    const root = temp()
    const file = storeIn(root, 'chat-a')
    const begun = rootBlob([ask])
    writeDatabase(
      file,
      `pragma journal_mode = wal; ${storeTables} ${[ask, begun].map(blobSql).join('\n')} ${metaSql(begun, {})}`,
      true,
    )
    expect(await wordsOf(await refsUnder(root), 'chat-a')).toEqual(['go on'])
    const now = rootBlob([ask, one])
    writeDatabase(file, `${[one, now].map(blobSql).join('\n')} ${metaSql(now, {})}`, true)
    expect(await wordsOf(await refsUnder(root), 'chat-a')).toEqual(['go on', 'one'])
    fs.writeFileSync(storeIn(root, 'chat-b'), 'x'.repeat(5000))
    age(storeIn(root, 'chat-b'))
    const refs = await refsUnder(root)
    expect(refs.map(({ key }) => key)).toEqual(['chat-a', 'chat-b'])
    await expect(wordsOf(refs, 'chat-b')).rejects.toThrow(/store.db cannot be read/)
  })
})

describe.skipIf(!hasSqlite3)('a chat in several stores', () => {
  it('is listed once: from the command line, else from the editor, else from the transcript', async () => {
    const root = temp()
    const ask = JSON.stringify({ role: 'user', content: 'from the store' })
    const now = rootBlob([ask])
    writeDatabase(
      storeIn(root, 'chat-a'),
      `${storeTables} ${[ask, now].map(blobSql).join('\n')} ${metaSql(now, {})}`,
    )
    const chats = ['chat-a', 'chat-b'].flatMap((id) => [
      chatSql(id, { name: 'In the editor' }, ['u1']),
      bubbleSql(id, 'u1', { text: 'from the editor' }),
    ])
    writeDatabase(stateIn(root), `${stateTables} ${chats.join('\n')}`)
    for (const id of ['chat-a', 'chat-b', 'chat-c'])
      transcriptIn(root, `${id}/${id}.jsonl`, said('user', 'from the transcript'))
    const refs = await refsUnder(root)
    const words = await Promise.all(refs.map(({ key }) => wordsOf(refs, key)))
    expect(refs.map(({ key }, at) => [key, words[at]?.[0]]).sort()).toEqual([
      ['chat-a', 'from the store'],
      ['chat-b', 'from the editor'],
      ['chat-c', 'from the transcript'],
    ])
  })
})

it('a root may be any of the folders and files that Cursor has', async () => {
  const keysUnder = async (place: string) =>
    (await refsUnder(path.join(fixture, place))).map(({ key }) => key).sort()
  const all = await keysUnder('')
  const editor = await keysUnder('User')
  expect(editor).toHaveLength(6)
  expect(await keysUnder('User/globalStorage')).toEqual(editor.filter((key) => key !== 'tab-1'))
  expect(await keysUnder('User/globalStorage/state.vscdb')).toEqual(
    editor.filter((key) => key !== 'tab-1'),
  )
  expect(await keysUnder('User/workspaceStorage/abc/state.vscdb')).toEqual(['tab-1'])
  const [store] = await keysUnder('chats')
  const folder = `chats/91220d616e638ee1db5c66673fd3a343/${store}`
  expect([await keysUnder(folder), await keysUnder(`${folder}/store.db`)]).toEqual([
    [store],
    [store],
  ])
  const transcripts = await keysUnder('projects')
  expect(await keysUnder('projects/home-ann-steps/agent-transcripts')).toEqual(transcripts)
  expect(await keysUnder('projects/home-ann-steps/agent-transcripts/0a41.txt')).toEqual(['0a41'])
  expect([...new Set([...editor, store, ...transcripts])].sort()).toEqual(all)
  // Each can be read where that root has it.
  for (const place of ['', 'User', 'User/globalStorage', 'User/globalStorage/state.vscdb']) {
    const refs = await refsUnder(path.join(fixture, place))
    const vine = '9e914b80-c1c0-4733-a0f4-c8e2467417d0'
    expect(await wordsOf(refs, vine)).toContain('thirty-two metres')
  }
})

it('a folder that cannot be listed is said, and hides no other', async () => {
  const denied = (folder: string) => folder.endsWith('home-denied/agent-transcripts')
  const closed = {
    ...disk,
    list(folder: string) {
      if (denied(folder)) throw new DiskError('denied', folder, `${folder} may not be read`)
      return disk.list(folder)
    },
  }
  const root = temp()
  transcriptIn(root, 'chat-a.jsonl', said('user', 'is the well deep?'))
  fs.mkdirSync(path.join(root, 'projects', 'home-denied', 'agent-transcripts'), { recursive: true })
  const keys: string[] = []
  const listing = async () => {
    for await (const { key } of cursorReader.list(root, closed, signal)) keys.push(key)
  }
  await expect(listing()).rejects.toMatchObject({ code: 'unreadable' })
  expect(keys).toEqual(['chat-a'])
})

it('a log that is cut anywhere gives the whole last commit, or none of it', async () => {
  const root = temp()
  const from = path.join(fixture, 'User/globalStorage')
  const log = fs.readFileSync(path.join(from, 'state.vscdb-wal'))
  fs.copyFileSync(path.join(from, 'state.vscdb'), path.join(root, 'state.vscdb'))
  const wholeKeys = (await refsUnder(from)).map(({ key }) => key)
  const counts = new Set<number>()
  for (let end = 0; end < log.length; end += 997) {
    fs.writeFileSync(path.join(root, 'state.vscdb-wal'), log.subarray(0, end))
    age(path.join(root, 'state.vscdb'))
    counts.add((await refsUnder(root)).length)
  }
  fs.writeFileSync(path.join(root, 'state.vscdb-wal'), log)
  expect((await refsUnder(root)).map(({ key }) => key)).toEqual(wholeKeys)
  expect([...counts]).toEqual([0])
})
