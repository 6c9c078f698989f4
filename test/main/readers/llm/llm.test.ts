import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { appDisk } from '../../../../src/main/disk/app-disk'
import type { SourceRef } from '../../../../src/main/readers/common/reader'
import { historyDisk } from '../../../../src/main/readers/history-disk'
import { llmReader } from '../../../../src/main/readers/llm/llm'
import type { Entry } from '../../../../src/shared/model/conversation/entry'
import { requireWhole } from '../../../../src/shared/model/conversation/reading'
import { hasSqlite3, writeDatabase } from '../../../support/sqlite3'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'

const temp = tempFolders(memoryFolder)
const disk = historyDisk(appDisk)
const { signal } = new AbortController()
const fixture = path.join(__dirname, '../../../fixtures/readers/llm/input')

async function refsUnder(root: string): Promise<readonly SourceRef[]> {
  const refs: SourceRef[] = []
  for await (const ref of llmReader.list(root, disk, signal)) refs.push(ref)
  return refs
}

async function entriesOf(root: string, key: string): Promise<readonly Entry[]> {
  const ref = (await refsUnder(root)).find((one) => one.key === key)
  const entries: Entry[] = []
  if (ref !== undefined)
    for await (const fact of requireWhole(llmReader.read(ref, disk, signal)))
      if (fact.type === 'entry') entries.push(fact.entry)
  return entries
}

const said = ({ entry_type: type, content }: Entry) => `${type}: ${content}`

describe('the log of llm', () => {
  it('has what was asked with an answer before it: fragments, results of tools, words with files', async () => {
    const entries = await entriesOf(fixture, '01jbees')
    expect(entries.map(said)).toEqual([
      'message: Answer in one line.',
      'message: You keep bees.',
      'message: A hive is a box for bees.',
      'message: Where do bees live?',
      'reasoning: I look it up.',
      'tool_call: {"word":"bees"}',
      'tool_result: hive',
      'message: In a hive.',
    ])
    expect(entries[2]?.metadata?.injected).toBe(true)
    expect(entries[3]?.metadata?.attachments).toEqual([
      { filename: 'hive.png', mime_type: 'image/png', url: '/home/ann/hive.png' },
    ])
    // An answer without words has its tokens on the first of its entries.
    expect(entries[4]?.metadata?.usage).toEqual({ input: 74, output: 20, reasoning: 12 })
  })

  it('has every way through a thread, and a fork with the same ids as far as both go together', async () => {
    const thread = await entriesOf(fixture, '01thive')
    const fork = await entriesOf(fixture, '01tfork')
    expect(thread.at(-1)?.content).toBe('That is a skep.')
    expect(fork.at(-1)?.content).toBe('Pine.')
    const own = new Set(thread.map(({ id }) => id))
    expect(fork.filter(({ id }) => !own.has(id)).map(({ content }) => content)).toEqual([
      'Which wood?',
      'Pine.',
    ])
    expect(thread.filter(({ parent }) => parent === 'b2:a2').map(({ content }) => content)).toEqual(
      expect.arrayContaining(['Of wood?', 'Of straw?']),
    )
  })

  it('tells once what both generations have of a conversation', async () => {
    expect((await entriesOf(fixture, '01jboth')).map(({ content }) => content)).toEqual([
      'What is honey?',
      'Food of bees.',
      'Can I eat it?',
      'Yes.',
    ])
  })

  it.skipIf(!hasSqlite3)('is read in the form of its first releases', async () => {
    const file = path.join(temp(), 'logs.db')
    writeDatabase(
      file,
      `create table conversations (id text primary key, name text, model text);
       create table responses (id text primary key, model text, prompt text, system text, prompt_json text,
         options_json text, response text, response_json text, conversation_id text, duration_ms integer, datetime_utc text);
       insert into responses values ('r', 'm', 'hi', null, null, 'no json', 'hello', null, null, null, 'no time');`,
    )
    const entries = await entriesOf(file, 'r')
    expect(entries.map(({ content, timestamp }) => [content, timestamp])).toEqual([
      ['hi', null],
      ['hello', null],
    ])
    const empty = path.join(temp(), 'logs.db')
    writeDatabase(empty, 'create table other (id text);')
    expect(await refsUnder(empty)).toEqual([])
  })
})
