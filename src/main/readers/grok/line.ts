import { isJsonObject, type JsonObject } from '../../../shared/model/basics/json-object'
import { exportLine, recordLine } from '../common/content/export-line'
import type { ConversationHead } from '../common/document-conversations'
import {
  type Fields,
  jsonText,
  rawFieldsOf,
  secondsOfMs,
  type TimelessEntry,
  textIn,
  timeIn,
  trimmedIn,
  unknownEntry,
  withFields,
} from '../common/drafts'
import type { DocumentLine } from '../common/read-record-file'

/** Returns what a list shows of a conversation, from its own members. */
function grokHead(members: JsonObject): ConversationHead {
  const { id, title, create_time, modify_time } = isJsonObject(members.conversation)
    ? members.conversation
    : {}
  return {
    id: textIn(id),
    title: trimmedIn(title) ?? '',
    project: null,
    createdAt: secondsOf(create_time),
    updatedAt: secondsOf(modify_time),
    model: undefined,
  }
}

/** Returns the same from the members by their paths. */
export function exportedGrokHead(facts: JsonObject): ConversationHead {
  const member = (name: string) => facts[`conversation.${name}`]
  const [id, title] = [member('id'), member('title')]
  const [create_time, modify_time] = [member('create_time'), member('modify_time')]
  return grokHead({ conversation: { id, title, create_time, modify_time } })
}

/** Converts one line of a conversation's record file: a message, or the conversation's own members. */
export const grokLine = exportLine({
  source: 'grok',
  headOf: grokHead,
  recordOf: (value) => (isJsonObject(value.response) ? messageLine(value.response) : undefined),
})

const knownFields: ReadonlySet<string> = new Set([
  ...['_id', 'conversation_id', 'message', 'sender', 'create_time', 'parent_response_id', 'model'],
  ...['file_attachments', 'thinking_trace', 'agent_thinking_traces', 'error'],
])

function messageLine(response: JsonObject): DocumentLine {
  const id = textIn(response._id)
  const parent = textIn(response.parent_response_id)
  const link = id === undefined ? undefined : { id, parent: parent ?? null }
  return recordLine(grokEntries(response), secondsOf(response.create_time), link)
}

function grokEntries(response: JsonObject): readonly TimelessEntry[] {
  const { sender, message, model, error } = response
  const content = jsonText(message)
  const files = filesOf(response.file_attachments)
  const fields: Fields = { ...files, ...rawFieldsOf(told(response), knownFields) }
  switch (typeof sender === 'string' ? sender.toLowerCase() : undefined) {
    case 'human':
    case 'user': {
      const from = {
        from: 'user',
        to: 'grok',
        content,
        entry_type: 'message',
        role: 'user',
      } as const
      return [withFields(from, fields)]
    }
    case 'assistant': {
      const name = textIn(model)
      const by = name === undefined ? {} : { model: name }
      const answer = { from: 'grok', to: 'user' }
      const thoughts = thoughtsOf(response).map((text) =>
        withFields({ ...answer, content: text, entry_type: 'reasoning' }, by),
      )
      const words: TimelessEntry = { ...answer, content, entry_type: 'message', role: 'agent' }
      const failed = textIn(error)
      const fault: TimelessEntry = {
        ...answer,
        content: failed ?? '',
        entry_type: 'message',
        role: 'system',
        metadata: { raw_type: 'error' },
      }
      return [
        ...thoughts,
        withFields(words, { ...by, ...fields }),
        ...(failed === undefined ? [] : [fault]),
      ]
    }
    default:
      return [unknownEntry('grok', jsonText(sender) || 'message', JSON.stringify(response))]
  }
}

/** Of the model, and of the agents that it had at work. */
function thoughtsOf({ thinking_trace, agent_thinking_traces }: JsonObject): readonly string[] {
  const agents: readonly unknown[] = Array.isArray(agent_thinking_traces)
    ? agent_thinking_traces
    : []
  const traces = agents.map((one) => (isJsonObject(one) ? one.thinking_trace : one))
  return [thinking_trace, ...traces].flatMap((one) => trimmedIn(one) ?? [])
}

/** Without what is empty, which is written for everything. */
function told(response: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(response).filter(([, value]) => {
      const isEmpty = value === '' || value === false
      return !isEmpty && !(Array.isArray(value) && value.length === 0)
    }),
  )
}

/** Attachments are ids, or objects with one; the file's content lies under it in the export. */
function filesOf(files: unknown): Fields {
  const attachments = (Array.isArray(files) ? files : []).flatMap((file: unknown) => {
    if (typeof file === 'string') return [{ filename: file, id: file }]
    if (!isJsonObject(file)) return []
    const name = textIn(file.file_name) ?? textIn(file.name) ?? textIn(file.id) ?? 'file'
    return [{ ...file, filename: name }]
  })
  return attachments.length === 0 ? {} : { attachments }
}

/** Times are RFC 3339, or as MongoDB writes them: `{"$date": {"$numberLong": "1735689600000"}}`. */
function secondsOf(time: unknown): number | undefined {
  if (!isJsonObject(time)) return timeIn(time)
  const date = time.$date
  if (!isJsonObject(date)) return typeof date === 'number' ? secondsOfMs(date) : timeIn(date)
  return secondsOfMs(Number(date.$numberLong))
}
