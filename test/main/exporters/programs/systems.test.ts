import fs from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { exporterOf } from '../../../../src/main/exporters/index'
import { toExportable } from '../../../../src/main/exporters/parts/exporter'
import { chibiReader } from '../../../../src/main/readers/chibi'
import { cycodReader } from '../../../../src/main/readers/cycod/cycod'
import { fluuxReader } from '../../../../src/main/readers/fluux/fluux'
import { readRoot } from '../../../../src/main/readers/read-root'
import { voicemodeReader } from '../../../../src/main/readers/voicemode/voicemode'
import { callUserMessage, type Entry } from '../../../../src/shared/model/conversation/entry'
import { entryAt, type ReadShape, readShape, written } from '../../../support/exported'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'
import { anyConversation } from '../hostile'
import { isInOrder, lossesIn, nameless, plain, readFiles, textIn, whole } from '../round'

const fixtures = path.join(__dirname, '../../../fixtures')
const temp = tempFolders(memoryFolder)
const signal = new AbortController().signal
const runs = { numRuns: 100 }

const inContext = 'contexts/copy/transcript/active.jsonl'
const inHistory = 'history/chat-history-1754437000000.jsonl'
const inSession = 'copy@example.org/history.jsonl'
const inDay = 'logs/conversations/exchanges_2026-05-28.jsonl'

const lines = (text: string) => text.split('\n').filter((line) => line !== '')
const objects = (text: string) => lines(text).map((line) => JSON.parse(line))
const losses = (format: Parameters<typeof lossesIn>[0], conversation: ReadShape) =>
  lossesIn(format, toExportable(conversation, []))

/** What the entries of a person and the model say, by chibi's own rule of who speaks. */
function spoken({ entries }: ReadShape): readonly Entry[] {
  return entries
    .filter(({ entry_type, role }) => entry_type === 'message' && role !== 'system')
    .map((entry) => ({ ...entry, role: entry.role ?? (entry.to === 'user' ? 'agent' : 'user') }))
}

const saidIn = (entries: readonly Entry[]) =>
  entries.map(({ role, content }) => [role, whole(content)])

describe('chibi', () => {
  it('writes the transcripts of its own homes so that they read as before, ids and all', async () => {
    const { conversations } = await readRoot(
      chibiReader,
      path.join(fixtures, 'chibi/home-v09'),
      nodeDisk,
      signal,
    )
    expect(conversations.length).toBeGreaterThan(3)
    for (const conversation of conversations) {
      const text = await textIn('chibi', conversation)
      const [copy] = await readFiles(chibiReader, temp(), { [inContext]: text })
      expect(copy?.entries.map(plain)).toEqual(conversation.entries.map(plain))
      expect(await losses('chibi', conversation)).toMatchObject({ leftOut: 0, sentences: [] })
    }
  })

  it('writes any entries as lines that chibi takes, and they read back as the same', async () => {
    const order = [
      ...['id', 'timestamp', 'from', 'to', 'content', 'entry_type'],
      ...['metadata', 'tool_call_id', 'role', 'flow_control'],
    ]
    await fc.assert(
      fc.asyncProperty(anyConversation, async (conversation) => {
        const text = await textIn('chibi', conversation)
        for (const line of objects(text)) {
          expect(isInOrder(line, order)).toBe(true)
          expect(Number.isSafeInteger(line.timestamp) && line.timestamp >= 0).toBe(true)
        }
        // Rust takes no escape of half a character; a whole one is never escaped.
        expect(text).not.toMatch(/(?<!\\)(?:\\\\)*\\ud[89a-f]/)
        const [copy] = await readFiles(chibiReader, temp(), { [inContext]: text })
        const same = ({ entry_type, content, tool_call_id: id = '' }: Entry) => [
          entry_type,
          whole(content),
          whole(id),
        ]
        const anchored = conversation.source === 'chibi' ? 0 : 1
        expect((copy?.entries ?? []).slice(anchored).map(same)).toEqual(
          conversation.entries.map(same),
        )
        expect(await losses('chibi', conversation)).toMatchObject({
          entries: conversation.entries.length,
          written: objects(text).length - anchored,
          leftOut: 0,
        })
      }),
      runs,
    )
  })

  it('begins a conversation of another system with its anchor, and gives ids that stay the same', async () => {
    const uuid = '00000000-0000-4000-8000-000000000001'
    const said = readShape(
      [
        entryAt(1, { timestamp: null, from: 'alice@example.org', to: 'fluux' }),
        entryAt(2, {
          id: entryAt(0).id,
          timestamp: 1_780_000_002.75,
          role: 'agent',
          from: 'fluux',
        }),
        entryAt(3, {
          id: uuid as Entry['id'],
          entry_type: 'tool_call',
          role: undefined,
          to: 'look',
        }),
      ],
      { source: 'fluux', key: 'alice@example.org' },
    )
    const [anchor, ...rest] = objects(await textIn('chibi', said))
    expect(anchor).toEqual({
      id: anchor.id,
      timestamp: 1_780_000_000,
      from: 'system',
      to: 'alice-example-org',
      content: 'Context created',
      entry_type: 'context_created',
    })
    expect(rest.map(({ from, to, role, timestamp }) => [from, to, role, timestamp])).toEqual([
      ['alice@example.org', 'alice-example-org', 'user', 1_780_000_000],
      ['alice-example-org', 'user', 'agent', 1_780_000_002],
      ['alice-example-org', 'look', undefined, 1_780_000_003],
    ])
    const version4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
    for (const { id } of [anchor, ...rest]) expect(id).toMatch(version4)
    expect(rest[2].id).toBe(uuid)
    expect(objects(await textIn('chibi', said)).map(({ id }) => id)).toEqual(
      [anchor, ...rest].map(({ id }) => id),
    )
    expect((await losses('chibi', said)).sentences).toEqual([
      '1 timestamp loses its fraction of a second.',
      '1 entry without a time gets the time of the entry before.',
    ])
  })
})

describe('cycod', () => {
  it('writes its own histories so that they read as before', async () => {
    const root = path.join(fixtures, 'readers/cycod/input')
    const { conversations } = await readRoot(cycodReader, root, nodeDisk, signal)
    expect(conversations.length).toBeGreaterThan(1)
    for (const conversation of conversations) {
      const text = await textIn('cycod', conversation)
      const [copy] = await readFiles(cycodReader, temp(), { [inHistory]: text })
      // Marks of damage are about the line that stood there.
      const told = (entry: Entry) => {
        const { damaged: _d, recovered: _r, ...metadata } = entry.metadata ?? {}
        return { ...nameless(entry), metadata }
      }
      const kept = conversation.entries.filter(({ entry_type }) => entry_type !== 'reasoning')
      expect(copy?.entries.map(told)).toEqual(kept.map(told))
      expect(copy?.title).toBe(conversation.title)
      expect(copy && (await textIn('cycod', copy))).toBe(text)
    }
  })

  it('writes the bytes that cycod writes', async () => {
    const file =
      '\ufeff{"_meta":{"title":"Soup","titleLocked":false}}\n' +
      '{"role":"system","content":"Be brief."}\n' +
      '{"role":"user","content":[{"type":"text","text":"What is this?"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AA=="}}]}\n' +
      '{"role":"assistant","content":"I look.","tool_calls":[{"id":"toolu_1","function":{"name":"look","arguments":"{\\u0022a\\u0022: 1}"},"type":"function"},{"id":"toolu_2","function":{"name":"look","arguments":""},"type":"function"}]}\n'.replaceAll(
        '\\u0022',
        '\\"',
      ) +
      '{"role":"tool","tool_call_id":"toolu_1","content":"soup\\r\\n"}\n' +
      '{"role":"assistant","content":""}\n' +
      '{"role":"assistant","content":"","tool_calls":[{"id":"toolu_3","function":{"name":"look","arguments":"{}"},"type":"function"}]}\n' +
      '{"role":"user","content":"grüße 漢字","name":"mira"}'
    const [conversation] = await readFiles(cycodReader, temp(), { [inHistory]: file })
    if (conversation === undefined) throw new Error('nothing was read')
    expect(await withOriginal('cycod', conversation, file)).toBe(file)
  })

  /** In a format, with the bytes that it was read from at hand, as both faces of Skein have them. */
  const withOriginal = (format: 'cycod', conversation: ReadShape, file: string) =>
    written(
      exporterOf(format),
      toExportable(conversation, [], async function* () {
        // Cut within a character and within a line, as a disk may give them.
        const bytes = Buffer.from(file)
        yield bytes.subarray(0, 21)
        yield bytes.subarray(21)
      }),
    )
  const message = '\n{"role":"user","content":"Hi"}'

  it.each([
    ['{"_meta":{"titleLocked":true,"pinned":1,"tags":["é"],"title":"Soup"}}', 'Soup'],
    ['{"_meta":{"title":" Soup ","more":{"a":null}}}', 'Soup'],
  ])('keeps what a history says of itself, as it says it: %s', async (meta) => {
    const file = `\ufeff${meta}${message}`
    const [conversation] = await readFiles(cycodReader, temp(), { [inHistory]: file })
    if (conversation === undefined) throw new Error('nothing was read')
    expect(await withOriginal('cycod', conversation, file)).toBe(file)
    const renamed = { ...conversation, title: 'Stew' }
    expect(await withOriginal('cycod', renamed, file)).toBe(file.replace(/ ?Soup ?/, 'Stew'))
  })

  it('says of no title that it is not locked, where the history does not', async () => {
    const [conversation] = await readFiles(cycodReader, temp(), { [inHistory]: message.trim() })
    if (conversation === undefined) throw new Error('nothing was read')
    expect(await withOriginal('cycod', conversation, message.trim())).toBe(
      `\ufeff{"_meta":{"title":"Hi"}}${message}`,
    )
    const other = readShape([entryAt(1)], { source: 'chibi', key: 'k', title: 'Soup' })
    expect(await textIn('cycod', other)).toMatch(/^\ufeff\{"_meta":\{"title":"Soup"\}\}\n/)
  })

  it('names in every other form what a history says of itself', async () => {
    const file = `{"metadata":{"title":"Soup","pinned":1}}\n{"_meta":{"titleLocked":true}}${message}`
    const [conversation] = await readFiles(cycodReader, temp(), { [inHistory]: file })
    if (conversation === undefined) throw new Error('nothing was read')
    const whole = toExportable(conversation, [], async function* () {
      yield Buffer.from(file)
    })
    expect((await lossesIn('md', whole)).sentences).toEqual([
      '2 fields about the conversation are left out: pinned, titleLocked.',
    ])
    expect((await lossesIn('cycod', whole)).sentences).toEqual([])
    expect((await lossesIn('original', whole, 'all')).sentences).toEqual([])
  })

  it('writes any entries so that words, calls and results read back as the same', async () => {
    const placed: Readonly<Record<string, string>> = {
      message: 'message',
      tool_call: 'tool_call',
      flow_control_call: 'tool_call',
      tool_result: 'tool_result',
      system_prompt_changed: 'message',
    }
    await fc.assert(
      fc.asyncProperty(anyConversation, async (conversation) => {
        const text = await textIn('cycod', conversation)
        expect(text.startsWith('\ufeff{"_meta":{')).toBe(true)
        expect(text.endsWith('\n')).toBe(false)
        const messages = objects(text.slice(1)).slice(1)
        const [copy] = await readFiles(cycodReader, temp(), { [inHistory]: text })
        // A call_user that says nothing is no call here.
        const kept = conversation.entries.filter(
          ({ entry_type, content }) =>
            entry_type in placed && !(entry_type === 'flow_control_call' && content.trim() === ''),
        )
        const seen = (copy?.entries ?? []).map(({ entry_type, content }) => [entry_type, content])
        const count = messages.reduce(
          (sum, { content, tool_calls: calls = [] }) =>
            sum + calls.length + (calls.length === 0 || content.length > 0 ? 1 : 0),
          0,
        )
        const told = await losses('cycod', conversation)
        expect([told.entries, told.written]).toEqual([conversation.entries.length, count])
        expect(told.written + told.leftOut).toBe(told.entries)
        // Kinds that cycod's reader does not know are told by it alone.
        if (conversation.entries.some(({ entry_type }) => entry_type === 'unknown')) return
        expect(seen).toEqual(
          kept.map((entry) => {
            const said = callUserMessage(entry)?.words
            return said === undefined
              ? [placed[entry.entry_type], whole(entry.content)]
              : ['message', whole(said)]
          }),
        )
      }),
      runs,
    )
  })

  it('gives calls and results of early chibi ids that belong together', async () => {
    const call = { entry_type: 'tool_call', role: undefined, to: 'look' } as const
    const result = { entry_type: 'tool_result', role: undefined } as const
    const text = await textIn(
      'cycod',
      readShape([
        entryAt(1, { role: 'agent', to: 'user', content: 'Both.' }),
        entryAt(2, call),
        entryAt(3, { ...call, to: 'listen' }),
        entryAt(4, { ...result, from: 'listen' }),
        entryAt(5, { ...result, from: 'look' }),
      ]),
    )
    const [, answer, ...results] = objects(text.slice(1))
    const [look, listen] = answer.tool_calls.map(({ id }: { id: string }) => id)
    expect(answer.content).toBe('Both.')
    expect(results.map((message) => message.tool_call_id)).toEqual([listen, look])
    expect(look).not.toBe(listen)
  })
})

describe('fluux', () => {
  const session =
    '{"type":"session","version":1,"created":"2026-02-10T09:00:00.000000000+00:00","jid":"copy@example.org"}\n' +
    '{"type":"message","role":"user","content":"I\'m here 漢字","msg_id":"m2","sender":"bob the builder@muc","ts":"2026-02-10T09:00:06.007407000+00:00"}\n' +
    '{"type":"message","role":"assistant","content":"Two people.","msg_id":"out-1","ts":"2026-02-10T09:00:12.500000000+00:00"}\n' +
    '{"type":"message","role":"user","content":"look","msg_id":"m4","sender":"alice@muc","ts":"2026-02-10T09:00:20.000000000+00:00","attachments":[{"filename":"plan.pdf","mime_type":"unknown","size":"unknown"}]}\n' +
    '{"type":"message","role":"user","content":"","sender":"alice@muc","ts":"2026-02-10T09:00:25.030864000+00:00","reaction":{"message_id":"m4","emojis":["😂"]}}\n' +
    '{"type":"message","role":"assistant","content":"No time."}\n'

  it('writes the bytes that fluux writes', async () => {
    const [conversation] = await readFiles(fluuxReader, temp(), { [inSession]: session })
    if (conversation === undefined) throw new Error('nothing was read')
    expect(await textIn('fluux', conversation)).toBe(session)
    expect((await losses('fluux', conversation)).sentences).toEqual([])
  })

  it('writes any messages so that they read back as the same, and lists the others', async () => {
    const order = ['type', 'role', 'content', 'msg_id', 'sender', 'ts', 'attachments', 'reaction']
    await fc.assert(
      fc.asyncProperty(anyConversation, async (conversation) => {
        const text = await textIn('fluux', conversation)
        const [header, ...messages] = objects(text)
        expect(Object.keys(header)).toEqual(['type', 'version', 'created', 'jid'])
        if (conversation.source !== 'fluux')
          for (const message of messages) expect(isInOrder(message, order)).toBe(true)
        const [copy] = await readFiles(fluuxReader, temp(), { [inSession]: text })
        expect(saidIn(copy?.entries ?? [])).toEqual(saidIn(spoken(conversation)))
        const told = await losses('fluux', conversation)
        expect(told.written).toBe(messages.length)
        expect([told.written + told.leftOut, told.entries]).toEqual(
          Array(2).fill(conversation.entries.length),
        )
      }),
      runs,
    )
  })

  it('names a person of another system by a JID that leads nowhere, and says what it leaves out', async () => {
    const conversation = readShape(
      [
        entryAt(1, { from: 'mira', content: '[20260528-2026+0000] hello', metadata: { usage: 3 } }),
        entryAt(2, { entry_type: 'reasoning', role: undefined }),
        entryAt(3, { entry_type: 'reasoning', role: undefined }),
        entryAt(4, { entry_type: 'tool_call', role: undefined }),
        entryAt(5, { role: 'system' }),
        entryAt(6, { entry_type: 'context_created', role: undefined }),
        entryAt(7, { role: 'agent', to: 'user', metadata: { model: 'a', '<b>': 1 } }),
      ],
      { key: 'My Garden', project: '/home/mira' },
    )
    const [header, person, model] = objects(await textIn('fluux', conversation))
    expect([header.jid, person.sender, person.content, model.sender]).toEqual([
      'my-garden@skein.invalid',
      'my-garden@skein.invalid',
      'hello',
      undefined,
    ])
    expect(await losses('fluux', conversation)).toEqual({
      entries: 7,
      written: 2,
      leftOut: 5,
      sentences: [
        '2 pieces of reasoning are left out.',
        '1 tool call or result is left out.',
        '1 system message is left out.',
        '1 other entry is left out.',
        '1 entry loses the name of its speaker.',
        'Token usage, model and more of 2 entries are left out.',
        '1 project folder is left out.',
      ],
    })
  })
})

describe('voicemode', () => {
  // As Python writes it.
  const day =
    '{"version": 3, "timestamp": "2026-05-28T20:26:41+00:00", "conversation_id": "conv_20260528_202640_abc123", "type": "stt", "text": "Zyzzyva? \\u00e9migr\\u00e9 \\u65e5\\u672c \\ud83d\\ude02 \\u007f\\u0000\\"\\\\/\\u2028\\t\\r\\n\\b\\f", "project_path": "/home/mira", "audio_file": "a.mp3", "duration_ms": 1200, "metadata": {"voice_mode_version": "8.12.0", "model": "whisper", "provider": "openai", "timing": "record 3.2s", "is_fallback": false, "silence_detection": {"enabled": true, "vad_aggressiveness": 2, "silence_threshold_ms": 1000.5, "x": [], "y": {}, "z": null}}}\n' +
    '{"version": 3, "timestamp": "2026-05-28T20:26:43.500000+00:00", "conversation_id": "conv_20260528_202640_abc123", "type": "tts", "text": "", "metadata": {"voice_mode_version": "8.12.0"}}\n' +
    '{"version": 1, "timestamp": "2026-05-28T20:26:43.500001+00:00", "conversation_id": "conv_20260528_202640_abc123", "type": "tts", "text": "later", "metadata": {"voice_mode_version": "2.0.0", "voice": "nova"}}\n'

  it('writes the bytes that voicemode writes', async () => {
    const [conversation] = await readFiles(voicemodeReader, temp(), { [inDay]: day })
    if (conversation === undefined) throw new Error('nothing was read')
    expect(await textIn('voicemode', conversation)).toBe(day)
    expect((await losses('voicemode', conversation)).sentences).toEqual([])
  })

  it('writes any messages in the order of time, so that they read back as the same', async () => {
    const order = [
      ...['version', 'timestamp', 'conversation_id', 'type', 'text'],
      ...['project_path', 'audio_file', 'duration_ms', 'metadata'],
    ]
    await fc.assert(
      fc.asyncProperty(anyConversation, async (conversation) => {
        const text = await textIn('voicemode', conversation)
        expect(text).toMatch(/^[\n -~]*$/)
        const written = objects(text)
        for (const line of written) {
          expect(isInOrder(line, order)).toBe(true)
          // Objects have keys that are numbers first, whatever they were made in the order of.
          const named = Object.keys(line.metadata).filter((key) => !/^\d+$/.test(key))
          expect(named[0]).toBe('voice_mode_version')
          expect(line.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?\+00:00$/)
        }
        const times = written.map(({ timestamp }) => Date.parse(timestamp))
        expect(times).toEqual([...times].sort((a, b) => a - b))
        const found = await readFiles(voicemodeReader, temp(), { [inDay]: text })
        expect(found.length).toBe(written.length === 0 ? 0 : 1)
        const said = saidIn(spoken(conversation))
        // Entries without a usable time stand at that of the one before; the order is checked above.
        expect(
          saidIn(found[0]?.entries ?? [])
            .map(String)
            .sort(),
        ).toEqual(said.map(String).sort())
        const told = await losses('voicemode', conversation)
        expect(told.written).toBe(written.length)
        expect([told.written + told.leftOut, told.entries]).toEqual(
          Array(2).fill(conversation.entries.length),
        )
      }),
      runs,
    )
  })

  it('gives a conversation of another system an id in its own form, the same each time', async () => {
    const conversation = readShape([entryAt(1)], { project: '/home/mira' })
    const [line] = objects(await textIn('voicemode', conversation))
    expect(line.conversation_id).toMatch(/^conv_20260528_202640_[a-z0-9]{6}$/)
    expect(line.project_path).toBe('/home/mira')
    expect(await textIn('voicemode', conversation)).toContain(line.conversation_id)
  })
})

it('says how many entries stand elsewhere in the order of times, and in no other form', async () => {
  const times = [30, 10, null, 40, 20]
  const conversation = readShape(
    times.map((second, at) =>
      entryAt(at + 1, { timestamp: second === null ? null : 1_780_000_000 + second }),
    ),
  )
  const said = objects(await textIn('voicemode', conversation)).map(({ text }) => text)
  expect(said).toEqual(['text 2', 'text 3', 'text 5', 'text 1', 'text 4'])
  expect((await losses('voicemode', conversation)).sentences).toContain(
    '3 entries move because voicemode sorts by time.',
  )
  expect((await losses('fluux', conversation)).sentences).toEqual([])
})

it('has no original without the files', async () => {
  const conversation = readShape([entryAt(1)])
  await expect(textIn('original', conversation)).rejects.toMatchObject({ code: 'unreadable' })
  expect((await losses('original', conversation)).sentences).toEqual([])
})

it('reads nothing of the fixtures that it cannot write again in their own form', async () => {
  for (const [reader, format, place] of [
    [fluuxReader, 'fluux', inSession],
    [voicemodeReader, 'voicemode', inDay],
  ] as const) {
    const root = path.join(fixtures, 'readers', reader.id)
    const input = fs.existsSync(path.join(root, 'input')) ? path.join(root, 'input') : root
    const { conversations } = await readRoot(reader, input, nodeDisk, signal)
    expect(conversations.length).toBeGreaterThan(0)
    for (const conversation of conversations) {
      const [copy] = await readFiles(reader, temp(), {
        [place]: await textIn(format, conversation),
      })
      const said = (entries: readonly Entry[]) =>
        entries.map(({ role, content, from }) => [role, content, from])
      expect(said(copy?.entries ?? [])).toEqual(said(spoken(conversation)))
    }
  }
})
