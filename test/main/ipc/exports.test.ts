import fs from 'node:fs/promises'
import path from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { saveExport } from '../../../src/main/compose/save-export'
import { nodeDisk } from '../../../src/main/disk/node-disk'
import { exportHandlers } from '../../../src/main/ipc/exports'
import type { OpenHome } from '../../../src/main/ipc/open-home'
import { openHistories } from '../../../src/main/library/histories'
import { openLibrary } from '../../../src/main/library/library'
import { openTranscripts } from '../../../src/main/library/transcripts'
import { openStore } from '../../../src/main/store/open-store'
import { LibraryKey } from '../../../src/shared/model/conversation'
import { ExportFormat } from '../../../src/shared/model/export'
import { tempFolders } from '../../support/temp-folder'

const folder = tempFolders()
const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

const soup = LibraryKey.parse('cycod:chat-history-1754437000000')

/** What the window's calls do with a cycod folder with this conversation. */
async function handlersOver(lines: readonly string[]) {
  const root = folder()
  const file = path.join(root, 'history/chat-history-1754437000000.jsonl')
  await fs.mkdir(path.dirname(file))
  await fs.writeFile(file, lines.join('\n'))
  const store = openStore({ home: path.join(root, 'home'), disk: nodeDisk })
  const histories = openHistories(nodeDisk, [{ source: 'cycod', path: root }])
  const library = openLibrary({
    disk: nodeDisk,
    store,
    shownHome: '~/home',
    histories,
    isRunning: () => false,
    changed: () => {},
  })
  closers.push(() => library.close())
  const transcripts = openTranscripts({ disk: nodeDisk, store, histories })
  const target = path.join(root, 'out')
  // The handlers use nothing else of a home.
  const home = { library, transcripts, histories, store } as unknown as OpenHome
  const asked: string[] = []
  const handlers = exportHandlers(() => home, {
    async ask(name, { extension }) {
      asked.push(`${name} as ${extension}`)
      return target
    },
    write: (place, pieces) => saveExport(nodeDisk, place, pieces),
    shown: (place) => path.basename(place),
  })
  return { handlers, target, file, asked }
}

const lines = [
  '{"_meta":{"title":"Soup","titleLocked":false}}',
  '{"role":"user","content":"What is this?"}',
  '{"role":"user","content":"cut',
  '{"role":"assistant","content":"I look.","tool_calls":[{"id":"c1","function":{"name":"look","arguments":"{}"},"type":"function"}]}',
  '{"role":"tool","tool_call_id":"c1","content":"soup"}',
  '{"role":"assistant","content":"Soup."}',
]

it('says what has no place in a format, and writes what has', async () => {
  const { handlers, target } = await handlersOver(lines)
  expect(await handlers.losses({ key: soup, format: 'fluux' })).toEqual({
    entries: 5,
    written: 3,
    losses: [
      {
        kind: 'tool',
        count: 2,
        sentence: '2 calls and results of tools have no place in the form of fluux-agent.',
      },
      { kind: 'damaged', count: 1, sentence: '1 damaged line is left out: no entry.' },
    ],
  })
  expect(await handlers.save({ key: soup, format: 'fluux' })).toMatchObject({
    file: 'out',
    entries: 5,
    damaged: 1,
  })
  const written = (await fs.readFile(target, 'utf8')).trimEnd().split('\n')
  expect(written.slice(1).map((line) => JSON.parse(line).content)).toEqual([
    'What is this?',
    'I look.',
    'Soup.',
  ])
})

it.each(ExportFormat.options)('counts and saves as %s', async (format) => {
  const { handlers, target } = await handlersOver(lines)
  const { entries } = await handlers.losses({ key: soup, format })
  const saved = await handlers.save({ key: soup, format })
  expect([entries, saved?.entries, saved?.bytes]).toEqual([5, 5, (await fs.stat(target)).size])
})

it('writes the original as it stands, and counts what is in it', async () => {
  const { handlers, target, file } = await handlersOver(lines)
  expect(await handlers.losses({ key: soup, format: 'original' })).toEqual({
    entries: 5,
    written: 5,
    losses: [],
  })
  expect(await handlers.save({ key: soup, format: 'original' })).toMatchObject({
    entries: 5,
    damaged: 1,
  })
  expect((await fs.readFile(target)).equals(await fs.readFile(file))).toBe(true)
})

it('suggests the name under which the system of the form finds the file', async () => {
  const { handlers, asked } = await handlersOver(lines)
  for (const format of ['md', 'original', 'chibi', 'cycod', 'fluux', 'voicemode'] as const)
    await handlers.save({ key: soup, format })
  expect(asked).toEqual([
    'chat-history-1754437000000.md as md',
    'chat-history-1754437000000.jsonl as jsonl',
    'active.jsonl as jsonl',
    'chat-history-1754437000000.jsonl as jsonl',
    'history.jsonl as jsonl',
    'exchanges_2025-08-05.jsonl as jsonl',
  ])
})

it('ends a count that is no longer asked for', async () => {
  const { handlers } = await handlersOver(lines)
  const first = handlers.losses({ key: soup, format: 'md' })
  const second = handlers.losses({ key: soup, format: 'csv' })
  await expect(first).rejects.toMatchObject({ code: 'cancelled' })
  expect((await second).entries).toBe(5)
})

it('says so when the conversation is not there', async () => {
  const { handlers } = await handlersOver(lines)
  const key = LibraryKey.parse('cycod:other')
  await expect(handlers.losses({ key, format: 'md' })).rejects.toMatchObject({ code: 'not-found' })
})
