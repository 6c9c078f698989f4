import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { appDisk } from '../../../../src/main/disk/app-disk'
import type { SourceFact, SourceRef } from '../../../../src/main/readers/common/reader'
import { historyDisk } from '../../../../src/main/readers/history-disk'
import { openWebuiReader } from '../../../../src/main/readers/open-webui/open-webui'
import type { Entry } from '../../../../src/shared/model/conversation/entry'
import { requireWhole } from '../../../../src/shared/model/conversation/reading'
import { hasSqlite3, writeDatabase } from '../../../support/sqlite3'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'

const temp = tempFolders(memoryFolder)
const disk = historyDisk(appDisk)
const { signal } = new AbortController()
const fixture = path.join(__dirname, '../../../fixtures/readers/open-webui')

async function refsUnder(root: string): Promise<readonly SourceRef[]> {
  const refs: SourceRef[] = []
  for await (const ref of openWebuiReader.list(root, disk, signal)) refs.push(ref)
  return refs
}

async function factsOf(ref: SourceRef | undefined): Promise<readonly SourceFact[]> {
  const facts: SourceFact[] = []
  if (ref !== undefined)
    for await (const fact of requireWhole(openWebuiReader.read(ref, disk, signal))) facts.push(fact)
  return facts
}

async function entriesOf(ref: SourceRef | undefined): Promise<readonly Entry[]> {
  return (await factsOf(ref)).flatMap((fact) => (fact.type === 'entry' ? [fact.entry] : []))
}

const oldTables =
  'create table chat (id text primary key, user_id text, title text, chat json, created_at integer, updated_at integer);'
const documentOf = (messages: object, currentId = '') =>
  JSON.stringify({ history: { messages, currentId } }).replaceAll("'", "''")

describe('an export', () => {
  it('has the chats that the database has in its documents, under the same keys and ids', async () => {
    const refs = await refsUnder(path.join(fixture, 'export'))
    expect(refs.map(({ key, glance }) => [key, glance?.title])).toEqual([
      ['chat-hive', 'Where to put a hive'],
      // The oldest chats have no tree: such a one is told as it is.
      ['chat-old', undefined],
    ])
    const [hive] = await refsUnder(path.join(fixture, 'input'))
    const inRows = await entriesOf(hive)
    const exported = await entriesOf(refs[0])
    const known = new Map(inRows.map((entry) => [entry.id, entry.content]))
    expect(exported.map(({ id }) => id).sort()).toEqual(
      inRows.flatMap(({ id }) => (/^(?:q3|a4)/.test(id) ? [] : [id])).sort(),
    )
    for (const { id, content } of exported)
      if (id !== 'a3' && id !== 'x') expect(content, id).toBe(known.get(id))
    // The branch where it is now comes last.
    expect(exported.at(-1)?.id).toBe('a2')
  })
})

describe.skipIf(!hasSqlite3)('a database', () => {
  it('is found below a folder of data, and no copy of a chat that was made for a link', async () => {
    const root = temp()
    fs.mkdirSync(path.join(root, 'backend/data'), { recursive: true })
    fs.cpSync(path.join(fixture, 'input'), path.join(root, 'backend/data'), { recursive: true })
    expect((await refsUnder(root)).map(({ key }) => key)).toEqual([
      'chat-hive',
      'chat-old',
      'chat-torn',
    ])
  })

  it('of an older version, without rows of messages and folders, has its documents', async () => {
    const file = path.join(temp(), 'webui.db')
    const one = { id: 'a', parentId: null, role: 'user', content: 'hello', timestamp: 5 }
    writeDatabase(
      file,
      `${oldTables} insert into chat values ('c', 'u', 'T', '${documentOf({ a: one })}', 1, 2);`,
    )
    const [ref] = await refsUnder(file)
    expect((await entriesOf(ref)).map(({ id, content }) => [id, content])).toEqual([['a', 'hello']])
  })

  it('is listed anew where a chat was written, and no other chat', async () => {
    const root = temp()
    fs.cpSync(path.join(fixture, 'input'), root, { recursive: true })
    const before = new Map((await refsUnder(root)).map((ref) => [ref.key, ref]))
    writeDatabase(
      path.join(root, 'webui.db'),
      `insert into chat_message (id, chat_id, role, parent_id, content, created_at, updated_at)
        values ('chat-hive-q5', 'chat-hive', 'user', 'a4', '"One more?"', 1790000900, 1790000900);`,
      true,
    )
    const after = await refsUnder(root)
    for (const ref of after) {
      const isSame = ref.files[0]?.identity === before.get(ref.key)?.files[0]?.identity
      expect(isSame, ref.key).toBe(ref.key !== 'chat-hive')
    }
    const entries = await entriesOf(after.find(({ key }) => key === 'chat-hive'))
    expect(entries.at(-1)).toMatchObject({ id: 'q5', content: 'One more?', parent: 'a4' })
  })

  it('keeps both of two messages under one id, and messages in a circle', async () => {
    const file = path.join(temp(), 'webui.db')
    const message = (id: string, parentId: string, content: string) =>
      `"${id}":${JSON.stringify({ id, parentId, role: 'user', content })}`
    const twice = [message('a', 'b', 'one'), message('b', 'a', 'two'), message('a', 'b', 'three')]
    const text = `{"history":{"messages":{${twice.join()}},"currentId":"b"}}`
    writeDatabase(file, `${oldTables} insert into chat values ('c', 'u', 'T', '${text}', 1, 2);`)
    const [ref] = await refsUnder(file)
    const entries = await entriesOf(ref)
    expect(entries.map(({ content }) => content).sort()).toEqual(['one', 'three', 'two'])
    expect(new Set(entries.map(({ id }) => id)).size).toBe(3)
  })

  it('that is no database, or has no chats, is told or is empty', async () => {
    const root = temp()
    fs.writeFileSync(path.join(root, 'webui.db'), 'not a database at all, and long enough for it')
    await expect(refsUnder(root)).rejects.toMatchObject({ code: 'unreadable' })
    const other = path.join(temp(), 'webui.db')
    writeDatabase(other, 'create table chat (id text);')
    expect(await refsUnder(other)).toEqual([])
  })
})

it('gives an answer the tokens that its provider names, in whichever words', async () => {
  const file = path.join(temp(), 'chats.json')
  const usages = [
    { prompt_tokens: 3, completion_tokens: 4, completion_tokens_details: { reasoning_tokens: 1 } },
    { prompt_eval_count: 5, eval_count: 6 },
    { input_tokens: 7, output_tokens: 8, input_tokens_details: { cached_tokens: 2 } },
    { total_duration: 9 },
  ]
  const messages = Object.fromEntries(
    usages.map((usage, at) => [
      `m${at}`,
      { id: `m${at}`, parentId: null, role: 'assistant', content: 'x', usage },
    ]),
  )
  fs.writeFileSync(file, JSON.stringify([{ id: 'c', title: 't', chat: { history: { messages } } }]))
  const [ref] = await refsUnder(file)
  const entries = await entriesOf(ref)
  expect(entries.map(({ metadata }) => metadata?.usage)).toEqual([
    { input: 3, output: 4, reasoning: 1 },
    { input: 5, output: 6 },
    { input: 7, output: 8, cached: 2 },
    undefined,
  ])
})
