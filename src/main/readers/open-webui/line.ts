import { isJsonObject, type JsonObject } from '../../../shared/model/basics/json-object'
import type { ValuePosition } from '../../disk/json/json-accept'
import { textIn, unknownEntry } from '../common/drafts'
import type { DocumentLine } from '../common/read-record-file'
import { depthFault } from '../common/record-values'
import { isLostValue } from '../common/rows/value-lines'
import { chatHead } from './head'
import { webuiEntries } from './message'
import { secondsOf } from './times'

/** Converts one line of a chat's record file: of a database (`chat-lines`), or of an export. Uses nothing but this line. */
export function webuiLine(
  value: unknown,
  text: string,
  position: ValuePosition,
): DocumentLine | string {
  const fault = depthFault(value)
  if (fault !== undefined) return fault
  if (position === 'inside-torn') return 'a part of a torn message'
  // Another value among the chats of an export; see main/records.
  if (Array.isArray(value)) return otherLine(value[0], text)
  if (!isJsonObject(value)) return 'not a JSON object'
  if (value.record === 'message') return messageLine(value)
  if (value.record !== undefined || !isMessage(value))
    return position === 'line' ? { type: 'control', head: chatHead(value) } : 'not a message'
  return lineOf(value, textIn(value.id), textIn(value.parentId))
}

function otherLine(value: unknown, text: string): DocumentLine {
  const own = text.trim().slice(1, -1)
  const entry = { timestamp: null, ...unknownEntry('open-webui', 'chat', own) }
  const line: DocumentLine = { type: 'entries', entries: [entry] }
  return isJsonObject(value) ? { ...line, head: chatHead(value) } : line
}

function isMessage(value: JsonObject): boolean {
  return 'role' in value || 'parentId' in value || ('content' in value && !('chat' in value))
}

/** A line of a database has the message of the chat's document, that of its own row, or both. */
function messageLine({ id, parent, data, row }: JsonObject): DocumentLine | string {
  const inDocument = isJsonObject(data) ? data : {}
  if (isLostValue(inDocument)) return 'on a damaged page of the database'
  const message = { ...inDocument, ...(isJsonObject(row) ? ownFields(row, inDocument) : {}) }
  return lineOf(message, textIn(id), textIn(parent))
}

/** Names of a row's columns as they are in a document. */
const columns: Readonly<Record<string, string>> = {
  parent_id: 'parentId',
  model_id: 'model',
  status_history: 'statusHistory',
  context_summary: 'contextSummary',
  created_at: 'timestamp',
}

/** A row is ahead of the document, and says nothing where it has nothing. */
function ownFields(row: JsonObject, inDocument: JsonObject): JsonObject {
  const fields = Object.entries(row).flatMap(([column, value]): [string, unknown][] => {
    const name = columns[column] ?? column
    const isEmpty = value == null || value === '' || (Array.isArray(value) && value.length === 0)
    if (isEmpty || (name === 'timestamp' && inDocument.timestamp != null)) return []
    return [[name, value]]
  })
  return Object.fromEntries(fields)
}

function lineOf(
  message: JsonObject,
  id: string | undefined,
  parent: string | undefined,
): DocumentLine {
  const timestamp = secondsOf(message.timestamp) ?? null
  const [first, ...further] = webuiEntries(message).map((entry) => ({ timestamp, ...entry }))
  const link = id === undefined ? {} : { link: { id, parent: parent ?? null } }
  if (first === undefined) return { type: 'control', ...link }
  return { type: 'entries', entries: [first, ...further], ...link }
}
