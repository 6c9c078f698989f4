import { isJsonObject, type JsonObject } from '../../../shared/model/basics/json-object'
import type { ValuePosition } from '../../disk/json/json-accept'
import { recordLine } from '../common/content/export-line'
import type { ConversationHead } from '../common/document-conversations'
import {
  jsonText,
  keyIn,
  secondsOfMs,
  type TimelessEntry,
  textIn,
  unknownEntry,
  withFields,
} from '../common/drafts'
import type { DocumentLine } from '../common/read-record-file'
import { recordOf } from '../common/record-values'
import { hasAnything, isEnded } from './calls'
import { historyEntries } from './history'
import { notedUpdates, silentUpdates } from './known'
import { grokCallEntry, grokPiecesEntry, grokResultEntry } from './tools'
import { grokUsage } from './usage'
import { grokWordsEntry } from './words'

/** Converts one line of a session's record file (`records`). Uses nothing but this line, so results come from "tool". */
export function grokBuildLine(
  value: unknown,
  _text: string,
  position: ValuePosition,
): DocumentLine | string {
  const line = recordOf(value)
  if (typeof line === 'string') return line
  // What a tool read may itself be a log.
  if (position === 'inside-torn') return 'a part of a torn update'
  if (isJsonObject(line.session)) return { type: 'control', head: headOf(line.session) }
  if (isJsonObject(line.history))
    return recordLine(historyEntries(line.history), undefined, undefined)
  const id = textIn(line.id)
  const record = isJsonObject(line.record) ? line.record : line
  const { words } = line
  if (!isJsonObject(words) && !isJsonObject(record.params)) return 'not an update of a session'
  const link = id === undefined ? undefined : { id, parent: textIn(line.previous) ?? null }
  const usage = grokUsage(line.usage)
  if (isJsonObject(words)) {
    const meta = isJsonObject(words.meta) ? words.meta : {}
    const entry = grokWordsEntry(words, modelOf(meta))
    return recordLine([withFields(entry, usage)], timeOf(meta, meta._meta), link)
  }
  const { update, _meta } = isJsonObject(record.params) ? record.params : {}
  const time = timeOf(record, _meta)
  if (!isJsonObject(update))
    return recordLine([unknownEntry('grok-build', 'update', JSON.stringify(record))], time, link)
  const calls = callEntries(update, line)
  if (calls.length > 0)
    return recordLine(
      calls.map((one) => withFields(one, one.entry_type === 'tool_call' ? usage : {})),
      time,
      link,
    )
  if (isSilentUpdate(update)) return { type: 'control', ...(link === undefined ? {} : { link }) }
  return recordLine([updateEntry(update, record)], time, link)
}

/** The entries of an update that tells of a call: its beginning, its result, or both. */
function callEntries(update: JsonObject, line: JsonObject): readonly TimelessEntry[] {
  const { sessionUpdate: kind, status, content, rawOutput } = update
  if (kind === 'tool_call_delta_chunk')
    return line.input === undefined ? [] : [grokPiecesEntry(update, line.input)]
  const isBegin = kind === 'tool_call' || line.isCall === true
  if (!isBegin && kind !== 'tool_call_update') return []
  const shown = isJsonObject(line.shown) ? line.shown : {}
  const hasShown = hasAnything(shown.content) || hasAnything(shown.rawOutput)
  const hasOwn = hasAnything(content) || hasAnything(rawOutput)
  const isResult = isEnded(status) && (hasShown || hasOwn || !isBegin)
  return [
    ...(isBegin ? [grokCallEntry(update, line.input)] : []),
    ...(isResult || hasShown ? [grokResultEntry(update, shown)] : []),
  ]
}

/** Returns true for an update that says nothing; of a tool's updates the last alone says what came of it. */
export function isSilentUpdate({ sessionUpdate, status }: JsonObject): boolean {
  if (sessionUpdate === 'tool_call_update') return !isEnded(status)
  return silentUpdates.has(sessionUpdate)
}

function headOf(session: JsonObject): ConversationHead {
  const { title, cwd, createdAt, model, parent, isSubagent } = session
  const caller = isSubagent === true ? keyIn(parent) : undefined
  return {
    id: undefined, // A folder has the name of its session.
    title: textIn(title) ?? '',
    project: textIn(cwd) ?? null,
    createdAt: typeof createdAt === 'number' ? createdAt : undefined,
    updatedAt: undefined,
    model: textIn(model),
    ...(caller === undefined ? {} : { subagentOf: { key: caller } }),
  }
}

function updateEntry(update: JsonObject, record: JsonObject): TimelessEntry {
  const kind = jsonText(update.sessionUpdate)
  if (kind === 'auto_compact_completed') {
    const content = jsonText(update.summary_preview)
    return { from: 'grok-build', to: 'grok-build', content, entry_type: 'compaction' }
  }
  if (notedUpdates.has(kind)) {
    const words = [update.message, update.error, update.reason, update.summary].find(textIn)
    const from = { from: 'grok-build', to: 'user', role: 'system', entry_type: 'message' } as const
    return { ...from, content: jsonText(words ?? update), metadata: { raw_type: kind } }
  }
  return unknownEntry('grok-build', kind || 'update', JSON.stringify(record))
}

/** The program's own milliseconds, else the seconds of the line. */
function timeOf({ timestamp }: JsonObject, meta: unknown): number | undefined {
  const ms = isJsonObject(meta) ? secondsOfMs(meta.agentTimestampMs) : undefined
  if (ms !== undefined) return ms
  return typeof timestamp === 'number' && timestamp > 0 ? timestamp : undefined
}

function modelOf({ _meta: meta }: JsonObject): string | undefined {
  return isJsonObject(meta) ? textIn(meta.modelId) : undefined
}
