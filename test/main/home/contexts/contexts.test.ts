import fs from 'node:fs'
import path from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { openBusyContexts } from '../../../../src/main/home/contexts/busy-contexts'
import { openHomeContexts } from '../../../../src/main/home/contexts/contexts'
import { contextsHandlers } from '../../../../src/main/ipc/handlers/contexts'
import { type Library, openLibrary } from '../../../../src/main/library/library'
import { openStore } from '../../../../src/main/store/open-store'
import { noHooks } from '../../../../src/main/tools/hooks/hooks'
import { notesTools } from '../../../../src/main/tools/notes'
import { contextsContract as contract } from '../../../../src/shared/ipc/conversations/contexts'
import {
  type ConversationSummary,
  LibraryKey,
} from '../../../../src/shared/model/conversation/conversation'
import { message } from '../../../support/entries'
import { tempFolders } from '../../../support/temp-folder'

const temp = tempFolders()
const ends: (() => void | Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

const garden = LibraryKey.parse('garden')

/** The calls over a home with one context, and what a window would know of its list. */
async function domain(running: ReadonlySet<string> = new Set()) {
  const [home, trash] = [path.join(temp(), 'home'), temp()]
  const store = openStore({ home, disk: nodeDisk })
  const writer = await store.openWriter('garden', { create: true })
  await writer.append(message('How do I prune roses?'))
  await writer.close()
  const rows = new Map<string, ConversationSummary>()
  const library: Library = openLibrary({
    disk: nodeDisk,
    store,
    shownHome: '~/.chibi',
    isRunning: (key) => running.has(key),
    changed({ conversations, gone }) {
      for (const row of conversations) rows.set(row.key, row)
      for (const key of gone) rows.delete(key)
    },
    watched: false,
  })
  ends.push(() => library.close())
  for (const row of (await library.list(undefined, 100)).conversations) rows.set(row.key, row)
  const told: [string, unknown][] = []
  const tell = (name: string) => (payload: unknown) => void told.push([name, payload])
  const contexts = openHomeContexts({
    store,
    busy: openBusyContexts((key) => library.refresh(key)),
    hooks: noHooks,
    runs: {
      isRunning: (name) => running.has(name),
      released: async () => undefined,
      start: async () => Promise.reject(new Error('nothing is started here')),
    },
    events: {
      renamed: tell('renamed'),
      destroyed: tell('destroyed'),
      archivedChanged: tell('archivedChanged'),
      notesChanged: tell('notesChanged'),
    },
    changed: (key) => library.refresh(key),
    async left(key) {
      await library.refresh(key)
      await library.forget(key)
    },
  })
  const handlers = contextsHandlers(
    () => ({ contexts }),
    async (folder) => fs.renameSync(folder, path.join(trash, path.basename(folder))),
  )
  ends.push(contexts.close)
  return { home, trash, store, handlers, told, rows }
}

it('a context that is renamed stands in the list once, under its new name', async () => {
  const { handlers, told, rows } = await domain()
  const { key } = contract.rename.result.parse(
    await handlers.rename({ key: garden, to: 'allotment' }),
  )
  expect(key).toBe('allotment')
  expect([...rows.keys()]).toEqual(['allotment'])
  expect(rows.get('allotment')?.gone).toBe(undefined)
  expect(told[0]).toEqual(['renamed', { from: 'garden', to: 'allotment' }])
  expect(contract.renamed.payload.parse(told[0]?.[1])).toBeTruthy()
})

it('one that is in the trash is not listed as gone', async () => {
  const { handlers, told, rows, trash } = await domain()
  await handlers.setArchived({ key: garden, archived: true })
  expect(await handlers.archived()).toEqual(['garden'])
  await handlers.destroy({ key: garden })
  expect(fs.readdirSync(trash)).toEqual(['garden'])
  expect([...rows.keys()]).toEqual([])
  expect(told).toContainEqual(['destroyed', { key: 'garden' }])
  expect(told.at(-1)).toEqual(['archivedChanged', []])
})

it('nothing as a whole is done while an answer is being written, but archiving', async () => {
  const { handlers, rows } = await domain(new Set(['garden']))
  for (const act of [
    () => handlers.rename({ key: garden, to: 'allotment' }),
    () => handlers.clear({ key: garden, page: false }),
    () => handlers.destroy({ key: garden }),
  ])
    await expect(act()).rejects.toMatchObject({
      code: 'busy',
      message: 'An answer is being written in "garden". Stop it first.',
    })
  await handlers.setArchived({ key: garden, archived: true })
  expect([...rows.keys()]).toEqual(['garden'])
})

it("another system's conversation is refused", async () => {
  const { handlers } = await domain()
  const key = LibraryKey.parse('cycod:chat-history-1')
  await expect(handlers.destroy({ key })).rejects.toMatchObject({ code: 'bad-argument' })
  await expect(handlers.writePrompt({ key, text: 'x', before: null })).rejects.toMatchObject({
    code: 'bad-argument',
  })
  expect(await handlers.watchNotes({ key })).toBe(null)
})

it('makes one, clears it, and keeps its prompt', async () => {
  const { home, handlers, rows } = await domain()
  expect(await handlers.create({ name: 'kitchen' })).toEqual({ key: 'kitchen' })
  await expect(handlers.create({ name: 'kitchen' })).rejects.toMatchObject({ code: 'exists' })
  expect([...rows.keys()].sort()).toEqual(['garden', 'kitchen'])
  expect(await handlers.clear({ key: garden, page: false })).toEqual({ cleared: true, messages: 1 })
  fs.mkdirSync(path.join(home, 'prompts'))
  fs.writeFileSync(path.join(home, 'prompts/chibi.md'), 'You tend gardens.')
  const prompt = { own: null, home: 'You tend gardens.' }
  expect(await handlers.readPrompt({ key: garden })).toEqual(prompt)
  await handlers.writePrompt({ key: garden, text: 'Be terse.', before: null })
  expect(await handlers.readPrompt({ key: garden })).toEqual({ own: 'Be terse.', home: null })
  await handlers.writePrompt({ key: garden, text: null, before: 'Be terse.' })
  expect(await handlers.readPrompt({ key: garden })).toEqual(prompt)
})

it('tells the notes when a tool has written them, of the context on the screen alone', async () => {
  const { home, handlers, told, store } = await domain()
  expect(await handlers.watchNotes({ key: garden })).toEqual({
    key: 'garden',
    todos: null,
    goals: null,
  })
  const [updateTodos] = notesTools({
    disk: nodeDisk,
    home,
    context: 'garden',
    reflectionLimitBytes: 10_000,
  })
  await updateTodos?.run({ content: '- [ ] prune' }, new AbortController().signal)
  await expect
    .poll(() => told)
    .toContainEqual(['notesChanged', { key: 'garden', todos: '- [ ] prune', goals: null }])
  await handlers.writeNote({ key: garden, note: 'goals', text: 'roses', before: null })
  await expect.poll(() => told.at(-1)?.[1]).toMatchObject({ goals: 'roses' })
  await handlers.watchNotes({ key: null })
  const before = told.length
  let seen = 0
  ends.push(store.watch('garden', () => seen++))
  // Whoever watched since before the first of these would have been told when the second is.
  for (const [was, text] of [
    ['roses', 'tulips'],
    ['tulips', 'crocuses'],
  ] as const) {
    const seenBefore = seen
    await handlers.writeNote({ key: garden, note: 'goals', text, before: was })
    await expect.poll(() => seen).toBeGreaterThan(seenBefore)
  }
  expect(told).toHaveLength(before)
})
