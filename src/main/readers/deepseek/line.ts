import { isJsonObject, type JsonObject } from '../../../shared/model/basics/json-object'
import { exportLine, recordLine } from '../common/content/export-line'
import type { ConversationHead } from '../common/document-conversations'
import {
  type Fields,
  jsonText,
  rawFieldsOf,
  type TimelessEntry,
  textIn,
  timeIn,
  trimmedIn,
  unknownEntry,
  withFields,
} from '../common/drafts'
import type { DocumentLine } from '../common/read-record-file'

/** Returns what a list shows of a conversation, from its own members. */
export function deepseekHead({ id, title, inserted_at, updated_at }: JsonObject): ConversationHead {
  return {
    id: textIn(id),
    title: trimmedIn(title) ?? '',
    project: null,
    createdAt: timeIn(inserted_at),
    updatedAt: timeIn(updated_at),
    model: undefined,
  }
}

/** Converts one line of a conversation's record file: a node of its tree, or its own members. */
export const deepseekLine = exportLine({
  source: 'deepseek',
  headOf: deepseekHead,
  recordOf: (value) =>
    'message' in value || 'children' in value || 'parent' in value ? nodeLine(value) : undefined,
})

const knownFields: ReadonlySet<string> = new Set(['files', 'model', 'inserted_at', 'fragments'])

function nodeLine({ id, parent, message }: JsonObject): DocumentLine {
  const known = textIn(id)
  const link = known === undefined ? undefined : { id: known, parent: textIn(parent) ?? null }
  if (message == null) return recordLine([], undefined, link)
  if (!isJsonObject(message))
    return recordLine([unknownEntry('deepseek', 'message', jsonText(message))], undefined, link)
  const model = textIn(message.model)
  const fragments: readonly unknown[] = Array.isArray(message.fragments) ? message.fragments : []
  const entries = fragments.map((one) => fragmentEntry(one, model))
  const fields = { ...filesOf(message.files), ...rawFieldsOf(message, knownFields) }
  return recordLine(withMessage(entries, fields), timeIn(message.inserted_at), link)
}

/** A message has no author: the type of a fragment tells who says it. */
function fragmentEntry(fragment: unknown, model: string | undefined): TimelessEntry {
  if (!isJsonObject(fragment)) return unknownEntry('deepseek', 'fragment', jsonText(fragment))
  const { type, content, ...more } = fragment
  const text = typeof content === 'string' ? content : ''
  const by = model === undefined ? {} : { model }
  const answer = { from: 'deepseek', to: 'user', content: text }
  switch (type) {
    case 'REQUEST':
      return { from: 'user', to: 'deepseek', content: text, entry_type: 'message', role: 'user' }
    case 'RESPONSE':
      return withFields({ ...answer, entry_type: 'message', role: 'agent' }, by)
    case 'THINK':
      return withFields({ ...answer, entry_type: 'reasoning' }, by)
    case 'SEARCH': {
      const found = text || jsonText(more.results ?? more)
      return { from: 'search', to: 'deepseek', content: found, entry_type: 'tool_result' }
    }
    default:
      return unknownEntry('deepseek', jsonText(type) || 'fragment', JSON.stringify(fragment))
  }
}

function filesOf(files: unknown): Fields {
  const attachments = (Array.isArray(files) ? files : []).flatMap((file: unknown) => {
    if (!isJsonObject(file)) return []
    const name = textIn(file.file_name) ?? textIn(file.name) ?? textIn(file.id) ?? 'file'
    return [{ ...file, filename: name }]
  })
  return attachments.length === 0 ? {} : { attachments }
}

/** Puts fields on the first words, else on the first entry; a message of files alone is an empty one of a person. */
function withMessage(entries: readonly TimelessEntry[], fields: Fields): readonly TimelessEntry[] {
  if (Object.keys(fields).length === 0) return entries
  const words = entries.findIndex(({ entry_type: type }) => type === 'message')
  const bearer = Math.max(words, 0)
  const empty: TimelessEntry = {
    from: 'user',
    to: 'deepseek',
    content: '',
    entry_type: 'message',
    role: 'user',
  }
  const told = entries.length === 0 && fields.attachments !== undefined ? [empty] : entries
  return told.map((entry, at) => (at === bearer ? withFields(entry, fields) : entry))
}
