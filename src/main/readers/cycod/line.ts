import { z } from 'zod'
import { isJsonObject } from '../../../shared/model/basics/json-object'
import type { ValuePosition } from '../../disk/json/json-accept'
import { recordOf } from '../common/record-values'
import type { NamelessEntry } from '../common/value-meaning'
import { type CycodPart, contentPart, partsOfContents, toolCallPart } from './parts'

/** The content of one line of a cycod file. */
export type CycodLine =
  | { readonly type: 'entries'; readonly entries: readonly NamelessEntry[] }
  | {
      readonly type: 'control'
      readonly title: string | undefined
    }

/**
 * Converts one line: a message in OpenAI's shape, or in that of Microsoft.Extensions.AI; or cycod's own `_meta` line.
 * Uses nothing but this line. A tool's result comes from "tool": the line does not name the tool.
 */
export function cycodLine(
  value: unknown,
  text: string,
  position: ValuePosition,
): CycodLine | string {
  const record = recordOf(value)
  if (typeof record === 'string') return record
  // Arguments and results of a torn message may themselves look like messages.
  if (position === 'inside-torn') return 'a part of a torn message'
  if (record.role === undefined && '_meta' in record)
    return { type: 'control', title: titleIn(record._meta) }
  if (record.role === undefined && isMistakenMeta(record))
    return { type: 'control', title: titleIn(record.metadata) }
  if (position === 'recovered' && typeof record.role !== 'string') return 'not a message'
  return { type: 'entries', entries: entriesOf(record, text) }
}

type Message = Readonly<Record<string, unknown>>

const Title = z.object({ title: z.string().trim().min(1) })

function titleIn(meta: unknown): string | undefined {
  return Title.safeParse(meta).data?.title
}

/** Returns true for a line with `metadata` as its only key, which stands for cycod's `_meta`. */
export function isMistakenMeta(message: Message): boolean {
  return Object.keys(message).join() === 'metadata' && isJsonObject(message.metadata)
}

type Speaker = Pick<NamelessEntry, 'from' | 'to' | 'entry_type' | 'role' | 'metadata'>

const speakers: ReadonlyMap<unknown, Speaker> = new Map([
  ['system', { from: 'system', to: 'cycod', entry_type: 'message', role: 'system' }],
  ['user', { from: 'user', to: 'cycod', entry_type: 'message', role: 'user' }],
  ['assistant', { from: 'cycod', to: 'user', entry_type: 'message', role: 'agent' }],
  ['tool', { from: 'tool', to: 'cycod', entry_type: 'tool_result' }],
  // The role of the system prompt for newer models; cycod writes it and cannot read it.
  [
    'developer',
    {
      from: 'system',
      to: 'cycod',
      entry_type: 'message',
      role: 'system',
      metadata: { raw_type: 'developer' },
    },
  ],
] satisfies [string, Speaker][])

function speakerOf(message: Message): Speaker {
  const known = speakers.get(message.role)
  const name = message.name ?? message.authorName
  if (known !== undefined)
    return typeof name === 'string' && name ? { ...known, from: name } : known
  const { role = '' } = message
  const raw = typeof role === 'string' ? role : JSON.stringify(role)
  return { from: raw, to: 'cycod', entry_type: 'unknown', metadata: { raw_type: raw } }
}

function entriesOf(message: Message, text: string): readonly NamelessEntry[] {
  const speaker = speakerOf(message)
  const parts: CycodPart[] = []
  const others: [string, unknown][] = []
  // In the line's own order: some writers put calls before text.
  for (const [key, value] of Object.entries(message)) {
    const own = partsOf(key, value)
    if (own !== undefined) parts.push(...own)
    else if (!spokenFor.has(key) && value !== null) others.push([key, value])
  }
  const id = message.tool_call_id
  const base = {
    timestamp: null,
    ...speaker,
    ...(typeof id === 'string' ? { tool_call_id: id } : {}),
  }
  const [first, ...further] = joinParts(parts, base)
  const fields = others.length === 0 ? {} : { raw_fields: Object.fromEntries(others) }
  // Nobody knows what matters in a line of an unknown kind without words: it is kept as it is.
  if (first === undefined) {
    const content = speaker.entry_type === 'unknown' ? text.trim() : ''
    return [withMetadata({ ...base, content }, content === '' ? fields : {})]
  }
  return [withMetadata(first, fields), ...further]
}

/** Keys that are in the entry under another name. */
const spokenFor: ReadonlySet<string> = new Set(['role', 'name', 'authorName', 'tool_call_id'])

/** The parts under a key of a message; undefined for keys that hold none. */
function partsOf(key: string, value: unknown): readonly CycodPart[] | undefined {
  if (key === 'content') {
    if (value === null) return []
    if (typeof value === 'string') return [{ type: 'text', text: value }]
    return Array.isArray(value) ? value.map(contentPart) : undefined
  }
  if (!Array.isArray(value)) return undefined
  if (key === 'contents') return value.map(partsOfContents)
  return key === 'tool_calls' ? value.map(toolCallPart) : undefined
}

/** Text with its attachments is one entry; calls, results and reasoning are entries of their own. */
function joinParts(
  parts: readonly CycodPart[],
  base: Omit<NamelessEntry, 'content'>,
): readonly NamelessEntry[] {
  const entries: NamelessEntry[] = []
  let texts: string[] = []
  let attached: Record<string, unknown[]> = {}
  const endMessage = () => {
    if (texts.length > 0 || Object.keys(attached).length > 0)
      entries.push(withMetadata({ ...base, content: texts.join('\n') }, attached))
    texts = []
    attached = {}
  }
  for (const part of parts) {
    if (part.type === 'text' && part.text !== '') texts.push(part.text)
    if (part.type === 'attached') attached[part.key] = [...(attached[part.key] ?? []), part.value]
    if (part.type !== 'entry') continue
    endMessage()
    entries.push({ timestamp: null, ...part.entry })
  }
  endMessage()
  return entries
}

function withMetadata(
  entry: NamelessEntry,
  more: Readonly<Record<string, unknown>>,
): NamelessEntry {
  if (Object.keys(more).length === 0) return entry
  return { ...entry, metadata: { ...entry.metadata, ...more } }
}
