import { z } from 'zod'
import { isJsonObject } from '../../../shared/model/basics/json-object'
import type { ValuePosition } from '../../disk/json/json-accept'
import type { DocumentLine } from '../common/read-record-file'
import { depthFault } from '../common/record-values'
import type { NamelessEntry, RecordLink } from '../common/value-meaning'
import { chatgptAttached } from './attachments'
import { contentOf, type MessageContent } from './content'
import { chatgptHead, secondsIn } from './head'

/** A line of a conversation: a node of its tree, or its own members. */
type ChatgptLine = DocumentLine

const Message = z.looseObject({
  author: z.looseObject({ role: z.string(), name: z.string().nullish() }),
  content: z.looseObject({ content_type: z.string().catch('') }).catch({ content_type: '' }),
  recipient: z.string().nullish().catch(null),
  metadata: z.looseObject({}).nullish().catch(null),
})
type Message = z.infer<typeof Message>

/** Converts one line of a conversation's record file. Uses nothing but this line. */
export function chatgptLine(
  value: unknown,
  text: string,
  position: ValuePosition,
): ChatgptLine | string {
  const fault = depthFault(value)
  if (fault !== undefined) return fault
  if (position === 'inside-torn') return 'a part of a torn node'
  // Another value among the conversations; see main/records.
  if (Array.isArray(value)) return otherLine(value[0], text)
  if (value === null) return { type: 'control' }
  if (!isJsonObject(value)) return 'not a JSON object'
  const isNode = 'message' in value || 'children' in value || 'parent' in value
  return isNode ? nodeLine(value, text) : headLine(value)
}

function otherLine(value: unknown, text: string): ChatgptLine {
  const line = unknownLine(text.trim().slice(1, -1))
  return isJsonObject(value) ? { ...line, head: chatgptHead(value) } : line
}

function headLine(value: Readonly<Record<string, unknown>>): ChatgptLine {
  const { current_node } = value
  return {
    type: 'control',
    head: chatgptHead(value),
    ...(typeof current_node === 'string' ? { link: { leaf: current_node } } : {}),
  }
}

function nodeLine(node: Readonly<Record<string, unknown>>, text: string): ChatgptLine {
  const { id, parent, message } = node
  const link: RecordLink | undefined =
    typeof id === 'string' ? { id, parent: typeof parent === 'string' ? parent : null } : undefined
  const linked = link === undefined ? {} : { link }
  if (message == null) return { type: 'control', ...linked }
  const parsed = Message.safeParse(message)
  if (!parsed.success) return { ...unknownLine(text), ...linked }
  const content = contentOf(parsed.data.content)
  if (isSilent(parsed.data, content)) return { type: 'control', ...linked }
  const entry = entryOf(parsed.data, content, link)
  const { create_time } = parsed.data
  return {
    type: 'entries',
    entries: [{ timestamp: secondsIn(create_time) ?? null, ...entry }],
    ...linked,
  }
}

/** Hidden nodes without words hold the tree together. */
function isSilent(message: Message, { text, parts = [], fields }: MessageContent): boolean {
  const isEmpty = text.trim() === '' && parts.length === 0 && Object.keys(fields).length === 0
  return isHidden(message) && isEmpty
}

function isHidden({ metadata, weight }: Message): boolean {
  return metadata?.is_visually_hidden_from_conversation === true || weight === 0
}

type TimelessEntry = Omit<NamelessEntry, 'timestamp'>

function entryOf(
  message: Message,
  content: MessageContent,
  link: RecordLink | undefined,
): TimelessEntry {
  const entry = speakerOf(message, content, link)
  const metadata = {
    ...entry.metadata,
    ...(isHidden(message) ? { injected: true } : {}),
    ...metadataOf(message, content),
  }
  return {
    ...entry,
    content: content.text,
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  }
}

function speakerOf(
  message: Message,
  { type, rawType }: MessageContent,
  link: RecordLink | undefined,
): Omit<TimelessEntry, 'content'> {
  const { author, recipient } = message
  const raw = rawType === undefined ? {} : { metadata: { raw_type: rawType } }
  switch (author.role) {
    case 'user':
      return { from: 'user', to: 'chatgpt', entry_type: typeFor(type), role: 'user', ...raw }
    case 'assistant':
      if (type === 'reasoning')
        return { from: 'chatgpt', to: 'user', entry_type: 'reasoning', ...raw }
      if (recipient && recipient !== 'all') {
        const call = link?.id === undefined ? {} : { tool_call_id: link.id }
        return { from: 'chatgpt', to: recipient, entry_type: 'tool_call', ...call, ...raw }
      }
      return { from: 'chatgpt', to: 'user', entry_type: typeFor(type), role: 'agent', ...raw }
    case 'tool': {
      // A result goes on from its call.
      const call = typeof link?.parent === 'string' ? { tool_call_id: link.parent } : {}
      const from = author.name || 'tool'
      return { from, to: 'chatgpt', entry_type: 'tool_result', ...call, ...raw }
    }
    case 'system':
      return { from: 'system', to: 'chatgpt', entry_type: typeFor(type), role: 'system', ...raw }
    default: {
      const metadata = { raw_type: author.role }
      return { from: author.role, to: 'chatgpt', entry_type: 'unknown', metadata }
    }
  }
}

function typeFor(type: MessageContent['type']): string {
  return type === 'unknown' ? 'unknown' : 'message'
}

/** Members of a message that are in the entry under another name, or say nothing about it. */
const spokenFor: ReadonlySet<string> = new Set([
  'id',
  'author',
  'content',
  'create_time',
  'recipient',
  'metadata',
])

function metadataOf(message: Message, content: MessageContent): Readonly<Record<string, unknown>> {
  const { metadata, author } = message
  const { model_slug, attachments: named, ...others } = metadata ?? {}
  const { images, attachments } = chatgptAttached(content.parts ?? [], named)
  const fields = Object.entries(message).filter(
    ([key, value]) => !spokenFor.has(key) && value != null && !isUsual(key, value),
  )
  const told = Object.entries(others).filter(([, value]) => value != null)
  const about = [
    ...fields,
    ...Object.entries(content.fields),
    ...(author.name && author.role !== 'tool' ? [['author_name', author.name]] : []),
    ...(told.length === 0 ? [] : [['metadata', Object.fromEntries(told)]]),
  ]
  return {
    ...(typeof model_slug === 'string' ? { model: model_slug } : {}),
    ...(images.length > 0 ? { images } : {}),
    ...(attachments.length > 0 ? { attachments } : {}),
    ...(about.length === 0 ? {} : { raw_fields: Object.fromEntries(about) }),
  }
}

/** Says whether nearly every message has this value. */
function isUsual(key: string, value: unknown): boolean {
  return (
    (key === 'status' && value === 'finished_successfully') ||
    (key === 'weight' && value === 1) ||
    key === 'end_turn'
  )
}

function unknownLine(text: string): Extract<ChatgptLine, { type: 'entries' }> {
  const metadata = { raw_type: 'unknown' }
  const entry = { timestamp: null, from: 'chatgpt', to: 'user', entry_type: 'unknown', metadata }
  return { type: 'entries', entries: [{ ...entry, content: text.trim() }] }
}
