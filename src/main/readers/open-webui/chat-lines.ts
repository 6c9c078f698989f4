import { isJsonObject, type JsonObject } from '../../../shared/model/basics/json-object'
import { recordOrder } from '../../records/document/record-order'
import type { SqlAnswer } from '../../sqlite/database'
import type { SqlValue } from '../../sqlite/engine'
import type { RowConversation } from '../common/rows/row-source'
import { missingBytes, textLine, type ValueLine, valueLine } from '../common/rows/value-lines'
import { rowFrameBytes, valueName } from './chat-sql'
import { secondsOf } from './times'

/** A message of a chat, in its document, in a row of its own, or in both. */
interface FoundMessage {
  readonly id: string
  /** Of its value. */
  readonly name: string
  readonly bytes: number
  readonly parent: string | null
  readonly time: number | undefined
  /** Unix seconds of its row's last change; 0 where it has none. */
  readonly changed: number
}

/**
 * Lays out chats as files of lines: the chat's own line first, then its messages in reading order, the branch where the chat is
 * now at the end. A document that is no JSON is a line as it is.
 */
export function layOutWebuiChats([
  heads,
  documents,
  rows,
]: readonly SqlAnswer[]): readonly RowConversation[] {
  const inDocuments = byChat(documents)
  const inRows = byChat(rows)
  return (heads?.rows ?? []).map(([id, head, brokenBytes, updated]) => {
    const about = objectIn(head)
    const messages = joined(inDocuments.get(id) ?? [], inRows.get(id) ?? [])
    const changed = messages.reduce(
      (most, one) => Math.max(most, one.changed),
      secondsOf(updated) ?? 0,
    )
    const last = messages.reduce((most, { time = 0 }) => Math.max(most, time), 0)
    const broken =
      typeof brokenBytes === 'number'
        ? [valueLine('', { name: valueName(), bytes: brokenBytes }, '')]
        : []
    const order = [...recordOrder(messages, leafOf(about, messages))]
    return {
      name: String(id),
      about: last === 0 ? about : { ...about, lastAt: last },
      lines: [
        textLine(JSON.stringify({ record: 'chat', ...about })),
        ...broken,
        ...order.flatMap((at) => lineOf(messages[at])),
      ],
      mtimeMs: Math.round(Math.max(changed, last) * 1000),
      state: String(changed),
    }
  })
}

function byChat(
  answer: SqlAnswer | undefined,
): ReadonlyMap<SqlValue | undefined, SqlAnswer['rows']> {
  const found = new Map<SqlValue | undefined, (readonly SqlValue[])[]>()
  for (const row of answer?.rows ?? []) {
    const known = found.get(row[0])
    if (known === undefined) found.set(row[0], [row])
    else known.push(row)
  }
  return found
}

/** The messages of a document and of rows, each once. */
function joined(documents: SqlAnswer['rows'], rows: SqlAnswer['rows']): readonly FoundMessage[] {
  const found = new Map<string, FoundMessage>()
  const parents = new Map<string, string>()
  let before: string | null = null
  for (const [, key, number, bytes, parent, children, time, isInList] of documents) {
    const id = String(key)
    const nth = Number(number)
    const name = valueName({ id, nth })
    // The messages of a list go on from each other.
    const previous = isInList === 1 ? before : null
    before = id
    found.set(name, {
      // An id that the document has twice.
      id: nth > 1 ? `${id}~${nth}` : id,
      name,
      bytes: Number(bytes),
      parent: typeof parent === 'string' ? parent : previous,
      time: secondsOf(time),
      changed: 0,
    })
    for (const child of listIn(children))
      if (typeof child === 'string' && !parents.has(child)) parents.set(child, id)
  }
  for (const [, key, bytes, parent, time, changed] of rows) {
    const id = String(key)
    const known = found.get(valueName({ id, nth: 1 }))
    const name = known?.name ?? valueName({ id, nth: 0 })
    found.set(name, {
      id,
      name,
      bytes: (known?.bytes ?? missingBytes) + rowFrameBytes + Number(bytes),
      parent: known?.parent ?? (typeof parent === 'string' ? parent : null),
      time: known?.time ?? secondsOf(time),
      changed: secondsOf(changed) ?? 0,
    })
  }
  return withParents([...found.values()], parents)
}

/** Links go one way at times: a message that names none before it, or one that is gone, has the one that names it. */
function withParents(
  messages: readonly FoundMessage[],
  parents: ReadonlyMap<string, string>,
): readonly FoundMessage[] {
  const ids = new Set(messages.map(({ id }) => id))
  return messages.map((message) => {
    const { id, parent } = message
    if (parent !== null && ids.has(parent)) return message
    return { ...message, parent: parents.get(id) ?? parent }
  })
}

/** The message where the chat is now; undefined where it names none of its own. */
function leafOf(about: JsonObject, messages: readonly FoundMessage[]): string | undefined {
  const told = isJsonObject(about.chat) ? about.chat.currentId : undefined
  const named = [about.current_message_id, told]
  return messages.find(({ id }) => named.includes(id))?.id
}

function lineOf(message: FoundMessage | undefined): readonly ValueLine[] {
  if (message === undefined) return []
  const { id, parent, bytes, name } = message
  const head = JSON.stringify({ record: 'message', id, parent }).slice(0, -1)
  return [valueLine(`${head},"data":`, { name, bytes }, '}')]
}

function objectIn(text: SqlValue | undefined): JsonObject {
  const value: unknown = typeof text === 'string' ? JSON.parse(text) : undefined
  return isJsonObject(value) ? value : {}
}

function listIn(text: SqlValue | undefined): readonly unknown[] {
  const value: unknown = typeof text === 'string' ? JSON.parse(text) : undefined
  return Array.isArray(value) ? value : []
}
