import { isJsonObject, type JsonObject } from '../../../shared/model/basics/json-object'
import type { ValuePosition } from '../../disk/json/json-accept'
import { type Fields, secondsOfMs, type TimelessEntry, textIn, withFields } from '../common/drafts'
import { recordOf } from '../common/record-values'
import type { RecordLink, ValueMeaning } from '../common/value-meaning'
import { entriesOfJanMessage } from './content'

/** Converts a line of a thread's messages to its meaning. */
export function janLine(
  value: unknown,
  _text: string,
  position: ValuePosition,
): ValueMeaning | string {
  const message = recordOf(value)
  if (typeof message === 'string') return message
  // What a tool gave may itself look like a message.
  if (position === 'inside-torn') return 'a part of a torn message'
  if (message.role === undefined || message.content === undefined)
    return 'not a message of a thread'
  const metadata = isJsonObject(message.metadata) ? message.metadata : {}
  const timestamp = janTime(message.created_at) ?? null
  const drafts = withUsage(entriesOfJanMessage(message), metadata)
  const entries = drafts.map((entry) => ({ timestamp, ...entry }))
  const linked = linkOf(message, metadata)
  return entries.length === 0
    ? { type: 'control', ...linked }
    : { type: 'entries', entries, ...linked }
}

/** Converts a time in Unix seconds or milliseconds, both of which Jan writes, to seconds; undefined for anything else. */
export function janTime(time: unknown): number | undefined {
  if (typeof time !== 'number' || time <= 0) return undefined
  return time < 1e11 ? time : secondsOfMs(time)
}

/**
 * Threads with versions name the message before each one. An answer that names none has lost it: it follows the message before it in
 * the file, as do all messages of older threads.
 */
function linkOf(message: JsonObject, metadata: JsonObject): { readonly link?: RecordLink } {
  const id = textIn(message.id)
  const { parentId } = metadata
  if (id === undefined || parentId === undefined) return {}
  if (parentId === null && message.role !== 'user') return {}
  return { link: { id, parent: textIn(parentId) ?? null } }
}

/** On the first words of an answer, else its first entry. */
function withUsage(
  entries: readonly TimelessEntry[],
  { usage, model }: JsonObject,
): readonly TimelessEntry[] {
  const told = {
    ...(textIn(model) === undefined ? {} : { model }),
    ...(isJsonObject(usage) ? usageOf(usage) : {}),
  }
  const words = entries.findIndex(({ role }) => role === 'agent')
  const bearer = Math.max(words, 0)
  if (Object.keys(told).length === 0) return entries
  return entries.map((entry, at) => (at === bearer ? withFields(entry, told) : entry))
}

function usageOf(usage: JsonObject): { readonly usage?: Fields } {
  const count = (...names: readonly string[]) =>
    names.map((name) => usage[name]).find((one) => typeof one === 'number' && one > 0)
  const found = Object.entries({
    input: count('inputTokens', 'promptTokens', 'prompt_tokens'),
    output: count('outputTokens', 'completionTokens', 'completion_tokens'),
    cached: count('cachedInputTokens'),
    reasoning: count('reasoningTokens'),
  }).filter(([, value]) => value !== undefined)
  return found.length === 0 ? {} : { usage: Object.fromEntries(found) }
}
