import { isJsonObject, type JsonObject } from '../../../shared/model/basics/json-object'
import type { ValuePosition } from '../../disk/json/json-accept'
import { textIn, timeIn, unknownEntry, withFields } from '../common/drafts'
import { recordOf } from '../common/record-values'
import type { NamelessEntry, ValueMeaning } from '../common/value-meaning'
import { eventEntries } from './events'

/**
 * Converts one line, an event: `{id, parentId, timestamp, type, data, agentId?}`. Its key is the id of the subagent that it is
 * of, or the session's own (`ownLines`). Uses nothing but this line, so results come from "tool".
 */
export function copilotLine(
  value: unknown,
  text: string,
  position: ValuePosition,
): ValueMeaning | string {
  const record = recordOf(value)
  if (typeof record === 'string') return record
  const event = eventOf(record)
  const timestamp = timeOf(record)
  // Nothing inside of an event has all of these.
  const isSure = event !== undefined && textIn(record.id) !== undefined && timestamp !== null
  if (position !== 'line' && !isSure) return 'not an event'
  const drafts = event === undefined ? undefined : eventEntries(event.type, event.data)
  const rawType = typeof record.type === 'string' ? record.type : ''
  const key = agentOf(record)
  // A subagent is asked by the agent that called it.
  const isAsked = key !== ownLines && rawType === 'user.message'
  const [first, ...further] = (drafts ?? [unknownEntry('copilot', rawType, text)]).map(
    (draft): NamelessEntry => ({
      timestamp,
      ...(isAsked ? withFields(draft, { injected: true }) : draft),
    }),
  )
  if (first === undefined) return { type: 'control' }
  return { type: 'entries', entries: [first, ...further], key }
}

/** The key of lines that no subagent wrote. */
export const ownLines = ''

/** An event: its type, and what it says. */
export interface CopilotEvent {
  readonly type: string
  readonly data: JsonObject
}

/** Returns the event that a record is; undefined for a record of another shape. */
export function eventOf({ type, data }: JsonObject): CopilotEvent | undefined {
  return typeof type === 'string' && isJsonObject(data) ? { type, data } : undefined
}

/** Returns the subagent that an event is of; `ownLines` for the session itself. */
export function agentOf({ agentId }: JsonObject): string {
  return textIn(agentId) ?? ownLines
}

/** Returns the time of an event in Unix seconds; null where it has none. */
export function timeOf({ timestamp }: JsonObject): number | null {
  return timeIn(timestamp) ?? null
}

/** Returns the folder that a session works in, from what its first event says; null where it does not say. */
export function sessionProject({ context }: JsonObject): string | null {
  const where = isJsonObject(context) ? context : {}
  return textIn(where.cwd) ?? textIn(where.gitRoot) ?? null
}
