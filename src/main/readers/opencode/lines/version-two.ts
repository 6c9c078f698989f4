import type { JsonObject } from '../../../../shared/model/basics/json-object'
import type { NamelessEntry } from '../../common/value-meaning'
import {
  fileMetadata,
  programEntry,
  rawEntry,
  reasoningEntry,
  type Speaker,
  type ToolUse,
  textEntry,
  toolEntries,
  withUsage,
} from './entries'
import { objectAt, objectsAt, secondsFromMs, textAt, textOrJson } from './fields'
import { switchRows } from './known'
import { answerUsage } from './usage'
import { compaction, errorWords } from './version-one'

/** Converts a row of `session_message`, version 2, to entries; none for one that only keeps books. */
export function entriesOfRow(row: JsonObject, data: JsonObject): readonly NamelessEntry[] {
  const timestamp = secondsFromMs(objectAt(data, 'time').created) ?? secondsFromMs(row.time_created)
  const kind = textAt(row, 'type') ?? ''
  const user: Speaker = { timestamp, role: 'user' }
  switch (kind) {
    case 'user':
      return [textEntry(user, textAt(data, 'text') ?? '', fileMetadata(objectsAt(data, 'files')))]
    case 'synthetic':
      return [textEntry(user, textAt(data, 'text') ?? '', { injected: true })]
    case 'system':
      return [programEntry(timestamp, kind, textAt(data, 'text') ?? JSON.stringify(data))]
    case 'shell':
      return toolEntries(user, shellUse(data, timestamp))
    case 'assistant':
      return entriesOfAnswer(timestamp, data)
    case 'compaction':
      return [compaction(timestamp, textAt(data, 'summary') ?? textAt(data, 'recent') ?? '')]
    default:
      if (switchRows.has(kind)) return []
      return [rawEntry(timestamp, kind, JSON.stringify(data))]
  }
}

function entriesOfAnswer(timestamp: number | null, data: JsonObject): readonly NamelessEntry[] {
  const speaker: Speaker = {
    timestamp,
    role: 'agent',
    model: textAt(objectAt(data, 'model'), 'id'),
  }
  const entries = objectsAt(data, 'content').flatMap((part) => entriesOfContent(speaker, part))
  const error = objectAt(data, 'error')
  if (Object.keys(error).length > 0)
    entries.push(programEntry(timestamp, 'error', errorWords(error)))
  return withUsage(entries, answerUsage(data, 2))
}

function entriesOfContent(speaker: Speaker, part: JsonObject): readonly NamelessEntry[] {
  const text = textAt(part, 'text')
  switch (part.type) {
    case 'text':
      return text === undefined ? [] : [textEntry(speaker, text)]
    case 'reasoning':
      return text === undefined ? [] : [reasoningEntry(speaker, text)]
    case 'tool':
      return toolEntries(speaker, toolUse(part))
    default:
      return [rawEntry(speaker.timestamp, textOrJson(part.type), JSON.stringify(part))]
  }
}

function toolUse(part: JsonObject): ToolUse {
  const state = objectAt(part, 'state')
  const time = objectAt(part, 'time')
  const { outputPaths } = state
  return {
    name: textAt(part, 'name') ?? 'tool',
    id: textAt(part, 'id'),
    input: state.input,
    result: resultOf(state),
    startedAt: secondsFromMs(time.ran) ?? secondsFromMs(time.created),
    endedAt: secondsFromMs(time.completed),
    files: objectsAt(state, 'content').filter(({ type }) => type === 'file'),
    saved: { path: Array.isArray(outputPaths) ? outputPaths[0] : undefined, version: 2 },
  }
}

function resultOf(state: JsonObject): ToolUse['result'] {
  if (state.status === 'error') {
    const { error } = state
    const words = typeof error === 'string' ? error : errorWords(objectAt(state, 'error'))
    return { text: words, isError: true }
  }
  const texts = objectsAt(state, 'content').flatMap((part) => textAt(part, 'text') ?? [])
  if (texts.length > 0) return { text: texts.join('\n'), isError: false }
  if (state.status !== 'completed') return undefined
  return { text: textOrJson(state.result ?? state.structured), isError: false }
}

/** A command that a person ran beside the conversation. */
function shellUse(data: JsonObject, timestamp: number | null): ToolUse {
  const { output } = data
  return {
    name: 'shell',
    id: textAt(data, 'callID'),
    input: { command: data.command },
    result: output === undefined ? undefined : { text: textOrJson(output), isError: false },
    startedAt: timestamp,
    endedAt: secondsFromMs(objectAt(data, 'time').completed),
  }
}
