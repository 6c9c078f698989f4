import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { type Disk, DiskError } from '../../../../src/main/disk/interface/disk'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { openBranching } from '../../../../src/main/library/branch/branching'
import { openFamilies } from '../../../../src/main/library/families/families'
import { openHistories } from '../../../../src/main/library/sources/histories'
import type { ChatMessage } from '../../../../src/main/llm/chat/provider'
import { toChatMessages } from '../../../../src/main/llm/prompt/messages'
import { readEntryImages } from '../../../../src/main/llm/request/images'
import type { SourceRef } from '../../../../src/main/readers/common/reader'
import { cycodReader } from '../../../../src/main/readers/cycod/cycod'
import { readUnit } from '../../../../src/main/readers/read-root'
import { openStore } from '../../../../src/main/store/open-store'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import { type Entry, EntryId, speakerOf } from '../../../../src/shared/model/conversation/entry'
import { readingOf, requireWhole } from '../../../../src/shared/model/conversation/reading'
import { contextOrigin } from '../../../../src/shared/model/family/family'
import { message } from '../../../support/entries'
import { tempFolders } from '../../../support/temp-folder'

const temp = tempFolders()
const fixtures = [
  'readers/cycod/input',
  'branches/cycod-family',
  'branches/cycod-without-tools',
].map((name) => path.join(__dirname, '../../../fixtures', name))
const nowSeconds = 1_780_000_000

function setUp(root: string) {
  const home = path.join(temp(), 'home')
  const store = openStore({ home, disk: nodeDisk, now: () => nowSeconds * 1000 })
  const roots = [{ source: 'cycod' as const, path: root }]
  const histories = openHistories(nodeDisk, roots)
  const branching = openBranching({
    store,
    histories,
    disk: nodeDisk,
    ask: () => Promise.reject(new Error('nobody is asked')),
    created: async () => undefined,
    now: () => nowSeconds * 1000,
  })
  const entriesOf = async (name: string): Promise<readonly Entry[]> => {
    const entries: Entry[] = []
    for await (const row of requireWhole((await store.readWhole(name)).rows))
      if (row.type === 'entry') entries.push(row.entry)
    return entries
  }
  return { home, store, roots, histories, branching, entriesOf }
}

/** Bytes and times of everything under a folder. */
function state(root: string) {
  return fs
    .readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(root, name))
    .filter((file) => fs.statSync(file).isFile())
    .map((file) => [file, fs.readFileSync(file).toString('base64'), fs.statSync(file).mtimeMs])
}

/** What a message says; undefined for calls. */
function textOf(sent: ChatMessage): string | undefined {
  return 'content' in sent ? sent.content : undefined
}

/** A folder with one cycod file of these messages. */
function cycodFolder(lines: readonly object[], name = 'chat-history-1754437000000'): string {
  const root = temp()
  fs.mkdirSync(path.join(root, 'history'))
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  fs.writeFileSync(path.join(root, 'history', `${name}.jsonl`), text)
  return root
}

const key = LibraryKey.parse('cycod:chat-history-1754437000000')
const signal = new AbortController().signal

async function entriesThere(histories: ReturnType<typeof setUp>['histories']) {
  const history = await histories.find(key)
  if (history === undefined) throw new Error('nothing is there')
  const { conversations } = await readUnit(history.reader, history.ref, nodeDisk, signal)
  return conversations[0]?.entries ?? []
}

/** The id that a copy's original has. */
function originalOf(entry: Entry): string {
  const adopted = entry.metadata?.adopted as { readonly entry: string } | undefined
  return adopted?.entry ?? ''
}

function at(entry: Entry | undefined) {
  if (entry === undefined) throw new Error('no such entry')
  return { entry: entry.id, file: entry.file, offset: entry.offset }
}

it.each(fixtures)(
  'every conversation of %s can be adopted whole, and stays as it is',
  async (root) => {
    const copy = temp()
    fs.cpSync(root, copy, { recursive: true, preserveTimestamps: true })
    const before = state(copy)
    const { branching, histories, entriesOf } = setUp(copy)
    let adopted = 0
    for (const history of await histories.list()) {
      const { conversations } = await readUnit(history.reader, history.ref, nodeDisk, signal)
      const entries = conversations[0]?.entries ?? []
      const last = entries.at(-1)
      if (last === undefined) continue
      const made = await branching.create(history.key, at(last), { type: 'branch' })
      const [anchor, ...copies] = await entriesOf(made.key)
      adopted += 1
      expect(anchor && contextOrigin(anchor)).toEqual({
        source: 'cycod',
        key: history.ref.key,
        entry: last.id,
        entries: entries.length,
      })
      const byOriginal = new Map(copies.map((entry) => [originalOf(entry), entry]))
      expect(copies).toHaveLength(entries.length)
      for (const entry of entries) {
        const twin = byOriginal.get(entry.id)
        expect(twin?.content).toBe(entry.content)
        expect(twin?.tool_call_id).toBe(entry.tool_call_id)
        expect(twin?.metadata).toMatchObject(entry.metadata ?? {})
        if (twin?.entry_type !== 'system_prompt_changed') {
          expect(twin?.entry_type).toBe(entry.entry_type)
          expect(twin && speakerOf(twin)).toBe(speakerOf(entry))
        }
        expect(twin?.id).toMatch(/^[0-9a-f-]{36}$/)
        expect(Number.isInteger(twin?.timestamp)).toBe(true)
      }
      expect(made.report?.entries).toBe(entries.length)
      const { kept = 0, flattened = 0, dropped = 0 } = made.report ?? {}
      expect(kept + flattened + dropped).toBe(entries.length)
    }
    expect(adopted).toBeGreaterThan(0)
    expect(state(copy)).toEqual(before)
  },
)

it('maps speakers to chibi’s, the prompt to the context’s own, and says what became of what', async () => {
  const root = cycodFolder([
    { _meta: { title: 'Weeding, by hand' } },
    { role: 'system', content: 'Be terse.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'look' },
        { type: 'image_url', image_url: 'data:x' },
      ],
    },
    {
      role: 'assistant',
      tool_calls: [{ id: 'call_1', function: { name: 'Search', arguments: '{}' } }],
      content: 'Let me see.',
    },
    { role: 'tool', tool_call_id: 'call_1', content: 'a weed' },
    { role: 'assistant', content: 'A weed.' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'call_2', function: { name: 'Pull', arguments: '{}' } }],
    },
  ])
  const { branching, histories, entriesOf, store } = setUp(root)
  const entries = await entriesThere(histories)
  const made = await branching.create(key, at(entries.at(-1)), { type: 'branch' })
  expect(made.key).toBe('weeding-by-hand')
  const copies = (await entriesOf(made.key)).slice(1)
  expect(
    copies.map((one) => [one.entry_type, one.from, one.to, one.role ?? '', one.content]),
  ).toEqual([
    ['system_prompt_changed', 'system', made.key, '', 'Be terse.'],
    ['message', 'user', made.key, 'user', 'look'],
    ['message', made.key, 'user', 'agent', 'Let me see.'],
    ['tool_call', made.key, 'Search', '', '{}'],
    ['tool_result', 'Search', made.key, '', 'a weed'],
    ['message', made.key, 'user', 'agent', 'A weed.'],
    ['tool_call', made.key, 'Pull', '', '{}'],
  ])
  expect(copies.every(({ timestamp }) => timestamp === 1_754_437_000)).toBe(true)
  expect(copies[2]?.metadata).toEqual({
    adopted: { entry: 'L4#2', timestamp: null, from: 'cycod' },
  })
  expect(made.report).toEqual({
    entries: 7,
    kept: 6,
    flattened: 1,
    dropped: 0,
    notes: [
      '1 system prompt is used as the prompt of the new context.',
      '7 entries had no time and got that of the entry before, or of the beginning.',
      '1 entry was put before the tool calls of the same line.',
      '1 entry has images or attachments that are not sent to the model; they are kept in the metadata.',
      '1 tool call has no result; the model gets a note that none was kept.',
      '1 line without a message was left out (such as the title).',
    ],
  })
  const notes = await store.readNotes(made.key)
  const writer = await store.openWriter(made.key, { create: false })
  const messages = toChatMessages(await writer.window('refuse'), { system: notes.systemPrompt })
  await writer.close()
  expect(messages.map((one) => [one.role, textOf(one)])).toEqual([
    ['system', 'Be terse.'],
    ['user', 'look'],
    // Words and the calls right behind them are one message, as the model said them.
    ['assistant', 'Let me see.'],
    ['tool', 'a weed'],
    ['assistant', 'A weed.'],
    ['tool', '(no result was kept)'],
  ])
})

it('tells an image that a message holds whole as sent, alone or with words, and one at an address as not', async () => {
  const bean = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }
  const away = { type: 'image_url', image_url: { url: 'https://a.example/bean.png' } }
  const root = cycodFolder([
    { role: 'user', content: [{ type: 'text', text: 'look' }, bean] },
    { role: 'assistant', content: 'A bean.' },
    { role: 'user', content: [bean] },
    { role: 'assistant', content: 'Again.' },
    { role: 'user', content: [{ type: 'text', text: 'and there' }, away] },
  ])
  const { branching, histories, store } = setUp(root)
  const entries = await entriesThere(histories)
  const made = await branching.create(key, at(entries.at(-1)), { type: 'branch' })
  expect(made.report).toMatchObject({ entries: 5, kept: 4, flattened: 1, dropped: 0 })
  expect(made.report?.notes.filter((words) => /image|no words/.test(words))).toEqual([
    '1 entry has images or attachments that are not sent to the model; they are kept in the metadata.',
  ])
  const writer = await store.openWriter(made.key, { create: false })
  const window = await writer.window('refuse')
  await writer.close()
  const messages = toChatMessages(window, {}, await readEntryImages(window, undefined))
  const shown = messages.flatMap((one) => ('images' in one ? [[one.content, one.images]] : []))
  expect(shown).toEqual([
    ['look', [bean.image_url.url]],
    ['', [bean.image_url.url]],
  ])
})

it('takes the results of a turn over with its calls, from any part of it', async () => {
  const root = cycodFolder([
    { role: 'user', content: 'look' },
    {
      role: 'assistant',
      content: 'Let me see.',
      tool_calls: ['1', '2'].map((id) => ({ id, function: { name: 'Search', arguments: id } })),
    },
    { role: 'tool', tool_call_id: '1', content: 'a' },
    { role: 'tool', tool_call_id: '2', content: 'b' },
    { role: 'user', content: 'more' },
  ])
  const { branching, histories, entriesOf } = setUp(root)
  const entries = await entriesThere(histories)
  for (const entry of entries.slice(2, 6)) {
    const made = await branching.create(key, at(entry), { type: 'branch' })
    expect((await entriesOf(made.key)).slice(1).map(({ content }) => content)).toEqual([
      'look',
      'Let me see.',
      '1',
      '2',
      'a',
      'b',
    ])
  }
})

it('an adopted branch stands in one family with its source, each with its own ids', async () => {
  const root = cycodFolder([
    { role: 'user', content: 'first question' },
    { role: 'assistant', content: 'first answer' },
    {
      role: 'assistant',
      content: 'Let me see.',
      tool_calls: [{ id: '1', function: { name: 'Search', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: '1', content: 'found' },
    { role: 'user', content: 'second question' },
  ])
  const { branching, histories, entriesOf, store, home, roots } = setUp(root)
  const entries = await entriesThere(histories)
  const made = await branching.create(key, at(entries[4]), { type: 'branch' })
  const writer = await store.openWriter(made.key, { create: false })
  const { entry: own } = await writer.append(message('another question'))
  await writer.close()
  const families = openFamilies({ home, roots, disk: nodeDisk, changed: () => undefined })
  await families.settled()
  const there = (await families.family(key)).view
  expect(there?.path).toEqual([
    { node: expect.any(String), firstEntry: 'L1', lastEntry: 'L4' },
    { node: expect.any(String), firstEntry: 'L5', lastEntry: 'L5' },
  ])
  expect(there?.forks.map(({ entry, index }) => [entry, index])).toEqual([['L5', 0]])
  expect(there?.forks[0]?.ways.map((way) => [way.key, way.entry])).toEqual([
    [key, 'L5'],
    [made.key, own.id],
  ])
  const here = (await families.family(made.key)).view
  const copies = await entriesOf(made.key)
  expect(here?.path.map(({ firstEntry, lastEntry }) => [firstEntry, lastEntry])).toEqual([
    [copies[1]?.id, copies[5]?.id],
    [own.id, own.id],
  ])
  await families.close()
})

it('does not say of a conversation that it is there no more where another folder of its system cannot be listed', async () => {
  const [root, other] = [cycodFolder([{ role: 'user', content: 'Hello' }]), temp()]
  const disk: Disk = {
    ...nodeDisk,
    list: (folder) =>
      folder.startsWith(other)
        ? Promise.reject(new DiskError('denied', folder, 'permission denied'))
        : nodeDisk.list(folder),
  }
  /** A history whose file has no conversation when it is read. */
  const emptied = {
    ...cycodReader,
    read: (ref: SourceRef) => readingOf(ref.key, (async function* () {})()),
  }
  const refusal = async (roots: readonly string[]) => {
    const places = roots.map((one) => ({ source: 'cycod' as const, path: one }))
    const histories = openHistories(disk, places, () => {}, [emptied])
    await histories.list()
    const branching = openBranching({
      store: openStore({ home: path.join(temp(), 'home'), disk }),
      histories,
      disk,
      ask: () => Promise.reject(new Error('nobody is asked')),
      created: async () => undefined,
    })
    const place = { entry: EntryId.parse('L1'), file: 'history', offset: 0 }
    return branching.create(key, place, { type: 'branch' }).catch((error: unknown) => error)
  }
  expect(await refusal([root])).toMatchObject({
    code: 'not-found',
    message: `The conversation "${key}" no longer exists.`,
  })
  expect(await refusal([root, other])).toMatchObject({
    code: 'unreadable',
    message: expect.stringContaining('its folder could not be listed'),
  })
})
