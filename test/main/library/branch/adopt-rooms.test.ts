import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { openBranching } from '../../../../src/main/library/branch/branching'
import { openHistories } from '../../../../src/main/library/sources/histories'
import { messagesApart } from '../../../../src/main/llm/prompt/messages'
import { readUnit } from '../../../../src/main/readers/read-root'
import { openStore } from '../../../../src/main/store/open-store'
import {
  type LibraryKey,
  libraryKeyOf,
} from '../../../../src/shared/model/conversation/conversation'
import type { Entry } from '../../../../src/shared/model/conversation/entry'
import { requireWhole } from '../../../../src/shared/model/conversation/reading'
import type { SourceId } from '../../../../src/shared/model/conversation/sources'
import type { BranchAction } from '../../../../src/shared/model/family/branching'
import { tempFolders } from '../../../support/temp-folder'

const temp = tempFolders()
const fixtures = path.join(__dirname, '../../../fixtures/readers')
const nowSeconds = 1_780_000_000
const signal = new AbortController().signal

/** Bytes and times of everything under a folder. */
function state(root: string) {
  return fs
    .readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(root, name))
    .filter((file) => fs.statSync(file).isFile())
    .map((file) => [file, fs.readFileSync(file).toString('base64'), fs.statSync(file).mtimeMs])
}

/** A home beside a root of another system, and what branching makes in it. */
function setUp(source: SourceId, root: string) {
  const home = path.join(temp(), 'home')
  const store = openStore({ home, disk: nodeDisk, now: () => nowSeconds * 1000 })
  const histories = openHistories(nodeDisk, [{ source, path: root }])
  const branching = openBranching({
    store,
    histories,
    disk: nodeDisk,
    ask: () => Promise.reject(new Error('nobody is asked')),
    created: async () => undefined,
    now: () => nowSeconds * 1000,
  })

  async function entriesThere(key: LibraryKey): Promise<readonly Entry[]> {
    const history = await histories.find(key)
    if (history === undefined) throw new Error(`no ${key}`)
    const { conversations } = await readUnit(history.reader, history.ref, nodeDisk, signal)
    return conversations[0]?.entries ?? []
  }

  /** Branches at an entry, which is the last one unless told otherwise. */
  async function adopt(key: LibraryKey, content?: string, type: BranchAction['type'] = 'branch') {
    const there = await entriesThere(key)
    const at = there.findLast((one) => content === undefined || one.content === content)
    if (at === undefined) throw new Error(`no entry "${content}"`)
    const action: BranchAction = type === 'edit' ? { type, text: 'soup' } : { type }
    const place = { entry: at.id, file: at.file, offset: at.offset }
    const made = await branching.create(key, place, action)
    const copies: Entry[] = []
    for await (const row of requireWhole((await store.readWhole(made.key)).rows))
      if (row.type === 'entry') copies.push(row.entry)
    const writer = await store.openWriter(made.key, { create: false })
    // As each copy says it: those of one speaker in a row go out as one message.
    const apart = messagesApart(await writer.window('refuse'), {})
    const sent = apart.map(({ message }) => message)
    await writer.close()
    return {
      there,
      report: made.report,
      /** Without the anchor. */
      copies: copies.slice(1),
      sent: sent.map((one) => [one.role, 'content' in one ? one.content : undefined]),
    }
  }
  return { histories, adopt }
}

/** A folder of fluux with one session of these messages. */
function session(jid: string, ...messages: readonly object[]): string {
  const root = temp()
  const header = { type: 'session', version: 1, created: '2026-02-10T09:00:00+00:00', jid }
  fs.mkdirSync(path.join(root, jid))
  const lines = [header, ...messages.map((message) => ({ type: 'message', ...message }))]
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  fs.writeFileSync(path.join(root, jid, 'history.jsonl'), text)
  return root
}

it.each([
  ['fluux', 'fluux/input'],
  ['fluux', 'fluux/memory'],
  ['fluux', 'fluux/tricky'],
  ['voicemode', 'voicemode/input'],
  ['voicemode', 'voicemode/basic'],
  ['voicemode', 'voicemode/midnight'],
] as const)(
  'every entry of every conversation of %s can be branched at: %s',
  async (source, folder) => {
    const root = temp()
    fs.cpSync(path.join(fixtures, folder), root, { recursive: true, preserveTimestamps: true })
    const before = state(root)
    const { histories, adopt } = setUp(source, root)
    let adopted = 0
    for (const { key, reader, ref } of await histories.list()) {
      const { conversations } = await readUnit(reader, ref, nodeDisk, signal)
      if (conversations[0]?.entries.length === 0) continue
      const { there, copies, report } = await adopt(key)
      adopted += 1
      expect(copies).toHaveLength(there.length)
      for (const [at, copy] of copies.entries()) {
        const original = there[at]
        expect(copy.content.endsWith(original?.content ?? '?')).toBe(true)
        expect(copy.metadata).toMatchObject({
          ...original?.metadata,
          adopted: { entry: original?.id },
        })
        expect(Number.isInteger(copy.timestamp)).toBe(true)
        const time = original?.timestamp
        if (time != null) expect(copy.timestamp).toBe(Math.floor(time))
        if (time !== copy.timestamp)
          expect(copy.metadata?.adopted).toMatchObject({ timestamp: time })
      }
      const { entries, kept = 0, flattened = 0, dropped = 0, notes = [] } = report ?? {}
      expect([entries, kept + flattened + dropped]).toEqual([there.length, there.length])
      for (const note of notes) expect(note).toMatch(/^[\d,]+ .+\.$/)
    }
    expect(adopted).toBeGreaterThan(0)
    expect(state(root)).toEqual(before)
  },
)

it('tells the model who says what in a room, what was sent along and what was reacted to', async () => {
  const { adopt } = setUp('fluux', path.join(fixtures, 'fluux/memory'))
  const { sent, copies, report } = await adopt(libraryKeyOf('fluux', 'team@conference.example.org'))
  expect(sent).toEqual([
    ['assistant', 'Session archived (3 messages). Starting fresh.'],
    ['user', 'alice: Anyone around?'],
    ['user', "bob the builder: I'm here"],
    ['user', 'alice: fluux: summarise please'],
    ['assistant', 'Two people are present.'],
    ['user', 'bob the builder: [attached: plan.pdf]\n[attached: file]\nlook'],
    ['user', 'alice: [reacted to "look": 😂]'],
    ['assistant', 'Happy you like it.'],
    ['user', 'carol: [took back the reaction to "look"]'],
    ['assistant', '(reaction removed)'],
  ])
  expect(copies[1]?.from).toBe('alice@muc')
  expect(copies[1]?.metadata).toEqual({
    msg_id: 'm1',
    sender: 'alice@muc',
    adopted: {
      entry: 'L3',
      timestamp: 1_770_714_005.006_173,
      content: 'Anyone around?',
    },
  })
  expect(report).toEqual({
    entries: 10,
    kept: 4,
    flattened: 6,
    dropped: 0,
    notes: [
      '10 times were cut to whole seconds; the exact one is in the metadata.',
      '6 messages begin with the name of its speaker, since the model gets only the text.',
      '2 reactions are written as a line of text.',
      '1 message names attachments in the text; the files are not sent.',
      '1 line without a message was left out (such as the title).',
    ],
  })
})

it('names nobody where one person speaks, and says what could not be fetched', async () => {
  const { adopt } = setUp('fluux', path.join(fixtures, 'fluux/memory'))
  const { sent } = await adopt(libraryKeyOf('fluux', 'alice@example.org'))
  expect(sent.filter(([role]) => role === 'user').map(([, content]) => content)).toEqual([
    'Hello there',
    '[attached: garden.png (image/png, 926KB)]\n[attached: a file (download failed)]\nWhat is in this photo?',
    '[reacted to "A garden with roses.": 👍 🌹]',
    '[attached: rapport été.pdf (application/pdf, 1.2MB)]',
  ])
})

it('keeps a reaction in words whatever is in it, and what nobody can be told of in its place', async () => {
  const root = session(
    'room@example.org',
    {
      role: 'user',
      content: '',
      sender: 'a\nb@muc',
      reaction: { message_id: 'gone', emojis: ['x\n\ny'] },
    },
    { role: 'user', content: '', sender: 'mira@muc', msg_id: 'm1' },
    { role: 'user', content: 'words '.repeat(40), sender: '@muc', msg_id: 'm2' },
    {
      role: 'user',
      content: '',
      sender: 'mira@muc',
      reaction: { message_id: 'm2', emojis: ['👍'] },
    },
    { role: 'robot', content: 'beep' },
    { role: 'user', content: 'odd', sender: 'mira@muc', attachments: [{ name: 'x' }] },
  )
  const { adopt } = setUp('fluux', root)
  const { sent, report } = await adopt(libraryKeyOf('fluux', 'room@example.org'))
  expect(sent.map(([, content]) => content)).toEqual([
    'a b: [reacted to a message: x y]',
    'words '.repeat(40),
    'mira: [reacted to "words words words words words words words words words words…": 👍]',
    'mira: odd',
  ])
  expect(report).toMatchObject({ entries: 6, kept: 1, flattened: 3, dropped: 2 })
  expect(report?.notes).toContain('1 empty message is not sent.')
  expect(report?.notes).toContain('1 entry is of a kind that is shown but not sent.')
})

it('takes a page of Markdown over as what a person gives to the model', async () => {
  const { adopt } = setUp('fluux', path.join(fixtures, 'fluux/memory'))
  const key = libraryKeyOf('fluux', 'bob@example.org/history.md')
  const page = fs.readFileSync(
    path.join(fixtures, 'fluux/memory/bob@example.org/history.md'),
    'utf8',
  )
  const { sent, copies, report } = await adopt(key)
  expect(sent).toEqual([['user', page]])
  expect(copies[0]).toMatchObject({
    from: 'user',
    role: 'user',
    entry_type: 'message',
    metadata: { adopted: { entry: 'L1', from: 'fluux', entry_type: 'document', timestamp: null } },
  })
  expect(report).toMatchObject({ entries: 1, kept: 0, flattened: 1, dropped: 0 })
  expect(report?.notes).toContain(
    '1 page of text is sent as a user message, with all its speakers.',
  )
  await expect(adopt(key, page, 'edit')).rejects.toMatchObject({ code: 'bad-argument' })
  await expect(adopt(key, page, 'regenerate')).rejects.toThrow('nobody is asked')
})

it('takes a voice conversation over midnight in the order in which it was said, with its sound', async () => {
  const { adopt } = setUp('voicemode', path.join(fixtures, 'voicemode/input'))
  const key = libraryKeyOf('voicemode', 'conv_20250801_235830_mid001')
  const { sent, copies, report } = await adopt(key)
  expect(sent).toEqual([
    ['assistant', 'Nearly midnight.'],
    ['user', 'Keep שלום 👋 going'],
    ['assistant', 'It is tomorrow now.'],
    ['user', 'at once'],
  ])
  expect(copies[0]?.metadata).toMatchObject({
    audio: { file: '20250801_235830_500_mid001_tts.mp3', duration_ms: 1100 },
    model: 'tts-1',
    adopted: { entry: 'L2', timestamp: 1_754_085_510.5, from: 'voicemode' },
  })
  expect(copies.map(({ entry_type }) => entry_type)).toEqual([
    ...['message', 'message', 'message', 'unknown', 'message'],
  ])
  expect(report).toEqual({
    entries: 5,
    kept: 4,
    flattened: 0,
    dropped: 1,
    notes: [
      '3 times were cut to whole seconds; the exact one is in the metadata.',
      '1 entry is of a kind that is shown but not sent.',
      '3 damaged lines were not copied.',
    ],
  })
  const early = await adopt(key, 'Keep שלום 👋 going')
  expect(early.sent).toEqual(sent.slice(0, 2))
  expect(early.report).toMatchObject({ entries: 2, kept: 2 })
})

it('takes lines that were logged late to their place, and silence as it was logged', async () => {
  const { adopt } = setUp('voicemode', path.join(fixtures, 'voicemode/input'))
  const key = libraryKeyOf('voicemode', 'conv_20250801_235900_two002')
  const { sent, report } = await adopt(key)
  expect(sent).toEqual([
    ['user', 'wake me at six'],
    ['user', '[no speech detected]'],
    ['assistant', 'six it is'],
    ['user', 'caf\ufffd'],
    ['user', 'one more'],
  ])
  expect(report).toMatchObject({ entries: 5, kept: 5, flattened: 0, dropped: 0 })
  expect((await adopt(key, '[no speech detected]')).sent).toEqual(sent.slice(0, 2))
})

it('takes text files of voicemode over as what was heard and spoken', async () => {
  const { adopt } = setUp('voicemode', path.join(fixtures, 'voicemode/input'))
  const { sent } = await adopt(libraryKeyOf('voicemode', 'transcriptions/stt_20250628_103055_001'))
  expect(sent).toEqual([
    ['user', 'Tomatoes and basil'],
    ['assistant', 'With some thyme.\n'],
  ])
})
