import type { SearchableEntry, SearchDecoder } from '../../../shared/model/search'
import { parsedLine } from '../../disk/json/json-line'
import { decodeLineWithRemains } from '../lines/entry-line'
import { searchableDamage, toSearchableEntry } from './searchable-entry'

/** The search decoder of chibi transcripts, with what was recovered from damaged lines. */
export const chibiDecoder: SearchDecoder = {
  unit: 'line',
  decode: decodeChibiLine,
  keepsSigns: true,
}

/** A line of a chibi transcript; of a damaged one what was recovered, and the rest as it is. */
function decodeChibiLine(line: string, number: number): readonly SearchableEntry[] {
  const whole = plainEntry(line)
  if (whole !== undefined) return [toSearchableEntry(whole)]
  const { values, remains } = decodeLineWithRemains(line)
  const entries = values.map(toSearchableEntry)
  return remains === undefined ? entries : [searchableDamage(remains, number), ...entries]
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
