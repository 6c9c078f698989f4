import fs from 'node:fs'
import path from 'node:path'
import type { Random } from '../../bench/support/random'
import { chibiReader } from '../../src/main/readers/chibi'
import { claudeCodeReader } from '../../src/main/readers/claude-code/claude-code'
import { codexReader } from '../../src/main/readers/codex/codex'
import type { HistoryReader } from '../../src/main/readers/common/reader'
import { copilotReader } from '../../src/main/readers/copilot/copilot'
import { cycodReader } from '../../src/main/readers/cycod/cycod'
import { droidReader } from '../../src/main/readers/droid/droid'
import { fluuxReader } from '../../src/main/readers/fluux/fluux'
import { voicemodeReader } from '../../src/main/readers/voicemode/voicemode'

/** What a line says, by plain JSON alone. */
export type Said =
  | { readonly kind: 'damaged' }
  | { readonly kind: 'control' }
  | {
      readonly kind: 'entry'
      /** The words of its entries that are not empty, sorted; undefined where the line has another shape than the format's. */
      readonly texts?: readonly string[]
      /** The entry's own id, in formats that have ids. */
      readonly id?: string
      /** The conversation that it is of, in files that several share; undefined where that is not plain. */
      readonly key?: string
    }

/** A file of a root. */
export interface LaidFile {
  /** Relative to the root. */
  readonly file: string
  readonly bytes: Buffer
}

/** A format of one JSON value a line: how it is written, and what is true of a line, without the reader's help. */
export interface LedgerFormat {
  readonly reader: HistoryReader
  /** Files of lines of a root; files that say something about them are added by `beside`. */
  names(random: Random): readonly string[]
  beside?(files: readonly string[]): readonly LaidFile[]
  /** A record of the format, that its writer would write; `word` is in it, and in no other. */
  record(random: Random, word: string): string
  /** Files that are one message each, where the format has such. */
  readonly documents?: readonly LaidFile[]
  said(value: unknown, text: string): Said
  /** Whether a reader takes it beside damage, when nothing of it is missing. */
  isWhole(value: object): boolean
  /** Names may end in `.gz`. */
  readonly isPacked: boolean
}

type Line = Readonly<Record<string, unknown>>

const isRecord = (value: unknown): value is Line =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const areTexts = (value: Line, ...keys: readonly string[]) =>
  keys.every((key) => typeof value[key] === 'string')

const entry = (texts: readonly unknown[], more: { id?: string; key?: string } = {}): Said => ({
  kind: 'entry',
  texts: texts.filter((text): text is string => typeof text === 'string' && text !== '').sort(),
  ...more,
})

/** Words in which much stands that a reader may stumble over; no line feed, since JSON has none. */
function wordsOf(random: Random, word: string): string {
  const about = [
    'sow peas',
    'später 🌱 שלום',
    'a\nb\r\nc',
    'sep\u2028ara\u2029tors\u0085',
    '{"role":"user","content":"inside"}',
    '"quoted" \\ and \\u0041 \\"',
    '\u0001\u0000\u007f',
    '{"type":"message","role":"user","content":"no"}',
    '',
    '}{',
    'x'.repeat(random.below(200)),
  ]
  return `${word} ${about[random.below(about.length)] ?? ''}`
}

const fileCount = (random: Random) => 1 + random.below(3)
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i)

const garden = 'contexts/garden/transcript'

const chibiFormat: LedgerFormat = {
  reader: chibiReader,
  isPacked: false,
  names: (random) => [
    ...numbers(fileCount(random) - 1).map((i) => `${garden}/partitions/17${i}0-17${i}9.jsonl`),
    `${garden}/active.jsonl`,
  ],
  beside(files) {
    const partitions = files.slice(0, -1).map((file, i) => ({
      file: path.posix.relative(garden, file),
      start_ts: Number(`17${i}0`),
      end_ts: Number(`17${i}9`),
      entry_count: 1,
    }))
    const rotation_policy = { max_entries: 1000, max_age_seconds: 2_592_000 }
    const manifest = { version: 1, active_partition: 'active.jsonl', partitions, rotation_policy }
    return [{ file: `${garden}/manifest.json`, bytes: Buffer.from(JSON.stringify(manifest)) }]
  },
  record: (random, word) =>
    JSON.stringify({
      id: `id-${word}`,
      timestamp: 1_770_000_000 + random.below(1000),
      from: 'mira',
      to: 'garden',
      content: wordsOf(random, word),
      entry_type: random.pick(['message', 'tool_call', 'tool_result', 'compaction', 'new']),
      ...(random.below(2) === 0 ? { role: 'user' } : { metadata: { model: 'example' } }),
    }),
  isWhole: (value) => chibiFormat.said(value, '').kind === 'entry',
  said(value) {
    if (!isRecord(value)) return { kind: 'damaged' }
    const { timestamp, id, content } = value
    const isTime = timestamp === null || typeof timestamp === 'number'
    if (!isTime || !Number.isFinite(timestamp ?? 0)) return { kind: 'damaged' }
    if (!areTexts(value, 'id', 'from', 'to', 'content', 'entry_type')) return { kind: 'damaged' }
    return entry([content], { id: String(id) })
  },
}

const cycodFormat: LedgerFormat = {
  reader: cycodReader,
  isPacked: true,
  names: (random) =>
    numbers(fileCount(random)).map((i) => `history/chat-history-175443700000${i}.jsonl`),
  record(random, word) {
    const content = wordsOf(random, word)
    const call = {
      id: `call_${word}`,
      type: 'function',
      function: { name: 'Shell', arguments: `{"cmd":${JSON.stringify(`x${word}`)}}` },
    }
    const shapes: readonly [object, ...object[]] = [
      { role: 'user', content },
      { role: 'user', content },
      { role: 'assistant', content },
      { role: 'assistant', content, tool_calls: [call] },
      { role: 'tool', tool_call_id: `call_${word}`, content },
      { role: 'assistant', contents: [{ $type: 'text', text: content }] },
      { _meta: { title: `title ${word}` } },
    ]
    return JSON.stringify(random.pick(shapes))
  },
  isWhole: (value) => isRecord(value) && (typeof value.role === 'string' || isCycodMeta(value)),
  said(value) {
    if (!isRecord(value)) return { kind: 'damaged' }
    if (isCycodMeta(value)) return { kind: 'control' }
    const { role, content, contents = [], tool_calls: calls = [] } = value
    const isPlain =
      ['user', 'assistant', 'tool', 'system'].includes(String(role)) &&
      (content == null || typeof content === 'string') &&
      isListOf(contents, (part) => part.$type === 'text' && typeof part.text === 'string') &&
      isListOf(calls, ({ function: of }) => isRecord(of) && areTexts(of, 'name', 'arguments'))
    if (!isPlain || (content && contents.length > 0)) return { kind: 'entry' }
    const texts = contents.map(({ text }) => text).filter((text) => text !== '')
    const called = calls.map(({ function: of }) => (isRecord(of) ? of.arguments : undefined))
    return entry([content, texts.join('\n'), ...called])
  },
}

function isCycodMeta(value: Line): boolean {
  if (value.role !== undefined) return false
  return '_meta' in value || (Object.keys(value).join() === 'metadata' && isRecord(value.metadata))
}

function isListOf(value: unknown, is: (one: Line) => boolean): value is readonly Line[] {
  return Array.isArray(value) && value.every((one) => isRecord(one) && is(one))
}

const silentClaudeTypes = [
  'summary',
  'progress',
  'mode',
  'ai-title',
  'last-prompt',
  'queue-operation',
  'file-history-snapshot',
]

/** Every parent is missing, so that all records are on one way, whatever is damaged among them. */
const claudeCodeFormat: LedgerFormat = {
  reader: claudeCodeReader,
  isPacked: false,
  names: (random) =>
    numbers(fileCount(random)).map((i) => `projects/-home-mira/session-${i}.jsonl`),
  record(random, word) {
    const content = wordsOf(random, word)
    const timestamp = `2026-02-10T09:00:${10 + random.below(50)}.250Z`
    const place = { uuid: `id-${word}`, parentUuid: `gone-${word}`, sessionId: 's', timestamp }
    const message = { role: 'assistant', content: [{ type: 'text', text: content }] }
    const shapes: readonly [object, ...object[]] = [
      { ...place, type: 'user', message: { role: 'user', content } },
      { ...place, type: 'user', message: { role: 'user', content } },
      { ...place, type: 'assistant', message },
      { type: 'new', sessionId: 's', note: content },
      { type: 'summary', summary: content, leafUuid: 'gone' },
    ]
    return JSON.stringify(random.pick(shapes))
  },
  isWhole: (value) =>
    isRecord(value) &&
    typeof value.type === 'string' &&
    (typeof value.uuid === 'string' || typeof value.sessionId === 'string'),
  said(value, text) {
    if (!isRecord(value)) return { kind: 'damaged' }
    const { type, message, uuid, content } = value
    const id = typeof uuid === 'string' && uuid !== '' ? { id: uuid } : {}
    if (silentClaudeTypes.includes(String(type))) return { kind: 'control' }
    if ((type === 'user' || type === 'assistant') && isRecord(message))
      return oneText(message.content, id)
    if (type === 'system' && (typeof content !== 'string' || content.trim() === ''))
      return { kind: 'control' }
    return type === 'new' ? entry([text.trim()], id) : { kind: 'entry', ...id }
  },
}

const droidFormat: LedgerFormat = {
  reader: droidReader,
  isPacked: false,
  names: (random) => numbers(fileCount(random)).map((i) => `sessions/-home-mira/s-${i}.jsonl`),
  record(random, word) {
    const content = wordsOf(random, word)
    const timestamp = `2026-09-10T09:00:${10 + random.below(50)}.250Z`
    const parent = random.below(4) === 0 ? {} : { parentId: `gone-${word}` }
    const place = { id: `id-${word}`, timestamp, ...parent }
    const blocks = [{ type: 'text', text: content }]
    const shapes: readonly [object, ...object[]] = [
      { type: 'message', ...place, message: { role: 'user', content } },
      { type: 'message', ...place, message: { role: 'user', content: blocks } },
      { type: 'message', ...place, message: { role: 'assistant', content: blocks } },
      { type: 'new', ...place, note: content },
      { type: 'todo_state', ...place, todos: content },
      { type: 'session_start', id: `id-${word}`, title: content, version: 2 },
    ]
    return JSON.stringify(random.pick(shapes))
  },
  isWhole: (value) => isRecord(value) && areTexts(value, 'type', 'id'),
  said(value, text) {
    if (!isRecord(value)) return { kind: 'damaged' }
    const { type, message, id: own } = value
    if (silentDroidTypes.includes(String(type))) return { kind: 'control' }
    const id = typeof own === 'string' && own !== '' ? { id: own } : {}
    const isSpoken = type === 'message' && isRecord(message)
    if (isSpoken && (message.role === 'user' || message.role === 'assistant'))
      return oneText(message.content, id)
    return type === 'new' ? entry([text.trim()], id) : { kind: 'entry', ...id }
  },
}

const silentDroidTypes = ['session_start', 'todo_state', 'agent_turn_outcome']

/** The one text of content in Anthropic's form, unless the program may have put words in front of a person's. */
function oneText(content: unknown, id: { readonly id?: string }): Said {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  const isPlain = isListOf(
    blocks,
    ({ type, text }) => type === 'text' && typeof text === 'string' && !/^\s*[<#[C]/.test(text),
  )
  return isPlain && blocks.length === 1 ? entry([blocks[0]?.text], id) : { kind: 'entry', ...id }
}

const fluuxFormat: LedgerFormat = {
  reader: fluuxReader,
  isPacked: true,
  documents: ['history', 'sessions/20250101-000000'].map((name, i) => ({
    file: `mira@example.org/${name}.md`,
    bytes: Buffer.from(`# Archive\n\nUser: d${i}q are the peas up?\nAgent: später 🌱\n`),
  })),
  names: (random) =>
    ['history', 'sessions/20260201-070000', 'sessions/20260202-070000']
      .slice(0, fileCount(random))
      .map((name) => `mira@example.org/${name}.jsonl`),
  record(random, word) {
    const content = wordsOf(random, word)
    const ts = `2026-02-10T09:00:${10 + random.below(50)}.250000001+00:00`
    const shapes: readonly [object, ...object[]] = [
      { type: 'message', role: 'user', content, msg_id: word, sender: 'mira@example.org', ts },
      { type: 'message', role: 'user', content, ts },
      { type: 'message', role: 'assistant', content, msg_id: word, ts },
      { type: 'message', role: 'narrator', content },
      { type: 'session', version: 1, created: ts, jid: 'mira@example.org' },
    ]
    return JSON.stringify(random.pick(shapes))
  },
  isWhole: (value) => isRecord(value) && (value.type === 'session' || isFluuxMessage(value)),
  said(value, text) {
    if (!isRecord(value)) return { kind: 'damaged' }
    if (value.type === 'session') return { kind: 'control' }
    return entry([isFluuxMessage(value) ? value.content : text.trim()])
  },
}

function isFluuxMessage(value: Line): boolean {
  return value.type === 'message' && areTexts(value, 'role', 'content')
}

const voiceIds = [
  'conv_20250801_080000_aaaaaa',
  'conv_20250801_080000_bbbbbb',
  'ü "quoted" \\',
] as const

const voicemodeFormat: LedgerFormat = {
  reader: voicemodeReader,
  isPacked: true,
  documents: ['stt_20250628_103055_001', 'tts_20250628_103510_500', 'stt_20250628_104500_000'].map(
    (name, i) => ({
      file: `transcriptions/${name}.txt`,
      bytes: Buffer.from(
        `--- METADATA ---\ntype: ${name.slice(0, 3)}\nproject_path: /g\n--- TRANSCRIPT ---\n\nd${i}q wake me\n`,
      ),
    }),
  ),
  names: (random) =>
    numbers(fileCount(random)).map((i) => `logs/conversations/exchanges_2025-08-0${i + 1}.jsonl`),
  record(random, word) {
    const timestamp = `2025-08-0${1 + random.below(3)}T08:${10 + random.below(50)}:00.500000+02:00`
    const id = random.pick(voiceIds)
    const text = wordsOf(random, word)
    const line = {
      version: 3,
      timestamp,
      conversation_id: id,
      type: 'stt',
      text,
      project_path: '/g',
    }
    const ascii = (json: string) =>
      json.replace(
        /[^\0-\x7f]/g,
        (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
      )
    const spaced = Object.entries(line).map(([key, of]) => `"${key}": ${JSON.stringify(of)}`)
    const { version, ...old } = line
    const metadata = { voice_mode_version: '8.12.0', conversation_id: 'inner' }
    return random.pick([
      ascii(`{${spaced.join(', ')}}`),
      ascii(`{${spaced.join(', ')}}`),
      JSON.stringify(line),
      JSON.stringify({ ...old, type: 'tts' }),
      JSON.stringify({ text, conversation_id: id, version, timestamp, type: 'tts', metadata }),
      JSON.stringify({ version: 3, timestamp, type: 'stt', text, project_path: '/home/mira' }),
    ])
  },
  isWhole: (value) =>
    isRecord(value) && areTexts(value, 'conversation_id', 'timestamp', 'type', 'text'),
  said(value, text) {
    if (!isRecord(value)) return { kind: 'damaged' }
    const { conversation_id: id, type } = value
    const isPlain = typeof id === 'string' && id !== '' && id.length < 500
    const isNamedOnce = text.split('"conversation_id"').length === 2
    const key = isPlain && isNamedOnce && !id.includes('\ufffd') ? { key: id } : {}
    const wordless = type === 'stt' || type === 'tts' ? '' : text.trim()
    return entry([typeof value.text === 'string' ? value.text : wordless], key)
  },
}

const codexFormat: LedgerFormat = {
  reader: codexReader,
  isPacked: true,
  names: (random) =>
    numbers(fileCount(random)).map(
      (i) => `sessions/2026/09/1${i}/rollout-2026-09-1${i}T11-00-00-${codexIds[i]}.jsonl`,
    ),
  record(random, word) {
    const content = wordsOf(random, word)
    const timestamp = `2026-09-10T09:${10 + random.below(50)}:00.250Z`
    const call_id = `call_${word}`
    const items: readonly [object, ...object[]] = [
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: content }] },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: content }] },
      { type: 'reasoning', summary: [{ type: 'summary_text', text: content }] },
      { type: 'function_call', name: 'shell', arguments: JSON.stringify({ a: content }), call_id },
      { type: 'function_call_output', call_id, output: content },
      { type: 'new_item', content },
    ]
    const payload = random.pick(items)
    const event = { type: 'user_message', message: content }
    return JSON.stringify(
      random.below(6) === 0
        ? { timestamp, type: 'event_msg', payload: event }
        : { timestamp, type: 'response_item', payload },
    )
  },
  isWhole: (value) =>
    isRecord(value) && areTexts(value, 'timestamp', 'type') && isRecord(value.payload),
  said(value, text) {
    if (!isRecord(value)) return { kind: 'damaged' }
    const { type, payload } = value
    const isItem = typeof type === 'string' && isRecord(payload)
    if (!isItem) return { kind: isBareNote(value) ? 'control' : 'entry' }
    if (type === 'response_item') return saidByItem(payload, text)
    const isEvent = type === 'event_msg' && codexNotes.has(String(payload.type))
    return { kind: isEvent || codexNotes.has(type) ? 'control' : 'entry' }
  },
}

function saidByItem(item: Line, text: string): Said {
  const { type, role, content, summary } = item
  const words = [summary, content].flat().map((part) => (isRecord(part) ? part.text : part))
  const said = words.filter((one): one is string => typeof one === 'string' && one !== '')
  if (type === 'reasoning' && said.length === 0) return { kind: 'control' }
  if (type === 'new_item') return entry([text.trim()])
  const shape = Object.keys(item).join()
  const isOne = said.length === 1 && /^w\d+q /.test(said[0] ?? '')
  if (type === 'reasoning' && shape === 'type,summary' && isOne) return entry(said)
  const isSpoken = type === 'message' && (role === 'user' || role === 'assistant')
  if (isSpoken && shape === 'type,role,content' && isOne) return entry(said)
  const { arguments: args, output } = item
  const isCall = type === 'function_call' && shape === 'type,name,arguments,call_id'
  if (isCall && typeof args === 'string') return entry([args])
  const isResult = type === 'function_call_output' && shape === 'type,call_id,output'
  const isPlain = isResult && typeof output === 'string'
  return isPlain && !output.startsWith('{"output":') ? entry([output]) : { kind: 'entry' }
}

/** In the oldest files. */
function isBareNote(line: Line): boolean {
  if (line.type === 'reasoning') return saidByItem(line, '').kind === 'control'
  if (line.type !== undefined) return false
  return line.record_type !== undefined || areTexts(line, 'id', 'timestamp')
}

const codexIds = ['0a', '0b', '0c', '0d'].map((end) => `019cd6a1-5b1e-7c32-9a44-0d6f3b8e2a${end}`)
/** Lines and events that say nothing of their own; those that the fixtures have. */
const codexNotes = new Set(
  `session_meta turn_context world_state token_usage_record user_message agent_message agent_reasoning task_started
  task_complete turn_aborted token_count thread_rolled_back thread_name_updated exec_command_end`.split(
    /\s+/,
  ),
)

const copilotFormat: LedgerFormat = {
  reader: copilotReader,
  isPacked: false,
  names: (random) =>
    numbers(fileCount(random)).map((i) => `session-state/${codexIds[i]}/events.jsonl`),
  record(random, word) {
    const content = wordsOf(random, word)
    const events: readonly [object, ...object[]] = [
      { type: 'user.message', data: { content } },
      { type: 'assistant.message', data: { content, toolRequests: [] } },
      { type: 'assistant.reasoning', data: { content } },
      { type: 'tool.execution_complete', data: { toolCallId: word, result: { content } } },
      { type: 'new.event', data: { content } },
      { type: 'session.info', data: { message: content } },
    ]
    const timestamp = `2026-09-10T09:${10 + random.below(50)}:00.250Z`
    const agent = random.below(4) === 0 ? { agentId: random.pick(['a', 'b']) } : {}
    return JSON.stringify({ ...random.pick(events), id: word, timestamp, parentId: null, ...agent })
  },
  isWhole: (value) =>
    isRecord(value) && areTexts(value, 'id', 'timestamp', 'type') && isRecord(value.data),
  said(value, text) {
    if (!isRecord(value)) return { kind: 'damaged' }
    const { type, data } = value
    if (typeof type !== 'string' || !isRecord(data)) return entry([text.trim()])
    if (copilotNotes.has(type)) return { kind: 'control' }
    const { content, reasoningText: thought, toolRequests: calls } = data
    const words = type === 'tool.execution_complete' ? undefined : content
    if (type === 'assistant.reasoning')
      return isBlankText(words) ? { kind: 'control' } : entry([words])
    if (type === 'assistant.message') {
      const isSilent = (words ?? '') === '' && isBlankText(thought)
      if (isSilent && !(Array.isArray(calls) && calls.length > 0)) return { kind: 'control' }
    }
    const shape = Object.keys(data).join()
    const isSpoken = type === 'user.message' && shape === 'content'
    const isAnswer = type === 'assistant.message' && shape === 'content,toolRequests'
    const isPlain = isSpoken || (isAnswer && Array.isArray(calls) && calls.length === 0)
    if (isPlain && typeof words === 'string') return entry([words])
    const result = shape === 'toolCallId,result' && isRecord(data.result) ? data.result : {}
    if (type === 'tool.execution_complete' && typeof result.content === 'string')
      return Object.keys(result).length === 1 ? entry([result.content]) : { kind: 'entry' }
    return type === 'new.event' ? entry([text.trim()]) : { kind: 'entry' }
  },
}

const isBlankText = (value: unknown) => typeof value !== 'string' || value.trim() === ''

/** Events that nobody says; those that the fixtures have. */
const copilotNotes = new Set(
  `session.start session.resume session.info session.shutdown session.title_changed assistant.turn_start tool.execution_start
  subagent.started subagent.completed`.split(/\s+/),
)

export const ledgerFormats: readonly LedgerFormat[] = [
  chibiFormat,
  claudeCodeFormat,
  cycodFormat,
  fluuxFormat,
  voicemodeFormat,
  codexFormat,
  copilotFormat,
  droidFormat,
]

/** The files of lines that stand in a format's fixtures, real-shaped and with what it is known for. */
export function fixtureFiles({ reader }: LedgerFormat): readonly Buffer[] {
  const fixtures = path.join(__dirname, '../fixtures')
  const folders = [path.join(fixtures, 'readers', reader.id)]
  if (reader.id === 'chibi') folders.push(path.join(fixtures, 'chibi'))
  return (
    folders
      .flatMap((folder) =>
        fs
          .readdirSync(folder, { recursive: true, encoding: 'utf8' })
          .sort()
          .map((name) => path.join(folder, name)),
      )
      .filter((file) => file.endsWith('.jsonl') && path.basename(file) !== 'expected.jsonl')
      .map((file) => fs.readFileSync(file))
      .filter(({ length }) => length < 20_000)
      // A thread that goes on from another one is not whole without that.
      .filter((bytes) => !bytes.includes('"history_base"'))
  )
}

/** A line as it stands, found by looking for the byte 0x0A alone. */
export interface PlainLine {
  readonly number: number
  readonly offset: number
  readonly bytes: Buffer
  readonly ended: boolean
  /** Decoded, without a byte order mark. */
  readonly text: string
  readonly isBlank: boolean
  /** Undefined where it does not parse. */
  readonly value: { readonly json: unknown } | undefined
}

export function plainLines(bytes: Buffer): readonly PlainLine[] {
  const lines: PlainLine[] = []
  let start = 0
  for (let at = 0; at <= bytes.length; at++) {
    const ended = at < bytes.length
    if (ended && bytes[at] !== 0x0a) continue
    if (!ended && start === at) break
    const own = bytes.subarray(start, at)
    const decoded = own.toString('utf8')
    const text = decoded.startsWith('\ufeff') ? decoded.slice(1) : decoded
    const isBlank = text.trim() === ''
    const value = isBlank ? undefined : parsed(text)
    lines.push({ number: lines.length + 1, offset: start, bytes: own, ended, text, isBlank, value })
    start = at + 1
  }
  return lines
}

function parsed(text: string): PlainLine['value'] {
  try {
    return { json: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}
