import { isJsonObject } from '../../../shared/model/basics/json-object'
import { pushAll } from '../../../shared/model/basics/long-lists'
import type { ValuePosition } from '../../disk/json/json-accept'
import type { ConversationHead } from '../common/document-conversations'
import type { DocumentLine } from '../common/read-record-file'
import { depthFault } from '../common/record-values'
import type { NamelessEntry, RecordLink } from '../common/value-meaning'
import { blockEntry, type MessageSpeaker, wordsOf } from './blocks'

/** Messages at the beginning of a conversation name this as the one before them. */
const rootParent = '00000000-0000-4000-8000-000000000000'

/** Converts one line of a conversation's record file: a message, or the conversation's own members. */
export function claudeAiLine(
  value: unknown,
  text: string,
  position: ValuePosition,
): DocumentLine | string {
  const fault = depthFault(value)
  if (fault !== undefined) return fault
  if (position === 'inside-torn') return 'a part of a torn message'
  // Another value among the conversations; see main/records.
  if (Array.isArray(value)) return otherLine(value[0], text)
  if (!isJsonObject(value)) return value === null ? { type: 'control' } : 'not a JSON object'
  const isMessage = 'sender' in value || 'content' in value || 'text' in value
  return isMessage ? messageLine(value) : { type: 'control', head: claudeAiHead(value) }
}

function otherLine(value: unknown, text: string): DocumentLine {
  const line = unknownLine(text.trim().slice(1, -1))
  return isJsonObject(value) ? { ...line, head: claudeAiHead(value) } : line
}

/** Returns what a list shows of a conversation, from its own members. */
export function claudeAiHead(facts: Readonly<Record<string, unknown>>): ConversationHead {
  const { uuid, name, created_at, updated_at } = facts
  return {
    id: typeof uuid === 'string' && uuid !== '' ? uuid : undefined,
    title: typeof name === 'string' ? name.trim() : '',
    project: null,
    createdAt: secondsIn(created_at),
    updatedAt: secondsIn(updated_at),
    model: undefined,
  }
}

function secondsIn(time: unknown): number | undefined {
  const ms = typeof time === 'string' ? Date.parse(time) : Number.NaN
  return Number.isNaN(ms) ? undefined : ms / 1000
}

type Message = Readonly<Record<string, unknown>>

/** Members that are in the entries under another name, or say nothing beside them. */
const spokenFor: ReadonlySet<string> = new Set([
  'uuid',
  'parent_message_uuid',
  'sender',
  'text',
  'content',
  'created_at',
  'attachments',
  'files',
  'files_v2',
])

function messageLine(message: Message): DocumentLine {
  const timestamp = secondsIn(message.created_at) ?? null
  const speaker = speakerOf(message.sender)
  const blocks = Array.isArray(message.content) ? message.content : []
  const told = aboutMessage(message)
  const entries: NamelessEntry[] = []
  let words: string[] = []
  let beside: unknown[] = []
  const endWords = () => {
    if (words.length > 0 || beside.length > 0)
      entries.push({
        timestamp,
        ...speaker,
        content: words.join('\n'),
        ...(beside.length === 0 ? {} : { metadata: { raw_fields: { content: beside } } }),
      })
    words = []
    beside = []
  }
  for (const block of blocks) {
    const own = wordsOf(block)
    if (own !== undefined) {
      if (own.text !== '') words.push(own.text)
      pushAll(beside, own.beside)
      continue
    }
    endWords()
    entries.push({ timestamp, ...blockEntry(block, speaker) })
  }
  endWords()
  const text = typeof message.text === 'string' ? message.text : ''
  const isSaid = entries.some(({ entry_type, content }) => entry_type === 'message' && content)
  // Either may be empty: the words are in the one or the other.
  if (!isSaid && text.trim() !== '') entries.push({ timestamp, ...speaker, content: text })
  if (entries.length === 0) entries.push({ timestamp, ...speaker, content: text })
  return {
    type: 'entries',
    entries: entries.map((entry, at) =>
      at === carrier(entries) ? withMetadata(entry, told) : entry,
    ),
    ...linkOf(message),
  }
}

/** Finds the entry that everything else of the message hangs on: its words, where it has some. */
function carrier(entries: readonly NamelessEntry[]): number {
  const said = entries.findIndex(({ entry_type, metadata }) => {
    return entry_type === 'message' && metadata?.injected !== true
  })
  return Math.max(0, said)
}

function linkOf({ uuid, parent_message_uuid: before }: Message): { readonly link?: RecordLink } {
  if (typeof uuid !== 'string') return {}
  // Older exports have no parents: their messages are one after the other.
  if (before === undefined) return {}
  const parent = typeof before === 'string' && before !== rootParent ? before : null
  return { link: { id: uuid, parent } }
}

function speakerOf(sender: unknown): MessageSpeaker {
  if (sender === 'human')
    return { from: 'user', to: 'claude.ai', entry_type: 'message', role: 'user' }
  if (sender === 'assistant')
    return { from: 'claude.ai', to: 'user', entry_type: 'message', role: 'agent' }
  const raw = typeof sender === 'string' ? sender : JSON.stringify(sender ?? '')
  return { from: raw, to: 'claude.ai', entry_type: 'unknown', metadata: { raw_type: raw } }
}

function aboutMessage(message: Message): Readonly<Record<string, unknown>> {
  const files = [message.attachments, message.files, message.files_v2].flatMap((list) =>
    Array.isArray(list) ? list.map(attachment) : [],
  )
  const { created_at, updated_at } = message
  const others = Object.entries(message).filter(
    ([key, value]) =>
      !spokenFor.has(key) && value != null && !(key === 'updated_at' && created_at === updated_at),
  )
  return {
    ...(files.length === 0 ? {} : { attachments: files }),
    ...(others.length === 0 ? {} : { raw_fields: Object.fromEntries(others) }),
  }
}

/** With the name under which the window shows it; the text that was taken out of a file is kept. */
function attachment(one: unknown): unknown {
  if (!isJsonObject(one)) return one
  const { file_name, file_type } = one
  return {
    ...one,
    filename: typeof file_name === 'string' && file_name !== '' ? file_name : 'file',
    ...(typeof file_type === 'string' && file_type !== '' ? { mime_type: file_type } : {}),
  }
}

function withMetadata(
  entry: NamelessEntry,
  more: Readonly<Record<string, unknown>>,
): NamelessEntry {
  if (Object.keys(more).length === 0) return entry
  const fields = { ...asFields(entry.metadata?.raw_fields), ...asFields(more.raw_fields) }
  const metadata = { ...entry.metadata, ...more }
  return {
    ...entry,
    metadata: Object.keys(fields).length === 0 ? metadata : { ...metadata, raw_fields: fields },
  }
}

function asFields(value: unknown): Readonly<Record<string, unknown>> {
  return isJsonObject(value) ? value : {}
}

function unknownLine(text: string): DocumentLine {
  const metadata = { raw_type: 'unknown' }
  const entry = { timestamp: null, from: 'claude.ai', to: 'user', entry_type: 'unknown', metadata }
  return { type: 'entries', entries: [{ ...entry, content: text.trim() }] }
}
