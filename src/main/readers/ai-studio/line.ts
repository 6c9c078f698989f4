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
  unknownEntry,
  withFields,
} from '../common/drafts'
import type { DocumentLine } from '../common/read-record-file'
import { chunkFields, isChunk } from './known'
import { chunkEntries, instructionIn } from './parts'

/** Returns what a list shows of a conversation, from its own members; the name of its file is not among them. */
export function aiStudioHead(facts: JsonObject): ConversationHead {
  const { runSettings } = facts
  const model = isJsonObject(runSettings) ? runSettings.model : facts['runSettings.model']
  return {
    id: undefined,
    title: '',
    project: null,
    createdAt: undefined,
    updatedAt: undefined,
    model: textIn(model)?.replace(/^models\//, ''),
  }
}

/** Converts one line of a conversation's record file: a chunk, or the conversation's own members. */
export const aiStudioLine = exportLine({
  source: 'ai-studio',
  headOf: aiStudioHead,
  recordOf: (value) => (isChunk(value) ? chunkLine(value) : membersLine(value)),
})

/** Converts the conversation's own members, among which is what a person told the model of all its answers. */
function membersLine(members: JsonObject): DocumentLine | undefined {
  const { content, metadata: files } = instructionIn(members.systemInstruction)
  if (content.trim() === '' && Object.keys(files).length === 0) return undefined
  const metadata = { injected: true, raw_type: 'systemInstruction', ...files }
  const from = { from: 'user', to: 'ai-studio', role: 'system', entry_type: 'message' } as const
  return {
    ...recordLine([{ ...from, content, metadata }], undefined, undefined),
    head: aiStudioHead(members),
  }
}

function chunkLine(chunk: JsonObject): DocumentLine {
  const { role, tokenCount, errorMessage } = chunk
  const isModel = role === 'model'
  if (!isModel && role !== 'user')
    return recordLine(
      [unknownEntry('ai-studio', jsonText(role) || 'chunk', JSON.stringify(chunk))],
      timeIn(chunk.createTime),
      undefined,
    )
  const failed = jsonText(errorMessage) || undefined
  const entries = [...chunkEntries(chunk, isModel)].filter(
    ({ content, metadata }) => failed === undefined || content !== '' || metadata !== undefined,
  )
  if (failed !== undefined) {
    const from = { from: 'ai-studio', to: 'user', role: 'system', entry_type: 'message' } as const
    entries.push({ ...from, content: failed, metadata: { raw_type: 'error' } })
  }
  const isCounted = isModel && typeof tokenCount === 'number' && tokenCount > 0
  const usage = isCounted ? { usage: usageOf(tokenCount, entries) } : {}
  const fields: Fields = { ...usage, ...rawFieldsOf(chunk, chunkFields) }
  const [first, ...further] = entries
  const told = first === undefined ? [] : [withFields(first, fields), ...further]
  return recordLine(told, timeIn(chunk.createTime), undefined)
}

/** A chunk of thoughts has their number, one of words that of the words. */
function usageOf(output: number, [first]: readonly TimelessEntry[]): Fields {
  return first?.entry_type === 'reasoning' ? { output, reasoning: output } : { output }
}
