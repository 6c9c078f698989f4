import fs from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nodeDisk } from '../../../src/main/disk/node/node-disk'
import { exporterOf } from '../../../src/main/exporters/index'
import { countLosses } from '../../../src/main/exporters/losses'
import { toExportable } from '../../../src/main/exporters/parts/exporter'
import { readers } from '../../../src/main/readers/index'
import { type ReadConversation, readRoot } from '../../../src/main/readers/read-root'
import { type Entry, speakerOf, spokenText } from '../../../src/shared/model/conversation/entry'
import type { SourceId } from '../../../src/shared/model/conversation/sources'
import { memoryFolder, tempFolders } from '../../support/temp-folder'
import { readFiles, textIn, whole } from './round'

const temp = tempFolders(memoryFolder)
const signal = new AbortController().signal
const forms = ['chibi', 'cycod', 'fluux', 'voicemode'] as const
type Form = (typeof forms)[number]

function readerOf(id: SourceId) {
  const reader = readers.find((one) => one.id === id)
  if (reader === undefined) throw new Error(`no reader of ${id}`)
  return reader
}

/** Where the system of a form finds a file, in a new folder of it. */
function placeOf(form: Form, text: string, { created }: Pick<ReadConversation, 'created'>): string {
  const name = exporterOf(form).fileName?.({ created }) ?? 'none'
  if (form === 'chibi') return `contexts/copy/transcript/${name}`
  if (form === 'cycod') return `history/${name}`
  if (form === 'voicemode') return `logs/conversations/${name}`
  return `${JSON.parse(text.slice(0, text.indexOf('\n'))).jid}/${name}`
}

/** A conversation written in a form, and what the reader of the form finds then. */
async function writtenBack(form: Form, conversation: ReadConversation) {
  const text = await textIn(form, conversation)
  const found = await readFiles(readerOf(form), temp(), {
    [placeOf(form, text, conversation)]: text,
  })
  return { text, copy: found.find(({ entries }) => entries.length > 0), copies: found.length }
}

/** Which speakers a form has a place for, by its own documentation. */
const speakers: Readonly<Record<Form, readonly string[]>> = {
  chibi: ['user', 'agent', 'system'],
  cycod: ['user', 'agent', 'system'],
  fluux: ['user', 'agent'],
  voicemode: ['user', 'agent'],
}

interface Said {
  readonly who: string
  readonly text: string
  readonly time: number | null
}

/** What is said in a conversation, for a form: chibi's local time before a person's words is chibi's alone. */
function saidIn({ entries, source }: ReadConversation, form: Form): readonly Said[] {
  return entries.flatMap((entry: Entry) => {
    const isPrompt = /^system_prompt(?:_changed)?$/.test(entry.entry_type)
    // For others than chibi a changed prompt is what the system says.
    const who = speakerOf(entry) ?? (isPrompt && form !== 'chibi' ? 'system' : undefined)
    if (who === undefined || !speakers[form].includes(who)) return []
    const isPrefixed = source === 'chibi' && form !== 'chibi' && who === 'user'
    const text = isPrefixed
      ? entry.content.replace(/^\[\d{8}-\d{4}[+-]\d{4}\] /, '')
      : spokenText(entry)
    return [{ who, text, time: entry.timestamp }]
  })
}

/** By time, what has none with what stands before it: the order of voicemode. */
function byTime(said: readonly Said[], created: string | null): readonly Said[] {
  let before = created === null ? 0 : Date.parse(created) / 1000
  return said
    .map((one) => {
      if (one.time !== null && one.time >= 0 && one.time < 253_402_300_799) before = one.time
      return { one, time: before }
    })
    .sort((a, b) => a.time - b.time)
    .map(({ one }) => one)
}

async function expectWrittenBack(form: Form, conversation: ReadConversation): Promise<void> {
  const { text, copy, copies } = await writtenBack(form, conversation)
  const report = await countLosses(
    exporterOf(form),
    toExportable(conversation, []),
    { branches: 'active' },
    signal,
  )
  const count = (kind: string) => report.losses.find((loss) => loss.kind === kind)?.count ?? 0
  const utf8 = ({ text }: Said) => whole(text)
  const plain = (said: Said) => [said.who, utf8(said)]
  const all = saidIn(conversation, form)
  const isMoved = count('order') > 0
  expect(isMoved && form !== 'voicemode').toBe(false)
  const expected = isMoved ? byTime(all, conversation.created) : all
  const there = copy === undefined ? [] : saidIn(copy, form)
  expect(there.map(plain)).toEqual(expected.map(plain))
  // Every entry is there or is named.
  const left = ['other-branch', 'reasoning', 'tool', 'system', 'other'].map(count)
  expect([report.entries, report.written + left.reduce((a, b) => a + b, 0)]).toEqual([
    conversation.entries.length,
    conversation.entries.length,
  ])
  const systems = conversation.entries.filter((entry) => speakerOf(entry) === 'system').length
  expect(count('system') >= (speakers[form].includes('system') ? 0 : systems)).toBe(true)
  if (count('half') === 0) expect(all.map(({ text }) => text)).toEqual(all.map(utf8))
  if (copy === undefined) return
  expect(copies).toBe(1)
  expect(await textIn(form, copy)).toBe(text)
}

const fixtures = path.join(__dirname, '../../fixtures')
const roots: readonly (readonly [SourceId, string])[] = [
  ['chibi', 'chibi/home-v05'],
  ['chibi', 'chibi/home-v09'],
  ['chibi', 'readers/chibi/input'],
  ['cycod', 'readers/cycod/input'],
  ['cycod', 'branches/cycod-family'],
  ['fluux', 'readers/fluux/input'],
  ['fluux', 'readers/fluux/memory'],
  ['fluux', 'readers/fluux/tricky'],
  ['voicemode', 'readers/voicemode/input'],
  ['voicemode', 'readers/voicemode/basic'],
  ['voicemode', 'readers/voicemode/midnight'],
]

describe.each(forms)('in the form of %s', (form) => {
  it.each(roots)(
    'every conversation of %s in %s is read back as it was written',
    async (id, folder) => {
      const { conversations } = await readRoot(
        readerOf(id),
        path.join(fixtures, folder),
        nodeDisk,
        signal,
      )
      expect(conversations.length).toBeGreaterThan(0)
      for (const conversation of conversations) await expectWrittenBack(form, conversation)
    },
  )
})

/** Words that a line of JSON may hold, halves of characters too. */
const words = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 10 }),
  fc.constantFrom(
    ...['', ' ', '\n', '\r\n', '\ufeff', '\0', '\u2028', '"\\/', '\\ud83d', '\ud83d', '😂', 'soup'],
    ...['[20260528-2026+0000] soup', '[no speech detected]', '{"role":"user"}', 'e\u0301'],
  ),
)
const more = fc.dictionary(
  fc.constantFrom('mood', 'usage', 'x', '1', 'name', 'é', 'model', 'provider'),
  fc.oneof(words, fc.jsonValue({ maxDepth: 2 })),
  { maxKeys: 2 },
)
const second = fc.oneof(fc.integer({ min: 0, max: 4_000_000_000 }), fc.constant(1_780_000_000))
const micros = fc.integer({ min: 0, max: 999_999 })

/** Lines of a system that is not asked how it writes them. */
const systems: Readonly<
  Record<Form, { readonly file: string; readonly line: fc.Arbitrary<object> }>
> = {
  chibi: {
    file: 'contexts/garden/transcript/active.jsonl',
    line: fc
      .tuple(
        fc.uuid(),
        second,
        words,
        more,
        fc.constantFrom(
          { entry_type: 'message', from: 'mira', to: 'garden', role: 'user' },
          { entry_type: 'message', from: 'mira', to: 'garden' },
          { entry_type: 'message', from: 'garden', to: 'user' },
          { entry_type: 'message', from: 'garden', to: 'mira', role: 'agent' },
          { entry_type: 'message', from: 'system', to: 'garden', role: 'system' },
          { entry_type: 'tool_call', from: 'garden', to: 'look', tool_call_id: 'c1' },
          { entry_type: 'tool_result', from: 'look', to: 'garden', tool_call_id: 'c1' },
          { entry_type: 'compaction', from: 'system', to: 'garden', metadata: { summary: 'x' } },
          { entry_type: 'reasoning', from: 'garden', to: 'user' },
          { entry_type: 'system_prompt_changed', from: 'system', to: 'garden' },
        ),
      )
      .map(([id, timestamp, content, metadata, rest]) => ({
        ...{ id, timestamp, content, metadata },
        ...rest,
      })),
  },
  cycod: {
    file: 'history/chat-history-1754437000000.jsonl',
    line: fc.oneof(
      fc
        .tuple(fc.constantFrom('user', 'assistant', 'system'), words, more)
        .map(([role, content, rest]) => ({ ...rest, role, content })),
      fc.tuple(words, words, fc.integer({ min: 1, max: 3 })).map(([content, args, calls]) => ({
        role: 'assistant',
        content,
        tool_calls: Array.from({ length: calls }, (_, at) => ({
          ...{ id: `c${at}`, type: 'function' },
          function: { name: 'look', arguments: args },
        })),
      })),
      words.map((content) => ({ role: 'tool', tool_call_id: 'c0', content })),
    ),
  },
  fluux: {
    file: 'room@example.org/history.jsonl',
    line: fc.oneof(
      fc
        .tuple(second, micros, words, words, fc.constantFrom('user', 'assistant'), more)
        .map(([time, part, content, sender, role, rest]) => ({
          ...{ ...rest, type: 'message', role, content, msg_id: `m${part}`, sender },
          ts: `${new Date(time * 1000).toISOString().slice(0, 19)}.${String(part).padStart(9, '0')}+00:00`,
        })),
      fc.tuple(words, words).map(([message_id, emoji]) => ({
        ...{ type: 'message', role: 'user', content: '' },
        reaction: { message_id, emojis: [emoji] },
        attachments: [{ filename: emoji, mime_type: 'unknown', size: '1KB' }],
      })),
      fc.constant({
        type: 'session',
        version: 1,
        created: '2026-02-10T09:00:00+00:00',
        jid: 'r@x',
      }),
    ),
  },
  voicemode: {
    file: 'logs/conversations/exchanges_2026-05-28.jsonl',
    line: fc
      .tuple(second, micros, words, fc.constantFrom('stt', 'tts', 'dtmf'), more, words)
      .map(([time, part, text, type, rest, file]) => ({
        version: 3,
        timestamp: `${new Date(time * 1000).toISOString().slice(0, 19)}.${String(part).padStart(6, '0')}+02:00`,
        conversation_id: 'conv_20260528_202640_abc123',
        ...{ type, text, project_path: file, audio_file: file, duration_ms: part },
        metadata: { voice_mode_version: '8.12.0', ...rest },
      })),
  },
}

/** A file of a system, with lines that are damaged among the others. */
function fileOf(source: Form): fc.Arbitrary<string> {
  const line = systems[source].line.map((value) => JSON.stringify(value))
  const damaged = fc.constantFrom('', '  ', 'noise', '{"cut', '[]', 'null')
  const lines = fc.array(
    fc.oneof({ weight: 6, arbitrary: line }, { weight: 1, arbitrary: damaged }),
    {
      maxLength: 6,
    },
  )
  return fc
    .tuple(lines, fc.constantFrom('\n', '\r\n'), fc.boolean())
    .map(([all, end, isEnded]) => all.join(end) + (isEnded ? end : ''))
}

describe.each(forms)('any file of %s', (source) => {
  it.each(forms)('is read back as it was written in the form of %s', async (form) => {
    await fc.assert(
      fc.asyncProperty(fileOf(source), async (text) => {
        const { file } = systems[source]
        for (const one of await readFiles(readerOf(source), temp(), { [file]: text }))
          await expectWrittenBack(form, one)
      }),
      { numRuns: 40 },
    )
  })
})

it('has a fixture of every system whose form is written', () => {
  expect(fs.readdirSync(path.join(fixtures, 'readers'))).toEqual(expect.arrayContaining([...forms]))
})
