import { isJsonObject, type JsonObject } from '../../../../shared/model/basics/json-object'
import type { ValuePosition } from '../../../disk/json/json-accept'
import { depthFault } from '../../common/record-values'
import type { NamelessEntry, RecordLink, ValueMeaning } from '../../common/value-meaning'
import { objectAt, secondsFromMs, textAt } from './fields'
import { entriesOfMessage, entriesOfPart } from './version-one'
import { entriesOfRow } from './version-two'

/** Converts a line of a session's record file (`session-lines`) to its meaning. */
export function sessionLine(
  value: unknown,
  _text: string,
  position: ValuePosition,
): ValueMeaning | string {
  if (!isJsonObject(value)) return 'not a row of a session'
  const fault = depthFault(value)
  if (fault !== undefined) return fault
  const row = objectAt(value, 'row')
  switch (value.record) {
    case 'session':
    case 'session_v2':
      return { type: 'control' }
    case 'leaf': {
      const leaf = textAt(value, 'leaf')
      return leaf === undefined ? { type: 'control' } : { type: 'control', link: { leaf } }
    }
    case 'message': {
      if (!isJsonObject(value.data)) return 'a message whose data is no JSON object'
      const parts = partsOf(value.parts)
      if (typeof parts === 'string') return parts
      return meaningOf(value, row, entriesOfMessage(row, value.data, parts))
    }
    case 'session_message':
      if (!isJsonObject(value.data)) return 'a message whose data is no JSON object'
      return meaningOf(value, row, entriesOfRow(row, value.data))
    default:
      return lonePart(value, row, position)
  }
}

function meaningOf(
  value: JsonObject,
  row: JsonObject,
  entries: readonly NamelessEntry[],
): ValueMeaning {
  const id = textAt(row, 'id')
  const link: RecordLink | undefined =
    id === undefined ? undefined : { id, parent: textAt(value, 'previous') ?? null }
  const linked = link === undefined ? {} : { link }
  return entries.length === 0
    ? { type: 'control', ...linked }
    : { type: 'entries', entries, ...linked }
}

function partsOf(parts: unknown): readonly JsonObject[] | string {
  if (!Array.isArray(parts)) return 'a message without its parts'
  const found: JsonObject[] = []
  for (const part of parts) {
    if (!isJsonObject(part) || !isJsonObject(part.data))
      return 'a part whose data is no JSON object'
    found.push(part.data)
  }
  return found
}

/** A part whose message is gone, or damaged: nobody knows who said it. */
function lonePart(
  value: JsonObject,
  row: JsonObject,
  position: ValuePosition,
): ValueMeaning | string {
  // What a tool read may itself look like a row.
  if (position === 'inside-torn') return 'a part of a torn message'
  if (!isJsonObject(value.data) || textAt(row, 'message_id') === undefined)
    return 'not a row of a session'
  const speaker = { timestamp: secondsFromMs(row.time_created), role: undefined }
  const entries = entriesOfPart(speaker, value.data)
  return entries.length === 0 ? { type: 'control' } : { type: 'entries', entries }
}
