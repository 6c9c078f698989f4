import { isJsonObject, type JsonObject } from '../../../shared/model/basics/json-object'
import { recordOrder } from '../../records/document/record-order'
import type { SqlAnswer } from '../../sqlite/database'
import type { SqlValue } from '../../sqlite/engine'
import type { RowConversation } from '../common/rows/row-source'
import { textLine, type ValueLine, valueLine } from '../common/rows/value-lines'
import { secondsOfUtc } from './times'
import { valueKinds } from './value-kinds'

interface Found {
  readonly head: JsonObject
  readonly messages: (readonly SqlValue[])[]
  readonly responses: (readonly SqlValue[])[]
}

/**
 * Lays out conversations as files of lines: the conversation's own line first, then its messages in reading order, the branch
 * where it is now at the end; or the answers of the first generation, one after the other. Where one has both its messages tell
 * what the answers tell: those are marked.
 */
export function layOutLog([
  threads,
  messages,
  heads,
  responses,
]: readonly SqlAnswer[]): readonly RowConversation[] {
  const found = new Map<string, Found>()
  for (const [id, head] of [...(threads?.rows ?? []), ...(heads?.rows ?? [])]) {
    const known = found.get(String(id))
    if (known === undefined)
      found.set(String(id), { head: objectIn(head), messages: [], responses: [] })
  }
  for (const row of messages?.rows ?? []) found.get(String(row[0]))?.messages.push(row)
  for (const row of responses?.rows ?? []) found.get(String(row[0]))?.responses.push(row)
  return [...found].flatMap(([name, one]) => conversationOf(name, one) ?? [])
}

/** Undefined for a thread in which nothing was said. */
function conversationOf(name: string, found: Found): RowConversation | undefined {
  const { head, messages, responses } = found
  if (messages.length + responses.length === 0) return undefined
  const times = [...messages.map(timeOfMessage), ...responses.map(timeOfResponse)]
  const told = times.flatMap((time) => time ?? [])
  const [earliest] = responses
  const first = earliest === undefined ? told[0] : secondsOfUtc(earliest[2])
  const last = told.reduce((most, time) => Math.max(most, time), 0)
  const about = { ...head, firstAt: first ?? null, lastAt: last === 0 ? null : last }
  return {
    name,
    about,
    lines: [
      textLine(JSON.stringify({ record: 'conversation', ...about })),
      ...responseLines(responses, messages.length > 0),
      ...messageLines(messages, head.tip_message_hash),
    ],
    mtimeMs: Math.round(last * 1000),
    state: '',
  }
}

function responseLines(
  responses: readonly (readonly SqlValue[])[],
  isToldElsewhere: boolean,
): readonly ValueLine[] {
  let previous: string | null = null
  return responses.map(([, id, , , bytes]) => {
    const mark = isToldElsewhere ? { isToldElsewhere } : {}
    const line = JSON.stringify({ record: 'response', id, previous, ...mark }).slice(0, -1)
    previous = String(id)
    const value = { name: `${valueKinds.response}${id}`, bytes: Number(bytes) }
    return valueLine(`${line},"data":`, value, '}')
  })
}

function messageLines(
  messages: readonly (readonly SqlValue[])[],
  tip: unknown,
): readonly ValueLine[] {
  const records = messages.map((row) => {
    const [, hash, parent] = row
    return {
      id: String(hash),
      parent: typeof parent === 'string' ? parent : null,
      time: timeOfMessage(row),
      bytes: Number(row[6]),
    }
  })
  const order = recordOrder(records, typeof tip === 'string' ? tip : undefined)
  return [...order].flatMap((at) => {
    const record = records[at]
    if (record === undefined) return []
    const { id, parent, bytes } = record
    const line = JSON.stringify({ record: 'message', id, parent }).slice(0, -1)
    return [valueLine(`${line},"data":`, { name: `${valueKinds.message}${id}`, bytes }, '}')]
  })
}

function timeOfMessage([, , , time, duration, asked]: readonly SqlValue[]): number | undefined {
  return secondsOfUtc(time, duration) ?? secondsOfUtc(asked)
}

function timeOfResponse([, , time, duration]: readonly SqlValue[]): number | undefined {
  return secondsOfUtc(time, duration)
}

function objectIn(text: SqlValue | undefined): JsonObject {
  const value: unknown = typeof text === 'string' ? JSON.parse(text) : undefined
  return isJsonObject(value) ? value : {}
}
