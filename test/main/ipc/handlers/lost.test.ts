import fs from 'node:fs/promises'
import path from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { lostHandlers } from '../../../../src/main/ipc/handlers/lost'
import { type Library, openLibrary } from '../../../../src/main/library/library'
import type { LibraryRowChange } from '../../../../src/main/library/list/change-feed'
import { openHistories } from '../../../../src/main/library/sources/histories'
import { openTranscripts } from '../../../../src/main/library/sources/library-transcripts'
import { openStore } from '../../../../src/main/store/open-store'
import { lostContract } from '../../../../src/shared/ipc/conversations/lost'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import { tempFolders } from '../../../support/temp-folder'

const folder = tempFolders()
const opened: Library[] = []
afterEach(async () => {
  for (const library of opened.splice(0)) await library.close()
})

const chat = LibraryKey.parse('cycod:chat-history-1754437000000')
const good = '{"role":"user","content":"How deep do tulips go?"}'
const bad = ['{"role":"user" "content":1}', 'no JSON \u001b[31m', '{"role":']

/** The calls over one conversation of cycod: a good line, then these; the last one has no line feed. */
async function handlersOf(lines: readonly string[]) {
  const root = path.join(folder(), 'cycod')
  await fs.mkdir(path.join(root, 'history'), { recursive: true })
  const file = path.join(root, 'history', 'chat-history-1754437000000.jsonl')
  await fs.writeFile(file, [good, ...lines].join('\n'))
  const store = openStore({ home: path.join(folder(), 'home'), disk: nodeDisk })
  const histories = openHistories(nodeDisk, [{ source: 'cycod', path: root }])
  const changes: LibraryRowChange[] = []
  const library = openLibrary({
    disk: nodeDisk,
    store,
    shownHome: '~/.chibi',
    histories,
    isRunning: () => false,
    changed: (change) => changes.push(change),
    watched: false,
  })
  opened.push(library)
  const transcripts = openTranscripts({ disk: nodeDisk, store, histories })
  return { file, library, changes, handlers: lostHandlers(() => ({ library, transcripts })) }
}

it('gives the damaged lines of a conversation: where each stands, and its bytes', async () => {
  const { handlers } = await handlersOf(bad)

  const { lines, total } = lostContract.lines.result.parse(
    await handlers.lines({ key: chat, limit: 1000 }),
  )

  // By hand: a line begins after all before it and their line feeds.
  const starts = bad.map((_, index) =>
    [good, ...bad.slice(0, index)].reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0),
  )
  expect(total).toBe(3)
  expect(
    lines.map(({ line, offset, length, bytes }) => [
      line,
      offset,
      length,
      Buffer.from(bytes, 'base64').toString(),
    ]),
  ).toEqual(bad.map((text, index) => [index + 2, starts[index], Buffer.byteLength(text), text]))
  expect(lines.map(({ torn = false }) => torn)).toEqual([false, false, true])
  expect(lines.every(({ reason }) => reason !== '')).toBe(true)
})

it('gives the first of many, and says how many there are', async () => {
  const { handlers } = await handlersOf(Array.from({ length: 50 }, (_, n) => `bad ${n}`))

  const { lines, total } = await handlers.lines({ key: chat, limit: 7 })

  expect([lines.length, total, lines[0]?.line, lines.at(-1)?.line]).toEqual([7, 50, 2, 8])
})

it('has no lines of a conversation that is not there', async () => {
  const { handlers } = await handlersOf([])
  const other = LibraryKey.parse('cycod:chat-history-1')
  await expect(handlers.lines({ key: other, limit: 1 })).rejects.toMatchObject({
    code: 'not-found',
  })
})

it('lists what is lost as the contract has it, and forgets what is gone', async () => {
  const { handlers, library, file, changes } = await handlersOf(bad)
  await library.all(true)
  expect(lostContract.list.result.parse(await handlers.list({ again: true }))).toMatchObject({
    items: [{ kind: 'damaged', source: 'cycod', key: chat, lines: 3 }],
    counted: 1,
    waiting: 0,
    large: 0,
  })

  await fs.rm(file)
  await library.all(false)
  expect((await handlers.list({ again: true })).items).toMatchObject([{ kind: 'gone', key: chat }])
  await handlers.forget({ key: chat })

  expect(changes.at(-1)).toEqual({ conversations: [], gone: [chat] })
  expect(await handlers.list({ again: true })).toEqual({
    items: [],
    counted: 0,
    waiting: 0,
    large: 0,
  })
})
