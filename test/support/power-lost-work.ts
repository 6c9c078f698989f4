import { expect } from 'vitest'
import { moveToTrash } from '../../src/main/disk/writing/trash'
import { openBranching } from '../../src/main/library/branch/branching'
import { openHistories } from '../../src/main/library/sources/histories'
import { readUnit } from '../../src/main/readers/read-root'
import { compactWindow } from '../../src/main/store/context-window'
import { defaultRotationPolicy } from '../../src/main/store/core/manifest'
import {
  inboxPaths,
  messageKey,
  readWaitingMessages,
  removeDeliveredMessages,
} from '../../src/main/store/inbox/inbox-delivery'
import { openStore } from '../../src/main/store/open-store'
import type { Store, TranscriptWriter } from '../../src/main/store/store'
import { keepImages } from '../../src/main/store/texts/attachments'
import { inboxSender } from '../../src/main/tools/messages'
import { type LibraryKey, libraryKeyOf } from '../../src/shared/model/conversation/conversation'
import type { Entry } from '../../src/shared/model/conversation/entry'
import { requireWhole } from '../../src/shared/model/conversation/reading'
import { message } from './entries'
import type { ForgetfulDisk } from './forgetful-disk'

export const user = '/user'
export const home = '/user/.chibi'
export const garden = `${home}/contexts/garden`

/** When it begins; locks and gates of then are old by the clock that the program looks at. */
export const startMs = 1_750_000_000_000
const startSeconds = startMs / 1000
/** When the next process comes; then when the power is back. Locks of before are stale. */
export const nextMs = startMs + 120_000
export const laterMs = startMs + 240_000

/** A disk with the clock of who works on it. */
export interface Place {
  readonly disk: ForgetfulDisk
  readonly now: () => number
}

/** What a process was told to be durable before it stopped. */
export interface Told {
  readonly entries: Entry[]
  /** What else was done, by names that an operation gives. */
  readonly done: Set<string>
}

/** Something that writes, until the power goes. */
export interface Operation {
  readonly name: string
  /** So many entries make a partition. */
  readonly maxEntries?: number
  /** Makes what is durable when it begins. */
  readonly begin?: (place: Place) => Promise<void>
  readonly run: (place: Place, told: Told) => Promise<void>
  /** What another process does where the first was killed, before the power goes; it appends an entry where this is absent. */
  readonly next?: (place: Place, told: Told) => Promise<void>
  /** Names under which the context may be; those that are there are read and written to. */
  readonly contexts?: readonly string[]
  /** Looks at what it made. */
  readonly check?: (place: Place, told: Told) => Promise<void>
}

export function storeOf({ disk, now }: Place, maxEntries = 1000, at = home): Store {
  const storagePolicy = async () => ({ ...defaultRotationPolicy, maxEntries })
  return openStore({ home: at, disk, now, storagePolicy })
}

/** Notes an entry, or what else was done, unless the machine has stopped meanwhile. */
export function tell({ disk }: Place, told: Told, what: Entry | string): void {
  if (disk.hasStopped()) return
  if (typeof what === 'string') told.done.add(what)
  else told.entries.push(what)
}

export async function entriesIn(store: Store, name: string): Promise<Entry[]> {
  const entries: Entry[] = []
  for await (const row of requireWhole((await store.readWhole(name)).rows))
    if (row.type === 'entry') entries.push(row.entry)
  return entries
}

/** Appends, and does something behind the first entry. */
async function appending(
  place: Place,
  told: Told,
  texts: readonly string[],
  maxEntries?: number,
  meanwhile: (writer: TranscriptWriter) => Promise<void> = async () => {},
): Promise<void> {
  const writer = await storeOf(place, maxEntries).openWriter('garden', { create: false })
  try {
    for (const [at, text] of texts.entries()) {
      // Longer than a sector: a write can be torn in the middle.
      const long = `${text} ${'of a long day in the garden '.repeat(at % 2 === 0 ? 30 : 1)}`
      const draft = message(long, { timestamp: Math.floor(place.now() / 1000) })
      tell(place, told, (await writer.append(draft)).entry)
      if (at === 0) await meanwhile(writer)
    }
  } finally {
    await writer.close()
  }
}

/** A context with two entries and a summary. */
export async function withGarden(place: Place): Promise<void> {
  const writer = await storeOf(place).openWriter('garden', { create: true })
  for (const text of ['one', 'two']) await writer.append(message(text, { timestamp: startSeconds }))
  await writer.close()
  place.disk.put(`${garden}/summary.md`, 'Of earlier days.')
}

function compacting(name: string, summary: string, replacesSummary: boolean, keeps: boolean) {
  const run: Operation['run'] = (place, told) =>
    appending(place, told, ['first', 'second'], undefined, async (writer) => {
      const window = await writer.window('refuse')
      const kept = keeps ? window.slice(-1).map(({ id }) => id) : []
      const wish = { summary, replacesSummary, kept, metadata: {} }
      const scope = { disk: place.disk, home, writer, now: place.now }
      tell(place, told, await compactWindow(scope, wish))
      tell(place, told, 'compacted')
    })
  const check: Operation['check'] = async ({ disk }, { done }) => {
    const text = String(disk.files().get(`${garden}/summary.md`))
    expect(['Of earlier days.', summary]).toContain(text)
    if (done.has('compacted') && replacesSummary) expect(text).toBe(summary)
  }
  return { name, begin: withGarden, run, check }
}

async function branchingOf(place: Place, key: LibraryKey, at: (store: Store) => Promise<Entry>) {
  const { disk, now } = place
  const store = storeOf(place, 3)
  const branches = openBranching({
    store,
    disk,
    now,
    histories: openHistories(disk, adoptedFrom),
    ask: () => Promise.reject(new Error('nobody is asked')),
    created: async () => {},
  })
  const { id, file, offset } = await at(store)
  return branches.create(key, { entry: id, file, offset }, { type: 'branch' })
}

/** Whatever contexts there are besides the garden, each is a whole copy. */
async function expectWholeCopies(place: Place, told: Told, contents: readonly string[]) {
  const store = storeOf(place)
  const names = (await store.listContexts()).map(({ name }) => name)
  const copies = names.filter((name) => name !== 'garden')
  if (told.done.has('made')) expect(copies).toHaveLength(1)
  for (const name of copies) {
    const found = (await entriesIn(store, name)).map(({ content }) => content)
    expect(found.slice(0, contents.length)).toEqual(contents)
  }
}

const history = '/user/.cycod/history/chat-history-1750000000000.jsonl'
const historyText = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'What grows in shade?' },
  { role: 'assistant', content: 'Ferns.' },
]
  .map((line) => `${JSON.stringify(line)}\n`)
  .join('')
const adoptedContents = ['Context created', 'Be brief.', 'What grows in shade?', 'Ferns.']
const adoptedFrom = [{ source: 'cycod' as const, path: '/user/.cycod/history' }]

const textOperation: Operation = {
  name: 'texts of a context',
  begin: withGarden,
  async run(place, told) {
    const { contexts } = storeOf(place)
    await contexts.writeText('garden', 'todos.md', '- water', null)
    tell(place, told, 'todos')
    await contexts.writeText('garden', 'todos.md', '- water\n- weed', '- water')
    tell(place, told, 'more todos')
  },
  async check(place, { done }) {
    const text = await storeOf(place).contexts.readText('garden', 'todos.md')
    const may = [null, '- water', '- water\n- weed']
    expect(may.slice(done.has('more todos') ? 2 : done.has('todos') ? 1 : 0)).toContain(text)
  },
}

const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

/** Everything that a store does. */
export const storeOperations: readonly Operation[] = [
  {
    name: 'create',
    async run(place, told) {
      const writer = await storeOf(place).openWriter('garden', { create: true })
      try {
        tell(place, told, 'made')
        const draft = message('one', { timestamp: startSeconds })
        tell(place, told, (await writer.append(draft)).entry)
      } finally {
        await writer.close()
      }
    },
    async next(place, told) {
      const store = storeOf(place)
      const writer = await store
        .openWriter('garden', { create: true })
        .catch(() => store.openWriter('garden', { create: false }))
      tell(place, told, 'made')
      tell(
        place,
        told,
        (await writer.append(message('of the next', { timestamp: startSeconds }))).entry,
      )
      await writer.close()
    },
    async check(place, { done }) {
      const names = (await storeOf(place).listContexts()).map(({ name }) => name)
      if (done.has('made')) expect(names).toContain('garden')
    },
  },
  {
    name: 'append',
    begin: withGarden,
    run: (place, told) => appending(place, told, ['first', 'second']),
  },
  {
    name: 'append, with an answer on its way',
    begin: withGarden,
    async run(place, told) {
      const writer = await storeOf(place).openWriter('garden', { create: false })
      try {
        const draft = message('', { timestamp: startSeconds })
        const partial = await writer.startPartial(draft)
        partial.update('Half an answer')
        await expect
          .poll(
            () =>
              place.disk.files().has(`${garden}/partial.skein.jsonl`) || place.disk.hasStopped(),
          )
          .toBe(true)
        tell(place, told, (await writer.append({ ...draft, content: 'A whole answer' })).entry)
        await partial.discard()
      } finally {
        await writer.close()
      }
    },
  },
  {
    name: 'rotate',
    maxEntries: 4,
    begin: withGarden,
    run: (place, told) => appending(place, told, ['first', 'second', 'third'], 4),
  },
  compacting('compact, all', 'All of it.', true, false),
  compacting('compact, a part', 'Most of it.', true, true),
  compacting('compact, no summary', '3 messages.', false, false),
  {
    name: 'clear',
    begin: withGarden,
    async run(place, told) {
      const { cleared } = await storeOf(place).contexts.clear('garden', { withPage: true })
      if (cleared) tell(place, told, 'cleared')
    },
    async check(place, { done }) {
      const anchors = (await entriesIn(storeOf(place), 'garden')).filter(
        ({ entry_type: type }) => type === 'archival',
      )
      expect(anchors.length).toBeLessThanOrEqual(1)
      const [summary] = anchors.map(({ metadata }) => metadata?.cleared_summary)
      if (!done.has('cleared')) return
      expect(summary).toBe('Of earlier days.')
      expect(String(place.disk.files().get(`${garden}/transcript.md`))).toContain('[USER]: two')
    },
  },
  {
    name: 'archive',
    begin: withGarden,
    async run(place, told) {
      await storeOf(place).contexts.setArchived('garden', true)
      tell(place, told, 'archived')
    },
    async check(place, { done }) {
      if (done.has('archived')) expect(await storeOf(place).contexts.archived()).toEqual(['garden'])
    },
  },
  {
    name: 'rename',
    begin: withGarden,
    contexts: ['garden', 'allotment'],
    async run(place, told) {
      await storeOf(place).contexts.rename('garden', 'allotment')
      tell(place, told, 'renamed')
    },
    async next(place, told) {
      const store = storeOf(place)
      const [listing] = await store.listContexts()
      if (listing === undefined) throw new Error('both names are gone')
      const writer = await store.openWriter(listing.name, { create: false })
      tell(place, told, (await writer.append(message('next', { timestamp: startSeconds }))).entry)
      await writer.close()
    },
    async check(place, { done }) {
      const names = (await storeOf(place).listContexts()).map(({ name }) => name)
      expect(names).toHaveLength(1)
      if (done.has('renamed')) expect(names).toEqual(['allotment'])
    },
  },
  {
    name: 'remove',
    begin: withGarden,
    contexts: ['garden'],
    async run(place, told) {
      const { disk } = place
      const trash = { platform: 'linux', user, now: new Date(startMs) }
      await storeOf(place).contexts.destroy('garden', async (folder) => {
        await moveToTrash(disk, folder, trash)
      })
      tell(place, told, 'removed')
    },
    async next() {},
    async check({ disk }) {
      const kept = [...disk.files()].filter(([file]) => file.endsWith('transcript/active.jsonl'))
      expect(kept.map(([, bytes]) => String(bytes)).join()).toMatch(/"two"/)
      const trashed = kept.filter(([file]) => file.includes('/Trash/files/'))
      for (const [file] of trashed)
        expect(
          disk.files().has(`${user}/.local/share/Trash/info/${file.split('/')[6]}.trashinfo`),
        ).toBe(true)
    },
  },
  {
    name: 'branch',
    begin: withGarden,
    async run(place, told) {
      const last = async (store: Store) => {
        const entry = (await entriesIn(store, 'garden')).at(-1)
        if (entry === undefined) throw new Error('nothing to branch from')
        return entry
      }
      await branchingOf(place, libraryKeyOf('chibi', 'garden'), last)
      tell(place, told, 'made')
    },
    check: (place, told) => expectWholeCopies(place, told, ['Context created', 'one', 'two']),
  },
  {
    name: 'adopt',
    async begin(place) {
      await withGarden(place)
      place.disk.put(history, historyText)
    },
    async run(place, told) {
      const { disk } = place
      const [found] = await openHistories(disk, adoptedFrom).list()
      if (found === undefined) throw new Error('no history')
      const { signal } = new AbortController()
      const { conversations } = await readUnit(found.reader, found.ref, disk, signal)
      const last = conversations[0]?.entries.at(-1)
      if (last === undefined) throw new Error('nothing to branch from')
      await branchingOf(place, found.key, async () => last)
      tell(place, told, 'made')
    },
    async check(place, told) {
      expect(String(place.disk.files().get(history))).toBe(historyText)
      await expectWholeCopies(place, told, adoptedContents)
    },
  },
  textOperation,
  {
    name: 'messages of an inbox',
    begin: withGarden,
    async run(place, told) {
      const { disk, now } = place
      const send = inboxSender(disk, home, now)
      const sending = async (content: string) => {
        await send({ from: 'shed', to: 'garden', content }, new AbortController().signal)
        tell(place, told, content)
      }
      await sending('Frost.')
      const paths = inboxPaths(home, 'garden')
      const { messages } = await readWaitingMessages(disk, paths)
      await appending(place, told, ['[From: shed] Frost.'])
      tell(place, told, 'delivering')
      await removeDeliveredMessages(disk, paths, new Set(messages.map(messageKey)))
      tell(place, told, 'delivered')
      await sending('Hail.')
    },
    async check({ disk }, { done }) {
      const { messages, damaged } = await readWaitingMessages(disk, inboxPaths(home, 'garden'))
      const contents = messages.map(({ content }) => content)
      expect(contents.length).toBe(new Set(contents).size)
      if (done.has('Frost.') && !done.has('delivering')) expect(contents).toContain('Frost.')
      if (done.has('delivered')) expect(contents).not.toContain('Frost.')
      if (done.has('Hail.')) expect(contents).toContain('Hail.')
      void damaged
    },
  },
  {
    name: 'images',
    begin: withGarden,
    async run(place, told) {
      const { disk } = place
      const kept = await keepImages({ disk, home, context: 'garden' }, [
        { name: 'a.png', bytes: png },
      ])
      for (const { file } of kept) tell(place, told, file)
    },
    async check({ disk }, { done }) {
      for (const file of done) expect(disk.files().get(`${garden}/${file}`)).toEqual(png)
    },
  },
  {
    name: 'migrate lines',
    async begin({ disk }) {
      const lines = ['one', 'two'].map((text) => `${JSON.stringify(message(text))}\n`)
      disk.put(`${garden}/transcript.jsonl`, lines.join(''))
    },
    run: (place, told) => appending(place, told, ['first']),
  },
  {
    name: 'migrate a document',
    async begin({ disk }) {
      const messages = ['one', 'two'].map((content) => ({ role: 'user', content }))
      const document = { name: 'garden', messages, created_at: startSeconds, summary: 'Old.' }
      disk.put(`${garden}/context.json`, JSON.stringify(document))
    },
    run: (place, told) => appending(place, told, ['first']),
  },
  {
    name: 'a damaged manifest and a damaged state.json',
    maxEntries: 4,
    async begin(place) {
      await withGarden(place)
      await appending(place, { entries: [], done: new Set() }, ['early', 'late'], 3)
      place.disk.put(`${garden}/transcript/manifest.json`, '{"damaged')
      place.disk.put(`${home}/state.json`, '{"damaged')
    },
    run: (place, told) => appending(place, told, ['first'], 4),
    async check({ disk }) {
      const kept = [...disk.files().values()].filter((bytes) => String(bytes) === '{"damaged')
      expect(kept.length).toBeGreaterThanOrEqual(2)
    },
  },
  {
    name: 'lines that only context.jsonl has',
    async begin(place) {
      await withGarden(place)
      const lines = ['one', 'two', 'three'].map((text) => `${JSON.stringify(message(text))}\n`)
      place.disk.put(`${garden}/context.jsonl`, lines.join(''))
      place.disk.put(`${garden}/.dirty`, '')
    },
    run: (place, told) => appending(place, told, ['first']),
    async check(place) {
      const contents = (await entriesIn(storeOf(place), 'garden')).map(({ content }) => content)
      expect(contents.filter((content) => content === 'three')).toHaveLength(1)
    },
  },
]
