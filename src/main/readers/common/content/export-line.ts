import { isJsonObject, type JsonObject } from '../../../../shared/model/basics/json-object'
import type { AcceptValue } from '../../../disk/json/json-accept'
import type { ConversationHead } from '../document-conversations'
import { type TimelessEntry, unknownEntry } from '../drafts'
import type { DocumentLine } from '../read-record-file'
import { depthFault } from '../record-values'
import type { RecordLink } from '../value-meaning'

/** The meaning of the values of an export. */
interface ExportMeaning {
  readonly source: string
  readonly headOf: (members: JsonObject) => ConversationHead
  /** Converts a record; undefined for what is none: the conversation's own members. */
  readonly recordOf: (value: JsonObject) => DocumentLine | undefined
}

/** Makes the conversion of a line of an export's record file (main/records), which uses nothing but this line. */
export function exportLine({ source, headOf, recordOf }: ExportMeaning): AcceptValue<DocumentLine> {
  return (value, text, position) => {
    const fault = depthFault(value)
    if (fault !== undefined) return fault
    if (position === 'inside-torn') return 'a part of a torn message'
    if (Array.isArray(value)) {
      // Another value among the conversations.
      const [other] = value
      const told = unknownEntry(source, 'conversation', text.trim().slice(1, -1))
      const line: DocumentLine = { type: 'entries', entries: [{ timestamp: null, ...told }] }
      return isJsonObject(other) ? { ...line, head: headOf(other) } : line
    }
    if (!isJsonObject(value)) return value === null ? { type: 'control' } : 'not a JSON object'
    return recordOf(value) ?? { type: 'control', head: headOf(value) }
  }
}

/** Makes the line of a record with its entries, all of one time; one without any holds the tree together. */
export function recordLine(
  entries: readonly TimelessEntry[],
  timestamp: number | undefined,
  link: RecordLink | undefined,
): DocumentLine {
  const linked = link === undefined ? {} : { link }
  const [first, ...further] = entries.map((entry) => ({ timestamp: timestamp ?? null, ...entry }))
  if (first === undefined) return { type: 'control', ...linked }
  return { type: 'entries', entries: [first, ...further], ...linked }
}
