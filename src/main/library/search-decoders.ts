import { type EntryDraft, speakerOf } from '../../shared/model/entry'
import type { SearchableEntry, SearchDecoders } from '../../shared/model/search'
import { decodeLine } from '../store/entry-line'

/** How each source's files are read for search, by the name that `SearchFile.decoder` gives. One line a source. */
export const searchDecoders: SearchDecoders = {
  chibi: { unit: 'line', decode: decodeChibiLine },
}

/** A line of a chibi transcript; also what was recovered from a damaged one. */
function decodeChibiLine(line: string): readonly SearchableEntry[] {
  const whole = plainEntry(line)
  if (whole !== undefined) return [searchable(whole)]
  const bytes = Buffer.from(line)
  const decoded = decodeLine({ bytes, offset: 0, length: bytes.length, ended: true })
  if (decoded.type === 'entry') return [searchable(decoded.draft)]
  return decoded.type === 'damaged' ? decoded.recovered.map(searchable) : []
}

type Fields = Pick<
  EntryDraft,
  'id' | 'timestamp' | 'from' | 'to' | 'content' | 'entry_type' | 'role'
>

/** The usual line, read without schemas: a search decodes thousands of lines a second. What differs goes the long way. */
function plainEntry(line: string): Fields | undefined {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const { id, timestamp, from, to, content, entry_type, role } = value as Record<string, unknown>
  const isPlain =
    [id, from, to, content, entry_type].every((field) => typeof field === 'string') &&
    (timestamp === null || Number.isFinite(timestamp)) &&
    (role === undefined ||
      role === null ||
      role === 'user' ||
      role === 'agent' ||
      role === 'system')
  return isPlain ? (value as Fields) : undefined // every field was looked at above
}

function searchable(entry: Fields): SearchableEntry {
  const { entry_type: type, content } = entry
  const isCall = type === 'tool_call' || type === 'flow_control_call'
  const isResult = type === 'tool_result' || type === 'flow_control_result'
  const role = entry.role ?? speakerOf(entry)
  return {
    entryId: entry.id,
    timestamp: entry.timestamp,
    field: isCall ? 'arguments' : isResult ? 'result' : 'content',
    text: isCall ? decodeArguments(content) : content,
    type,
    ...(role === undefined ? {} : { role }),
    ...(isCall ? { tool: entry.to } : isResult ? { tool: entry.from } : {}),
  }
}

const escapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

/**
 * The JSON text of tool arguments with its escapes undone, its punctuation left: `C:\x` and `"path":` are both found, and
 * text that is no whole JSON, as models write it, needs no other way.
 */
function decodeArguments(json: string): string {
  if (!json.includes('\\')) return json
  return json.replace(/\\(?:u([0-9a-fA-F]{4})|(["\\/bfnrt]))/g, (_, hex: string, char: string) =>
    hex === undefined ? (escapes[char] ?? char) : String.fromCharCode(Number.parseInt(hex, 16)),
  )
}
