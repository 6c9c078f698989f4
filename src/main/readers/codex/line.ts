import { isJsonObject, type JsonObject } from '../../../shared/model/basics/json-object'
import type { ValuePosition } from '../../disk/json/json-accept'
import { type TimelessEntry, timeIn, unknownEntry } from '../common/drafts'
import { recordOf } from '../common/record-values'
import type { NamelessEntry, ValueMeaning } from '../common/value-meaning'
import { itemEntries } from './items'
import { isItemType } from './known'
import { silentEvents, silentLines, spokenEvents } from './records'

/**
 * Converts one line of a rollout: `{timestamp, type, payload}`, or in the oldest files an item without that. Uses nothing
 * but this line, so results come from "tool", and what only earlier lines tell (the model, the tool) is added in `read`.
 */
export function codexLine(
  value: unknown,
  text: string,
  position: ValuePosition,
): ValueMeaning | string {
  const record = recordOf(value)
  if (typeof record === 'string') return record
  const { type } = record
  const payload = payloadOf(record)
  // Nothing inside of a record has all three; a bare item looks like those that a summary repeats.
  const isSure = payload !== undefined && typeof record.timestamp === 'string'
  if (position !== 'line' && !isSure) return 'not a record'
  const timestamp = timeIn(record.timestamp) ?? null
  const drafts = payload === undefined ? bareDrafts(record) : draftsOf(type, payload)
  if (drafts === undefined) return unknownLine(record, payload, text, timestamp)
  const model = type === 'turn_context' ? payload?.model : undefined
  const [first, ...further] = drafts.map((draft): NamelessEntry => ({ timestamp, ...draft }))
  if (first !== undefined) return { type: 'entries', entries: [first, ...further], link: follows }
  const takesBack = payload === undefined ? undefined : turnsTakenBack(type, payload)
  if (takesBack !== undefined) return { type: 'control', link: { takesBack } }
  return typeof model === 'string' && model !== ''
    ? { type: 'control', model }
    : { type: 'control' }
}

const follows = { follows: true } as const

/** Undefined for any other line. */
function turnsTakenBack(type: unknown, payload: JsonObject): number | undefined {
  const { type: event, num_turns: turns } = payload
  if (type !== 'event_msg' || event !== 'thread_rolled_back') return undefined
  return typeof turns === 'number' && Number.isSafeInteger(turns) && turns > 0 ? turns : undefined
}

/** Returns the payload of a line; undefined where it has not the shape of one. */
export function payloadOf({ type, payload }: JsonObject): JsonObject | undefined {
  return typeof type === 'string' && isJsonObject(payload) ? payload : undefined
}

/** None where nobody says anything; undefined for an unknown kind. */
function draftsOf(type: unknown, payload: JsonObject): readonly TimelessEntry[] | undefined {
  if (type === 'response_item') return itemEntries(payload)
  if (type === 'event_msg') return eventDrafts(payload)
  if (type === 'compacted') return [summary(payload)]
  return typeof type === 'string' && silentLines.has(type) ? [] : undefined
}

function eventDrafts({ type, message }: JsonObject): readonly TimelessEntry[] | undefined {
  if (typeof type !== 'string') return undefined
  if (silentEvents.has(type)) return []
  if (!spokenEvents.has(type) || typeof message !== 'string') return undefined
  return [
    {
      from: 'system',
      to: 'user',
      content: message,
      entry_type: 'message',
      role: 'system',
      metadata: { raw_type: type },
    },
  ]
}

/** A summary in the place of what came before; the history that it repeats for the model is in the line. */
function summary({ message }: JsonObject): TimelessEntry {
  const content = typeof message === 'string' ? message : ''
  const metadata = content === '' ? {} : { metadata: { summary: content } }
  return { from: 'codex', to: 'codex', content, entry_type: 'compaction', ...metadata }
}

/** The oldest files: the head of the session, states, and items without time. */
function bareDrafts(line: JsonObject): readonly TimelessEntry[] | undefined {
  if (isItemType(line.type)) return itemEntries(line)
  if (line.type !== undefined) return undefined
  return line.record_type !== undefined || isBareHead(line) ? [] : undefined
}

/** Returns true for the head of a session in the oldest form. */
export function isBareHead({ type, id, timestamp }: JsonObject): boolean {
  return type === undefined && typeof id === 'string' && typeof timestamp === 'string'
}

/** Nobody knows what matters in a line of an unknown kind: it is kept as it is. */
function unknownLine(
  { type }: JsonObject,
  payload: JsonObject | undefined,
  text: string,
  timestamp: number | null,
): ValueMeaning {
  const names = [type, type === 'event_msg' || type === 'response_item' ? payload?.type : undefined]
  const raw = names.filter((name) => typeof name === 'string').join('/')
  const entry = { timestamp, ...unknownEntry('codex', raw, text) }
  return { type: 'entries', entries: [entry], link: follows }
}
