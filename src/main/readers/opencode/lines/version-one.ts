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
  withMetadata,
  withUsage,
} from './entries'
import { objectAt, objectsAt, secondsFromMs, textAt, textOrJson } from './fields'
import { bookedParts } from './known'
import { answerUsage, stepsTotal } from './usage'

/**
 * Converts a message of version 1 and its parts to entries; none for one that only keeps books.
 *
 * @param row of the message @param parts the data of each, in order
 */
export function entriesOfMessage(
  row: JsonObject,
  data: JsonObject,
  parts: readonly JsonObject[],
): readonly NamelessEntry[] {
  const speaker = speakerOf(row, data)
  const files = parts.filter(({ type }) => type === 'file')
  const entries = parts.flatMap((part) => entriesOfPart(speaker, part))
  const attached = fileMetadata(files)
  if (Object.keys(attached).length > 0) {
    // With the person's own words, behind which the program puts what it read for them.
    const own = entries.findIndex((entry) => entry.metadata?.injected !== true)
    const [at, bearer] = own === -1 ? [0, textEntry(speaker, '')] : [own, entries[own]]
    if (bearer !== undefined) entries.splice(at, own === -1 ? 0 : 1, withMetadata(bearer, attached))
  }
  const error = objectAt(data, 'error')
  if (Object.keys(error).length > 0)
    entries.push(programEntry(speaker.timestamp, 'error', errorWords(error)))
  const steps = parts.filter(({ type }) => type === 'step-finish')
  return withUsage(entries, answerUsage(data, 1) ?? answerUsage(stepsTotal(steps), 1))
}

/** Converts a part of version 1 to entries; `file` parts go with the words of their message. */
export function entriesOfPart(speaker: Speaker, part: JsonObject): readonly NamelessEntry[] {
  const kind = textAt(part, 'type') ?? ''
  switch (kind) {
    case 'text': {
      const text = textAt(part, 'text')
      if (text === undefined) return []
      const injected = part.synthetic === true ? { injected: true } : {}
      return [
        textEntry(speaker, text, part.ignored === true ? { ...injected, ignored: true } : injected),
      ]
    }
    case 'reasoning': {
      const text = textAt(part, 'text')
      return text === undefined ? [] : [reasoningEntry(speaker, text)]
    }
    case 'tool':
      return toolEntries(speaker, toolUse(part))
    case 'file':
      return speaker.role === undefined
        ? [rawEntry(speaker.timestamp, kind, JSON.stringify(part))]
        : []
    case 'subtask':
      return [
        textEntry(speaker, textAt(part, 'prompt') ?? JSON.stringify(part), { raw_type: kind }),
      ]
    case 'compaction':
      return [compaction(speaker.timestamp, '')]
    default:
      if (bookedParts.has(kind)) return []
      return [rawEntry(speaker.timestamp, kind, JSON.stringify(part))]
  }
}

/** Makes the entry at which a conversation was compacted, with the summary where the format keeps it there. */
export function compaction(timestamp: number | null, summary: string): NamelessEntry {
  return { timestamp, from: 'opencode', to: 'opencode', entry_type: 'compaction', content: summary }
}

/** Returns an error in words: its name and message. */
export function errorWords(error: JsonObject): string {
  const name = textAt(error, 'name') ?? textAt(error, 'type')
  const words = textAt(objectAt(error, 'data'), 'message') ?? textAt(error, 'message')
  if (name === undefined && words === undefined) return JSON.stringify(error)
  return [name, words].filter((one) => one !== undefined).join(': ')
}

function speakerOf(row: JsonObject, data: JsonObject): Speaker {
  const timestamp = secondsFromMs(objectAt(data, 'time').created) ?? secondsFromMs(row.time_created)
  if (data.role === 'user') return { timestamp, role: 'user' }
  if (data.role !== 'assistant') return { timestamp, role: undefined }
  return { timestamp, role: 'agent', model: textAt(data, 'modelID') }
}

function toolUse(part: JsonObject): ToolUse {
  const state = objectAt(part, 'state')
  const time = objectAt(state, 'time')
  const name = textAt(part, 'tool') ?? 'tool'
  return {
    name,
    id: textAt(part, 'callID'),
    input: state.input,
    result: resultOf(state, name),
    startedAt: secondsFromMs(time.start),
    endedAt: secondsFromMs(time.end),
    files: objectsAt(state, 'attachments'),
    saved: { path: objectAt(state, 'metadata').outputPath, version: 1 },
  }
}

function resultOf(state: JsonObject, tool: string): ToolUse['result'] {
  if (state.status === 'error') return { text: textOrJson(state.error), isError: true }
  if (state.status !== 'completed' && state.output === undefined) return undefined
  // A call of a tool that does not exist, or with arguments that do not fit, is kept as one of "invalid".
  return { text: textOrJson(state.output), isError: tool === 'invalid' }
}
