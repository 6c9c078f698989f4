import type { ValuePosition } from '../../disk/json/json-accept'
import { timeIn } from '../common/drafts'
import { recordOf } from '../common/record-values'
import type { NamelessEntry } from '../common/value-meaning'
import { optionalFields } from './fields'

/** The content of one line of a fluux file. */
export type FluuxLine =
  | { readonly type: 'entries'; readonly entries: readonly NamelessEntry[] }
  /** The header of a session. */
  | {
      readonly type: 'control'
      /** Unix seconds. */
      readonly createdAt: number | undefined
      readonly jid: string | undefined
    }

/**
 * Converts one line: a session's header, or a message, which is one entry.
 *
 * A person's message is `from` the sender in the line (a bare JID, in a room `nick@muc`), else from "user", `to`
 * "fluux"; the model's is from "fluux" to "user", since a line does not name whom in a room it answers. The text stays
 * as it is, also where it was garbled before it was stored.
 */
export function fluuxLine(
  value: unknown,
  text: string,
  position: ValuePosition,
): FluuxLine | string {
  const record = recordOf(value)
  if (typeof record === 'string') return record
  const isHeader = record.type === 'session'
  // Parts of a message have no `type`: what has one is a line of its own, also inside what was torn.
  if (position !== 'line' && !isHeader && !isMessage(record)) return 'not a message'
  if (isHeader) return headerOf(record)
  return {
    type: 'entries',
    entries: [isMessage(record) ? messageOf(record) : unknownOf(record, text)],
  }
}

type Line = Readonly<Record<string, unknown>>
type Message = Line & { readonly role: string; readonly content: string }

function isMessage(line: Line): line is Message {
  const { type, role, content } = line
  return type === 'message' && typeof role === 'string' && typeof content === 'string'
}

function headerOf({ created, jid }: Line): FluuxLine {
  return {
    type: 'control',
    createdAt: timeIn(created),
    jid: typeof jid === 'string' && jid.trim() !== '' ? jid : undefined,
  }
}

function messageOf(message: Message): NamelessEntry {
  const { ts, content } = message
  const timestamp = timeOf(message)
  const unread = typeof ts === 'string' && timestamp === null ? { raw_ts: ts } : {}
  const { metadata: kind, ...speaker } = speakerOf(message)
  const metadata = { ...kind, ...fieldsOf(message), ...unread }
  const more = Object.keys(metadata).length === 0 ? {} : { metadata }
  return { timestamp, ...speaker, content, ...more }
}

function timeOf({ ts }: Line): number | null {
  return timeIn(ts) ?? null
}

type Speaker = Pick<NamelessEntry, 'from' | 'to' | 'entry_type' | 'role' | 'metadata'>

function speakerOf({ role, sender }: Message): Speaker {
  const name = typeof sender === 'string' && sender !== '' ? sender : undefined
  if (role === 'assistant')
    return { from: 'fluux', to: 'user', entry_type: 'message', role: 'agent' }
  if (role === 'user')
    return { from: name ?? 'user', to: 'fluux', entry_type: 'message', role: 'user' }
  return { from: name ?? role, to: 'fluux', entry_type: 'unknown', metadata: { raw_type: role } }
}

/** Keys that are in the entry under another name, or under their own. */
const spokenFor: ReadonlySet<string> = new Set(['type', 'role', 'content'])

/** Returns what has no field of its own in an entry; what is not of the format, or not of its shape, is in `raw_fields`. */
function fieldsOf(message: Message): Readonly<Record<string, unknown>> {
  const known: [string, unknown][] = []
  const others: [string, unknown][] = []
  for (const [key, value] of Object.entries(message)) {
    if (spokenFor.has(key)) continue
    const shape = optionalFields.get(key)
    if (shape === undefined) others.push([key, value])
    else if (value === null || (Array.isArray(value) && value.length === 0)) continue
    else if (!shape.safeParse(value).success) others.push([key, value])
    // Unchanged, with keys that the format does not have.
    else if (key !== 'ts') known.push([key, value])
  }
  const fields = Object.fromEntries(known)
  return others.length === 0 ? fields : { ...fields, raw_fields: Object.fromEntries(others) }
}

/** Nobody knows what matters in a line of an unknown kind: it is kept as it is. */
function unknownOf(line: Line, text: string): NamelessEntry {
  const { type } = line
  const raw = typeof type === 'string' ? type : type === undefined ? '' : JSON.stringify(type)
  return {
    timestamp: timeOf(line),
    from: 'fluux',
    to: 'user',
    content: text.trim(),
    entry_type: 'unknown',
    metadata: { raw_type: raw },
  }
}
