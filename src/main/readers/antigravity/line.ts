import { isJsonObject, type JsonObject } from '../../../shared/model/basics/json-object'
import type { ValuePosition } from '../../disk/json/json-accept'
import {
  jsonText,
  rawFieldsOf,
  type TimelessEntry,
  textIn,
  timeIn,
  unknownEntry,
  withFields,
} from '../common/drafts'
import { recordOf } from '../common/record-values'
import type { ValueMeaning } from '../common/value-meaning'
import { programSteps } from './known'
import { injected, promptEntries } from './person'

/** Converts a line of a transcript, a step, to its meaning. Steps have no ids, and calls none either. */
export function antigravityLine(
  value: unknown,
  text: string,
  position: ValuePosition,
): ValueMeaning | string {
  const step = recordOf(value)
  if (typeof step === 'string') return step
  // What a tool read may itself be a transcript.
  if (position === 'inside-torn') return 'a part of a torn step'
  if (typeof step.type !== 'string' || typeof step.source !== 'string')
    return 'not a step of a transcript'
  const entries = stepEntries(step, step.type, text)
  const [first, ...further] = entries
  if (first === undefined) return { type: 'control' }
  const told = withFields(first, rawFieldsOf(step, knownFields))
  const timestamp = timeIn(step.created_at) ?? null
  return { type: 'entries', entries: [told, ...further].map((one) => ({ timestamp, ...one })) }
}

const knownFields: ReadonlySet<string> = new Set([
  ...['step_index', 'source', 'type', 'status', 'created_at', 'content', 'thinking', 'tool_calls'],
])

function stepEntries(step: JsonObject, type: string, line: string): readonly TimelessEntry[] {
  const { source, content: said, status } = step
  const content = jsonText(said)
  if (type === 'USER_INPUT') return content === '' ? [] : promptEntries(content)
  if (programSteps.has(type)) return content === '' ? [] : [injected(content, type)]
  if (type === 'PLANNER_RESPONSE' || type === 'GENERATE_RESPONSE') return answer(step, content)
  if (type === 'ERROR_MESSAGE') {
    const from = { from: 'antigravity', to: 'user', role: 'system', entry_type: 'message' } as const
    return [{ ...from, content, metadata: { raw_type: type } }]
  }
  if (source === 'MODEL') {
    const failed = status === 'ERROR' ? { is_error: true } : {}
    const from = { from: type.toLowerCase(), to: 'antigravity', entry_type: 'tool_result' }
    return [withFields({ ...from, content }, failed)]
  }
  return [unknownEntry('antigravity', type, line)]
}

/** Thoughts, words and calls, in the order in which they came. */
function answer({ thinking, tool_calls }: JsonObject, content: string): readonly TimelessEntry[] {
  const from = { from: 'antigravity', to: 'user' }
  const thought = textIn(thinking)
  const calls: readonly unknown[] = Array.isArray(tool_calls) ? tool_calls : []
  return [
    ...(thought === undefined ? [] : [{ ...from, content: thought, entry_type: 'reasoning' }]),
    ...(content === '' && (calls.length > 0 || thought !== undefined)
      ? []
      : [{ ...from, content, entry_type: 'message', role: 'agent' } as const]),
    ...calls.map(callEntry),
  ]
}

function callEntry(call: unknown): TimelessEntry {
  const made = { from: 'antigravity', to: 'tool', entry_type: 'tool_call' }
  if (!isJsonObject(call)) return { ...made, content: jsonText(call) }
  const to = textIn(call.name)?.replace(/^default_api:/, '') ?? 'tool'
  return { ...made, to, content: jsonText(call.args ?? call.arguments) }
}
