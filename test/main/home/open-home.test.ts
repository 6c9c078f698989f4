import fs from 'node:fs'
import type { ServerResponse } from 'node:http'
import path from 'node:path'
import { afterEach, expect, it } from 'vitest'
import type { HomeSetup } from '../../../src/main/home/home-setup'
import { LibraryKey } from '../../../src/shared/model/conversation/conversation'
import { openTestHome, placesIn, testSettings } from '../../support/home'
import { chunk, eventStream, rawServer } from '../../support/raw-server'
import { tempFolders } from '../../support/temp-folder'

const folder = tempFolders()
const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

function history(name: string, ...files: readonly string[]) {
  const root = path.join(folder(name), 'history')
  fs.mkdirSync(root)
  for (const file of files)
    fs.writeFileSync(path.join(root, `${file}.jsonl`), '{"role":"user","content":"tulips?"}\n')
  return { source: 'cycod' as const, path: root }
}

/** A home whose model answers when `answer` is called. */
async function home(roots: HomeSetup['roots']) {
  const root = folder('home')
  let response: ServerResponse | undefined
  const server = await rawServer((opened) => {
    response = opened
    opened.writeHead(200, { 'content-type': 'text/event-stream' })
    opened.write(eventStream(chunk({ content: 'Fifteen ' })))
  })
  const phases: string[] = []
  const changed: string[] = []
  const notes: string[] = []
  const session = await openTestHome(root, {
    roots,
    settings: await testSettings(placesIn(root), server.url),
    events: {
      conversationsChanged: ({ conversations }) =>
        void changed.push(...conversations.map(({ key }) => key)),
      runChanged: ({ phase }) => void phases.push(phase),
    },
    note: (words) => notes.push(words),
  })
  closers.push(() => session.close(), server.close)
  return {
    session,
    phases,
    changed,
    notes,
    isAsked: () => response !== undefined,
    answer: () => response?.end(eventStream(chunk({ content: 'centimetres.' }, 'stop'), '[DONE]')),
    keys: async () =>
      (await session.library.list(undefined, 100)).conversations.map(({ key }) => key).sort(),
  }
}

it('reads other roots from one moment to the next, and nothing of those that went', async () => {
  const first = history('first', 'chat-history-1')
  const second = history('second', 'chat-history-2')
  const { session, keys, notes } = await home([first])
  expect(await keys()).toEqual(['cycod:chat-history-1'])
  session.reopen([first, second])
  expect(await keys()).toEqual(['cycod:chat-history-1', 'cycod:chat-history-2'])
  session.reopen([second])
  expect(await keys()).toEqual(['cycod:chat-history-2'])
  const gone = LibraryKey.parse('cycod:chat-history-1')
  expect(await session.histories.find(gone)).toBeUndefined()
  await expect(session.transcripts.page(gone, 'end', 10)).rejects.toMatchObject({
    code: 'not-found',
  })
  expect(notes).toEqual([])
})

it('lets a run go on to its end when other roots are read meanwhile', async () => {
  const { session, phases, isAsked, answer, keys } = await home([history('first')])
  const key = LibraryKey.parse('garden')
  await session.runs.start({ context: key, text: 'How deep?', create: true })
  await expect.poll(isAsked).toBe(true)
  const second = history('second', 'chat-history-2')
  session.reopen([second])
  expect(await keys()).toEqual(['cycod:chat-history-2', 'garden'])
  expect(session.runs.isRunning(key)).toBe(true)
  answer()
  await expect.poll(() => phases.at(-1)).toBe('complete')
  const { rows } = await session.transcripts.page(key, 'end', 10)
  const texts = rows.map((row) => (row.type === 'entry' ? row.entry.content : ''))
  expect(texts.slice(-2)).toEqual(['How deep?', 'Fifteen centimetres.'])
})

it('tells only what the roots that are read now hold', async () => {
  const first = history('first')
  const { session, keys, changed } = await home([first])
  await keys()
  const second = history('second', 'chat-history-2')
  session.reopen([second])
  await keys()
  fs.writeFileSync(path.join(first.path, 'chat-history-9.jsonl'), '{"role":"user","content":"x"}\n')
  fs.writeFileSync(
    path.join(second.path, 'chat-history-8.jsonl'),
    '{"role":"user","content":"x"}\n',
  )
  await expect.poll(() => changed).toContain('cycod:chat-history-8')
  expect(changed).not.toContain('cycod:chat-history-9')
})
