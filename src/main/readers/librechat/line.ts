import { isJsonObject, type JsonObject } from '../../../shared/model/basics/json-object'
import type { ValuePosition } from '../../disk/json/json-accept'
import { recordLine } from '../common/content/export-line'
import type { ConversationHead } from '../common/document-conversations'
import {
  type Fields,
  jsonText,
  rawFieldsOf,
  type TimelessEntry,
  textIn,
  timeIn,
  trimmedIn,
  withFields,
} from '../common/drafts'
import type { DocumentLine } from '../common/read-record-file'
import { recordOf } from '../common/record-values'
import { errorEntry, librechatParts } from './content'
import { librechatFields } from './known'

/** The parent of a message that follows none. */
const noParent = '00000000-0000-0000-0000-000000000000'

/** Converts one line of an export's record file (`records`). Uses nothing but this line. */
export function librechatLine(
  value: unknown,
  _text: string,
  position: ValuePosition,
): DocumentLine | string {
  const line = recordOf(value)
  if (typeof line === 'string') return line
  if (position === 'inside-torn') return 'a part of a torn message'
  const message = isJsonObject(line.message) ? line.message : line
  if (isJsonObject(line.conversation)) return { type: 'control', head: headOf(line.conversation) }
  const leaf = textIn(line.leaf)
  if (leaf !== undefined) return { type: 'control', link: { leaf } }
  const id = textIn(message.messageId)
  if (id === undefined && message.text === undefined && message.content === undefined)
    return 'not a message'
  const parent = textIn(message.parentMessageId)
  const link =
    id === undefined ? undefined : { id, parent: parent === noParent ? null : (parent ?? null) }
  return recordLine(messageEntries(message), timeIn(message.createdAt), link)
}

function headOf({ conversationId, title, options }: JsonObject): ConversationHead {
  const { model } = isJsonObject(options) ? options : {}
  return {
    id: textIn(conversationId),
    title: trimmedIn(title) ?? '',
    project: null,
    createdAt: undefined,
    updatedAt: undefined,
    model: textIn(model),
  }
}

function messageEntries(message: JsonObject): readonly TimelessEntry[] {
  const { isCreatedByUser, text, content, model, tokenCount, error } = message
  const fields = { ...filesOf(message), ...rawFieldsOf(message, librechatFields) }
  if (isCreatedByUser === true) {
    const from = { from: 'user', to: 'librechat', entry_type: 'message', role: 'user' } as const
    const words = (one: string): TimelessEntry => ({ ...from, content: one })
    const parts = Array.isArray(content) ? librechatParts(content, words) : []
    const [first, ...further] = parts.length > 0 ? parts : [words(jsonText(text))]
    return first === undefined ? [] : [withFields(first, fields), ...further]
  }
  const words = (one: string): TimelessEntry => ({
    from: 'librechat',
    to: 'user',
    content: one,
    entry_type: 'message',
    role: 'agent',
  })
  const parts = Array.isArray(content) ? librechatParts(content, words) : []
  const entries =
    parts.length > 0
      ? parts
      : error === true
        ? [errorEntry(jsonText(text))]
        : answerEntries(jsonText(text), words)
  const name = textIn(model)
  const isCounted = typeof tokenCount === 'number' && tokenCount > 0
  const own: Fields = {
    ...fields,
    ...(isCounted ? { usage: { output: tokenCount } } : {}),
  }
  const last = entries.findLastIndex(({ role }) => role === 'agent')
  const bearer = last === -1 ? entries.length - 1 : last
  return entries.map((entry, at) => {
    const isOwn = entry.from === 'librechat' && entry.role !== 'system'
    const named = isOwn && name !== undefined ? { model: name } : {}
    return withFields(entry, at === bearer ? { ...named, ...own } : named)
  })
}

/** Older versions keep thoughts in the text of an answer. */
function answerEntries(
  text: string,
  words: (text: string) => TimelessEntry,
): readonly TimelessEntry[] {
  const [, thoughts, rest = ''] = /^\s*:::thinking\n([\s\S]*?)\n:::\s*([\s\S]*)$/.exec(text) ?? []
  if (thoughts === undefined) return [words(text)]
  return [
    { from: 'librechat', to: 'user', content: thoughts, entry_type: 'reasoning' },
    ...(rest === '' ? [] : [words(rest)]),
  ]
}

function filesOf({ files, attachments }: JsonObject): Fields {
  const all = [files, attachments].flatMap((list) => (Array.isArray(list) ? list : []))
  return all.length === 0 ? {} : { attachments: all }
}
