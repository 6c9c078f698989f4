import { isJsonObject, type JsonObject } from '../../../shared/model/basics/json-object'
import type { ValuePosition } from '../../disk/json/json-accept'
import { textIn, timeIn, unknownEntry } from '../common/drafts'
import { depthFault } from '../common/record-values'
import type { NamelessEntry, ValueMeaning } from '../common/value-meaning'
import { messageEntries } from './message'

/** Fields of a session, where they are in a line. */
export interface SessionFields {
  readonly id?: string | undefined
  /** Unix seconds. */
  readonly createdAt?: number | undefined
  readonly summary?: string | undefined
  readonly directory?: string | undefined
}

/** Change of the list of a session's messages by a line. */
export type SessionStep =
  /** A message is added, or takes the place of the one that has its id. */
  | { readonly type: 'message'; readonly name: string | undefined }
  /** The list is made anew: for each message its id, and how many of the line's entries are its own. */
  | {
      readonly type: 'all'
      readonly messages: readonly { readonly name: string | undefined; readonly entries: number }[]
    }
  /** The message of this id and all behind it are taken back. */
  | { readonly type: 'rewind'; readonly to: string }
  | { readonly type: 'none' }

/** The meaning of a line, and what only the reading of a whole session uses of it. */
export type GeminiLine = ValueMeaning & {
  readonly step?: SessionStep
  readonly fields?: SessionFields
}

/**
 * Converts one line of a session, or of the lines that a document is: its fields, a message, or a change of either.
 * Uses nothing but this line.
 */
export function geminiLine(
  value: unknown,
  text: string,
  position: ValuePosition,
): GeminiLine | string {
  const fault = depthFault(value)
  if (fault !== undefined) return fault
  // A document that is no session; see main/records.
  if (Array.isArray(value) && position === 'line') return entriesLine([unknown('', text)])
  if (!isJsonObject(value)) return 'not a JSON object'
  // Nothing inside of a message has its fields, or those of a session.
  if (position !== 'line' && !isMessage(value) && !isOfGeminiSession(value)) return 'not a message'
  if ('$rewindTo' in value) return rewindLine(value)
  if (isJsonObject(value.$set)) return setLine(value.$set)
  if (isOfGeminiSession(value)) return { type: 'control', fields: fieldsOf(value) }
  return messageLine(value, text)
}

function isMessage({ id, type, timestamp }: JsonObject): boolean {
  return [id, type, timestamp].every((field) => typeof field === 'string')
}

/** Returns true for the fields of a session, and for a change of it. */
export function isOfGeminiSession(value: JsonObject): boolean {
  if ('$rewindTo' in value || isJsonObject(value.$set)) return true
  return value.type === undefined && ('sessionId' in value || 'lastUpdated' in value)
}

function rewindLine({ $rewindTo: to }: JsonObject): GeminiLine {
  return { type: 'control', step: { type: 'rewind', to: typeof to === 'string' ? to : '' } }
}

function setLine(set: JsonObject): GeminiLine {
  const fields = fieldsOf(set)
  const { messages } = set
  if (!Array.isArray(messages)) return { type: 'control', fields }
  const all = messages.map((message: unknown) => {
    const known = isJsonObject(message) ? messageEntries(message) : undefined
    const name = isJsonObject(message) ? textIn(message.id) : undefined
    return { name, own: known ?? [unknown(rawTypeOf(message), JSON.stringify(message))] }
  })
  const step: SessionStep = {
    type: 'all',
    messages: all.map(({ name, own }) => ({ name, entries: own.length })),
  }
  const [first, ...further] = all.flatMap(({ own }) => own)
  if (first === undefined) return { type: 'control', fields, step }
  return { ...entriesLine([first, ...further]), fields, step }
}

function messageLine(message: JsonObject, text: string): GeminiLine {
  const name = textIn(message.id)
  const entries = messageEntries(message) ?? ([unknown(rawTypeOf(message), text)] as const)
  // A record with an id names the one before it, which no line of this format does: that is added in the reading.
  const link = name === undefined ? {} : { link: { id: name, parent: null } }
  return { ...entriesLine(entries), ...link, step: { type: 'message', name } }
}

function entriesLine(entries: readonly [NamelessEntry, ...NamelessEntry[]]) {
  return { type: 'entries', entries } as const
}

function unknown(rawType: string, text: string): NamelessEntry {
  return { timestamp: null, ...unknownEntry('gemini', rawType, text) }
}

function rawTypeOf(message: unknown): string {
  return isJsonObject(message) && typeof message.type === 'string' ? message.type : ''
}

function fieldsOf({ sessionId, startTime, summary, directories }: JsonObject): SessionFields {
  const [directory] = Array.isArray(directories) ? directories : []
  return {
    id: textIn(sessionId),
    createdAt: timeIn(startTime),
    summary: textIn(summary)?.trim(),
    directory: textIn(directory),
  }
}
