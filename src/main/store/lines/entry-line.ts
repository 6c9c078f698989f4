import { z } from 'zod'
import { weightOf } from '../../../shared/model/basics/weight'
import { wellFormed, wellFormedJson } from '../../../shared/model/basics/well-formed'
import { type EntryDraft, EntryId, Role } from '../../../shared/model/conversation/entry'
import type { AcceptValue } from '../../disk/json/json-accept'
import {
  decodeJsonLine,
  decodeJsonLineInSlices,
  type JsonLine,
  shortLineBytes,
} from '../../disk/json/json-line'
import { decodeWithRemains, type LineWithRemains } from '../../disk/json/json-remains'
import { jsonBytes } from '../../disk/json/json-write'
import { runInSlices, type Sliced, type YieldToOthers } from '../../disk/pacing/slices'
import type { FileLine } from '../../disk/reading/lines'
import { flattenDeepFields, flattenDeepFieldsInSlices } from './deep-fields'

/** The content of a line of a transcript. */
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
 * Decodes one line, without its byte order mark and carriage return. Bad UTF-8 is replaced and flagged by
 * `metadata.damaged`, metadata that is nested too deeply becomes text in `metadata.deep_fields`, and unknown keys are
 * left out. Never throws.
 *
 * It blocks, as `decodeJsonLine` does.
 */
export function decodeLine(line: FileLine): DecodedLine {
  return decodedLine(decodeJsonLine(line, entryOf))
}

/** Decodes one line with all that it holds, for search: its entries, and what of a damaged one is in none of them. */
export function decodeLineWithRemains(line: string): LineWithRemains<EntryDraft> {
  return decodeWithRemains(line, entryOf)
}

/** Decodes like `decodeLine`, and yields to other work where the line is long or damaged. */
export function decodeLineAsync(
  line: FileLine,
  giveWay?: YieldToOthers,
): DecodedLine | Promise<DecodedLine> {
  const decoded = decodeJsonLineInSlices(line, entryOf, giveWay)
  return decoded instanceof Promise ? decoded.then(decodedLine) : decodedLine(decoded)
}

function decodedLine(decoded: JsonLine<EntryDraft>): DecodedLine {
  switch (decoded.type) {
    case 'blank':
      return decoded
    case 'value': {
      const { value, hasBadBytes } = decoded
      return { type: 'entry', draft: hasBadBytes ? marked(value, 'damaged') : value }
    }
    case 'damaged':
      return {
        ...decoded,
        recovered: decoded.recovered.map((draft) => marked(draft, 'recovered')),
      }
  }
}

/**
 * Encodes an entry as chibi writes it: compact, in chibi's key order, whole seconds, every string well formed; without
 * the line feed. A null timestamp becomes `nowSeconds`; metadata that is nested too deeply is written as text.
 */
export function encodeEntry(draft: EntryDraft, nowSeconds: number): Uint8Array {
  const metadata = draft.metadata && flattenDeepFields(draft.metadata)
  return Buffer.from(wellFormedJson(lineOf(draft, metadata, nowSeconds)), 'utf8')
}

/** Encodes like `encodeEntry`, and yields to other work where the entry is long. */
export function encodeEntryAsync(
  draft: EntryDraft,
  nowSeconds: number,
  giveWay?: YieldToOthers,
): Uint8Array | Promise<Uint8Array> {
  if (weightOf(draft, shortLineBytes) <= shortLineBytes) return encodeEntry(draft, nowSeconds)
  return runInSlices(encodedInSlices(draft, nowSeconds), giveWay)
}

function* encodedInSlices(draft: EntryDraft, nowSeconds: number): Sliced<Uint8Array> {
  const metadata = draft.metadata && (yield* flattenDeepFieldsInSlices(draft.metadata))
  return yield* jsonBytes(lineOf(draft, metadata, nowSeconds), wellFormed)
}

function lineOf(
  draft: EntryDraft,
  metadata: EntryDraft['metadata'],
  nowSeconds: number,
): Readonly<Record<string, unknown>> {
  const seconds = draft.timestamp ?? nowSeconds
  return {
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
}

const entryOf: AcceptValue<EntryDraft> = Object.assign(
  (value: unknown) => {
    const entry = toEntry(value)
    if (typeof entry === 'string' || entry.metadata === undefined) return entry
    entry.metadata = flattenDeepFields(entry.metadata)
    return entry
  },
  {
    *inSlices(value: unknown): Sliced<EntryDraft | string> {
      const entry = toEntry(value)
      if (typeof entry === 'string' || entry.metadata === undefined) return entry
      entry.metadata = yield* flattenDeepFieldsInSlices(entry.metadata)
      return entry
    },
  },
)

/** Its metadata may be nested too deeply. */
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

function marked(entry: EntryDraft, mark: 'damaged' | 'recovered'): EntryDraft {
  return { ...entry, metadata: { ...entry.metadata, [mark]: true } }
}
