import type { SearchableEntry, SearchDecoder } from '../../../shared/model/search'
import { parsedLine } from '../../disk/json/json-line'
import { decodeLine } from '../lines/entry-line'
import { toSearchableEntry } from './searchable-entry'

/** The search decoder of chibi transcripts, with what was recovered from damaged lines. */
export const chibiDecoder: SearchDecoder = {
  unit: 'line',
  decode: decodeChibiLine,
  keepsSigns: true,
}

/** A line of a chibi transcript; also what was recovered from a damaged one. */
function decodeChibiLine(line: string): readonly SearchableEntry[] {
  const whole = plainEntry(line)
  if (whole !== undefined) return [toSearchableEntry(whole)]
  const bytes = Buffer.from(line)
  const decoded = decodeLine({ bytes, offset: 0, length: bytes.length, ended: true })
  if (decoded.type === 'entry') return [toSearchableEntry(decoded.draft)]
  return decoded.type === 'damaged' ? decoded.recovered.map(toSearchableEntry) : []
}

type Fields = Parameters<typeof toSearchableEntry>[0]

/** The usual line, read without schemas: a search decodes thousands of lines a second. What differs goes the long way. */
function plainEntry(line: string): Fields | undefined {
  const value = parsedLine(line)
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
  return isPlain ? (value as Fields) : undefined // every field was checked above
}
