import { isJsonObject, type JsonObject } from '../../../shared/model/basics/json-object'
import type { SourceId } from '../../../shared/model/conversation/sources'
import type { ConversationHead } from '../common/document-conversations'
import { type Fields, secondsOfMs, type TimelessEntry, textIn, withFields } from '../common/drafts'
import type { DocumentLine } from '../common/read-record-file'
import { isLostValue } from '../common/rows/value-lines'
import type { NamelessEntry } from '../common/value-meaning'
import type { ConversationTables } from './conversation-tables'

/** Meaning of the rows of a system's tables. */
export interface RowMeaning {
  readonly source: SourceId
  readonly tables: ConversationTables
  readonly headOf: (row: JsonObject) => ConversationHead
  /** Converts a message to entries, in the order of its data; the reason where it is none. */
  readonly entriesOf: (message: RowMessage) => readonly TimelessEntry[] | string
  /** Returns the tokens that a conversation's sums are; undefined for none. */
  readonly usageOf: (sums: JsonObject) => Fields | undefined
}

/** A message as its line has it. */
export interface RowMessage {
  readonly row: JsonObject
  readonly data: unknown
  /** Unix seconds; null where unknown. */
  readonly timestamp: number | null
}

/** Converts a line of a record file (`table-layout`) to its meaning. @param timeColumn of a message, in seconds or milliseconds */
export function rowLine(
  { source, tables, headOf, entriesOf, usageOf }: RowMeaning,
  line: JsonObject,
  timeColumn: string,
): DocumentLine | string {
  const row = isJsonObject(line.row) ? line.row : {}
  if (line.record === tables.heads.table) return headMeaning(headOf(row))
  if (line.record !== tables.messages.table) return 'not a row of a session'
  const { id, previous, data, sums } = line
  const link = { id: textIn(id) ?? '', parent: textIn(previous) ?? null }
  const timestamp = secondsOfNumber(row[timeColumn])
  if (isJsonObject(data) && isLostValue(data))
    return { type: 'entries', entries: [lostMessage(source, timestamp)], link }
  const drafts = entriesOf({ row, data, timestamp })
  if (typeof drafts === 'string') return drafts
  const usage = isJsonObject(sums) ? usageOf(sums) : undefined
  const entries = withUsageOf(drafts, usage).map((entry) => ({ timestamp, ...entry }))
  return entries.length === 0 ? { type: 'control', link } : { type: 'entries', entries, link }
}

/** Makes the meaning of a line that tells of its conversation. */
export function headMeaning(head: ConversationHead): DocumentLine {
  return { type: 'control', head, ...(head.model === undefined ? {} : { model: head.model }) }
}

/** Converts a time in Unix seconds or milliseconds to seconds; null for anything that is no time. */
export function secondsOfNumber(time: unknown): number | null {
  if (typeof time !== 'number' || time <= 0) return null
  return time < 1e11 ? time : (secondsOfMs(time) ?? null)
}

/** A message whose data is on a damaged page of the database. */
function lostMessage(source: string, timestamp: number | null): NamelessEntry {
  return {
    timestamp,
    from: source,
    to: 'user',
    content: '',
    entry_type: 'unknown',
    metadata: { raw_type: 'unreadable' },
  }
}

/** On the first words of an answer, else its first call, else its first entry. */
function withUsageOf(
  entries: readonly TimelessEntry[],
  usage: Fields | undefined,
): readonly TimelessEntry[] {
  if (usage === undefined) return entries
  const words = entries.findIndex(({ role }) => role === 'agent')
  const call = entries.findIndex(({ entry_type: type }) => type === 'tool_call')
  const bearer = words === -1 ? Math.max(call, 0) : words
  return entries.map((entry, at) => (at === bearer ? withFields(entry, { usage }) : entry))
}
