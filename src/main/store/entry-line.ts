import { isUtf8 } from 'node:buffer'
import { z } from 'zod'
import { type EntryDraft, EntryId, Role } from '../../shared/model/entry'
import type { RawLine } from '../disk/lines'
import { endOfValue, type JsonFault } from './json-values'

/** What a line of a transcript holds. */
export type DecodedLine =
  | { readonly type: 'blank' }
  | { readonly type: 'entry'; readonly draft: EntryDraft }
  | {
      readonly type: 'damaged'
      readonly reason: string
      /** It does not parse and has no line feed yet: it may still be growing. */
      readonly torn: boolean
      /** Every whole entry on the line, as after a lost line feed; marked `metadata.recovered`. */
      readonly recovered: readonly EntryDraft[]
    }

// chibi wants whole seconds from 0 up; any number is read, and null as "no time", since nothing is lost by it.
const Required = z.object({
  id: EntryId,
  timestamp: z.number().nullable(),
  from: z.string(),
  to: z.string(),
  content: z.string(),
  entry_type: z.string(),
})

const optionalFields = [
  ['metadata', z.record(z.string(), z.unknown())],
  ['tool_call_id', z.string()],
  ['role', Role],
  ['flow_control', z.boolean()],
] as const

/**
 * Decodes one line: a byte order mark and a carriage return are no part of it, bad UTF-8 is replaced and marked
 * `metadata.damaged`, unknown keys stay in the line alone. Never throws.
 */
export function decodeLine(line: RawLine): DecodedLine {
  if (line.bytes.length < line.length)
    return damaged(`the line is ${line.length} bytes long, too long to be read`, false)
  const bytes = Buffer.from(line.bytes.buffer, line.bytes.byteOffset, line.bytes.byteLength)
  const text = withoutMark(bytes.toString('utf8'))
  if (text.trim() === '') return { type: 'blank' }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return unparsable(text, !line.ended)
  }
  const entry = toEntry(value)
  if (typeof entry === 'string') return damaged(entry, false)
  const wasReplaced = text.includes('\ufffd') && !isUtf8(bytes)
  return { type: 'entry', draft: wasReplaced ? marked(entry, 'damaged') : entry }
}

/**
 * One entry as chibi writes it: compact, in chibi's key order, whole seconds, every string well formed; without the
 * line feed. A null timestamp becomes `nowSeconds`.
 */
export function encodeEntry(draft: EntryDraft, nowSeconds: number): Uint8Array {
  const { metadata } = draft
  const seconds = draft.timestamp ?? nowSeconds
  const line = {
    id: draft.id,
    timestamp: Math.max(0, Math.floor(seconds)),
    from: draft.from,
    to: draft.to,
    content: draft.content,
    entry_type: draft.entry_type,
    ...(metadata !== undefined && Object.keys(metadata).length > 0 ? { metadata } : {}),
    ...(draft.tool_call_id === undefined ? {} : { tool_call_id: draft.tool_call_id }),
    ...(draft.role === undefined ? {} : { role: draft.role }),
    // chibi writes it only when true.
    ...(draft.flow_control === true ? { flow_control: true } : {}),
  }
  return Buffer.from(JSON.stringify(wellFormed(line)), 'utf8')
}

function toEntry(value: unknown): EntryDraft | string {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return 'not a JSON object'
  const required = Required.safeParse(value)
  if (!required.success) return faultOf(value, required.error)
  // Built up in place: millions of lines go through here, and each copy would cost as much as parsing.
  const entry: EntryDraft = required.data
  let odd: Record<string, unknown> | undefined
  for (const [key, schema] of optionalFields) {
    const field = (value as Record<string, unknown>)[key]
    if (field === undefined || field === null) continue
    if (schema.safeParse(field).success) Object.assign(entry, { [key]: field })
    else odd = { ...odd, [key]: field }
  }
  // A field of an unknown shape does not make the words of the entry unreadable.
  if (odd !== undefined) entry.metadata = { ...entry.metadata, raw_fields: odd }
  return entry
}

function faultOf(value: object, error: z.ZodError): string {
  const key = String(error.issues[0]?.path[0])
  if (!(key in value)) return `"${key}" is missing`
  return `"${key}" is not a ${key === 'timestamp' ? 'number' : 'text'}`
}

function unparsable(text: string, torn: boolean): DecodedLine {
  if (/^\0+$/.test(text)) return damaged('only zero bytes, as a power failure leaves them', torn)
  const recovered = wholeEntries(text)
  if (recovered.length > 0) {
    const many = recovered.length > 1 ? 'several records' : 'a whole record and other bytes'
    return { type: 'damaged', reason: `${many} on one line`, torn: false, recovered }
  }
  const end = endOfValue(text, 0)
  if (end.type === 'value') return damaged(`other bytes after a record at ${end.end}`, torn)
  return damaged(faultWords(end.fault, end.at), torn)
}

const faultWords = (fault: JsonFault, at: number): string =>
  ({
    'ends-in-string': 'the text ends inside a string',
    ends: 'the text ends inside a record',
    unexpected: `not JSON at character ${at + 1}`,
  })[fault]

/** Every whole entry in a text that is not one JSON value. */
function wholeEntries(text: string): readonly EntryDraft[] {
  const entries: EntryDraft[] = []
  // Hostile text may make every try run to its end; beyond this it is given up as one damaged line.
  let budget = 4 * text.length + 65_536
  for (let at = text.indexOf('{'); at >= 0 && budget > 0; ) {
    const end = endOfValue(text, at)
    const stop = end.type === 'value' ? end.end : end.at
    budget -= stop - at + 16
    const entry = end.type === 'value' ? parsedEntry(text.slice(at, end.end)) : undefined
    if (entry) entries.push(marked(entry, 'recovered'))
    // What stands inside a whole value is no record of its own.
    at = text.indexOf('{', end.type === 'value' ? stop : at + 1)
  }
  return entries
}

function parsedEntry(text: string): EntryDraft | undefined {
  try {
    const entry = toEntry(JSON.parse(text))
    return typeof entry === 'string' ? undefined : entry
  } catch {
    return undefined // The scan is a little kinder than JSON.parse.
  }
}

function marked(entry: EntryDraft, mark: 'damaged' | 'recovered'): EntryDraft {
  return { ...entry, metadata: { ...entry.metadata, [mark]: true } }
}

function damaged(reason: string, torn: boolean): DecodedLine {
  return { type: 'damaged', reason, torn, recovered: [] }
}

function withoutMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
}

/** chibi cannot read a lone surrogate: one would make its whole line unreadable there. */
function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return toWellFormed(value)
  if (Array.isArray(value)) return value.map(wellFormed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [toWellFormed(key), wellFormed(field)]),
  )
}

const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

function toWellFormed(text: string): string {
  // Missing in Node 18, which the types do not know.
  const native = (text as { toWellFormed?: () => string }).toWellFormed
  return native === undefined ? text.replace(loneSurrogate, '\ufffd') : native.call(text)
}
