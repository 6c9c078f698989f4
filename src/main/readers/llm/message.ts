import { isJsonObject, type JsonObject } from '../../../shared/model/basics/json-object'
import { jsonText, type TimelessEntry, textIn, unknownEntry, withFields } from '../common/drafts'
import type { NamelessEntry } from '../common/value-meaning'
import {
  answerFields,
  filesWith,
  fragmentEntry,
  logCallEntry,
  logResultEntry,
  logThoughtEntry,
  modelOfRow,
  usageOfRow,
  withAnswerFields,
  wordsEntry,
} from './entries'
import { secondsOfUtc } from './times'

type Role = 'user' | 'agent' | 'system'

const roles: ReadonlyMap<unknown, Role> = new Map([
  ['user', 'user'],
  ['tool', 'user'],
  ['assistant', 'agent'],
  ['system', 'system'],
])

/** Converts a message to its entries, in the order of its parts; none for one without any. */
export function logMessageEntries(message: JsonObject): readonly NamelessEntry[] {
  const role = roles.get(message.role)
  const turn = isJsonObject(message.turn) ? message.turn : {}
  const time =
    role === 'agent'
      ? secondsOfUtc(turn.datetime_utc, turn.duration_ms)
      : secondsOfUtc(message.asked)
  const timestamp = time ?? null
  if (role === undefined) {
    const entry = unknownEntry('llm', jsonText(message.role) || 'message', JSON.stringify(message))
    return [{ timestamp, ...entry }]
  }
  const parts: readonly unknown[] = Array.isArray(message.parts) ? message.parts : []
  const entries = parts.flatMap((part) => partEntries(part, role))
  const files = parts.flatMap((part) =>
    isJsonObject(part) && part.type === 'attachment' ? listIn(part.attachments) : [],
  )
  const said = withFiles(entries, files, role)
  if (role !== 'agent') return said.map((entry) => ({ timestamp, ...entry }))
  const usage = usageOfRow(turn)
  const fields = { ...answerFields(turn), ...(usage === undefined ? {} : { usage }) }
  const model = modelOfRow(turn)
  return withAnswerFields(
    said.map((entry) => (entry.from === 'llm' ? withFields(entry, model) : entry)),
    fields,
  ).map((entry) => ({ timestamp, ...entry }))
}

function partEntries(part: unknown, role: Role): readonly TimelessEntry[] {
  if (!isJsonObject(part)) return [unknownEntry('llm', 'part', JSON.stringify(part))]
  const payload = isJsonObject(part.payload) ? part.payload : {}
  const named = { name: part.tool_name, ...payload }
  switch (part.type) {
    case 'text':
      return textEntries(part, payload, role)
    case 'reasoning': {
      const text = textIn(part.text) ?? textIn(payload.text)
      if (text !== undefined) return [logThoughtEntry(text)]
      return [withFields(logThoughtEntry(''), { raw_fields: payload })]
    }
    case 'tool_call':
      return [logCallEntry(named)]
    case 'tool_result':
      return [withFields(logResultEntry(named), filesWith(part.attachments))]
    case 'attachment':
      return []
    default:
      return [unknownEntry('llm', jsonText(part.type) || 'part', JSON.stringify(part))]
  }
}

/** A text borrows from fragments: those are entries of their own, in its order. */
function textEntries(part: JsonObject, payload: JsonObject, role: Role): readonly TimelessEntry[] {
  if (!Array.isArray(payload.text_ref)) {
    const text = textIn(part.text) ?? textIn(payload.text)
    return text === undefined ? [] : [wordsEntry(role, text)]
  }
  const fragments = new Map(
    listIn(part.fragments).flatMap((one): readonly (readonly [unknown, unknown])[] =>
      isJsonObject(one) ? [[one.id, one]] : [],
    ),
  )
  return payload.text_ref.flatMap((piece: unknown) => {
    if (!isJsonObject(piece)) return []
    if (piece.fragment === undefined) {
      const text = textIn(piece.literal)?.trim()
      return text === undefined ? [] : [wordsEntry(role, text)]
    }
    const fragment = fragments.get(piece.fragment) ?? {
      content: '',
      hash: jsonText(piece.fragment),
    }
    return [fragmentEntry(role === 'system' ? 'system' : 'user', fragment)]
  })
}

/** With the words of the message, which may have none of its own. */
function withFiles(
  entries: readonly TimelessEntry[],
  files: readonly unknown[],
  role: Role,
): readonly TimelessEntry[] {
  if (files.length === 0) return entries
  const words = entries.findLastIndex(
    ({ entry_type: type, metadata }) => type === 'message' && metadata?.injected !== true,
  )
  const fields = filesWith(files)
  if (words === -1) return [...entries, withFields(wordsEntry(role, ''), fields)]
  return entries.map((entry, at) => (at === words ? withFields(entry, fields) : entry))
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
