import { isJsonObject, type JsonObject } from '../../../../shared/model/basics/json-object'
import type { SqlAnswer } from '../../../sqlite/database'
import type { SqlValue } from '../../../sqlite/engine'
import { chatMembers } from './chat-sql'

/** The rows of a chat, without the text of its messages. */
export interface ChatRows {
  readonly id: string
  /** Undefined where messages have outlived it. */
  readonly record: ChatRecord | undefined
  /** Its row in the table of headers of newer versions. */
  readonly header: JsonObject | undefined
  /** In the order in which they were written. */
  readonly bubbles: readonly FoundBubble[]
}

/** A chat's own record. */
export interface ChatRecord {
  readonly rowid: number
  /** 0 where it has no value. */
  readonly bytes: number
  /** Undefined where it has no value, or one that is no JSON. */
  readonly members: JsonObject | undefined
  /** The chat's order. */
  readonly headers: readonly {
    readonly id: string
    readonly type: unknown
    readonly at: unknown
  }[]
  /** Messages inside of the record, as older versions keep them. */
  readonly inline: readonly {
    readonly number: number
    readonly bytes: number
    readonly id: string | undefined
  }[]
}

/** A message that has a row. */
export interface FoundBubble {
  readonly id: string
  readonly rowid: number
  /** Null where it has no value. */
  readonly bytes: number | null
}

/** Returns the key of a chat's record in the database. */
export function keyOfChat(chat: string): string {
  return `composerData:${chat}`
}

/** Returns the key of a message in the database. */
export function keyOfBubble(chat: string, bubble: string): string {
  return `bubbleId:${chat}:${bubble}`
}

/** Reads the answers to `chatQueries`; chats of which there is nothing are left out. */
export function chatRowsFrom(
  heads: SqlAnswer | undefined,
  bubbles: SqlAnswer | undefined,
): readonly ChatRows[] {
  const bubblesOf = new Map<string, FoundBubble[]>()
  for (const [chat, id, rowid, bytes] of bubbles?.rows ?? []) {
    const bubble = {
      id: String(id),
      rowid: Number(rowid),
      bytes: bytes === null ? null : Number(bytes),
    }
    const known = bubblesOf.get(String(chat))
    if (known === undefined) bubblesOf.set(String(chat), [bubble])
    else known.push(bubble)
  }
  return (heads?.rows ?? []).flatMap(([chat, rowid, bytes, members, headers, inline, header]) => {
    const id = String(chat)
    const own = bubblesOf.get(id) ?? []
    const record =
      typeof rowid === 'number'
        ? recordFrom(rowid, Number(bytes ?? 0), members, headers, inline)
        : undefined
    if (record === undefined && own.length === 0) return []
    const [workspaceIdentifier, name, subagentInfo] = listIn(header)
    const known = header == null ? undefined : { workspaceIdentifier, name, subagentInfo }
    return [{ id, record, header: known, bubbles: own }]
  })
}

function recordFrom(
  rowid: number,
  bytes: number,
  members: SqlValue | undefined,
  headers: SqlValue | undefined,
  inline: SqlValue | undefined,
): ChatRecord {
  const values = listIn(members)
  const named = chatMembers.map((name, at): [string, unknown] => [name, values[at]])
  return {
    rowid,
    bytes,
    members:
      members == null ? undefined : Object.fromEntries(named.filter(([, value]) => value != null)),
    headers: listsIn(headers).flatMap(([id, type, at]) =>
      typeof id === 'string' ? [{ id, type, at }] : [],
    ),
    inline: listsIn(inline).map(([number, size, id]) => ({
      number: Number(number),
      bytes: Number(size),
      id: typeof id === 'string' ? id : undefined,
    })),
  }
}

/** Reads a JSON list that the database made; empty where it made none. */
export function listIn(value: SqlValue | undefined): readonly unknown[] {
  if (typeof value !== 'string') return []
  const list: unknown = JSON.parse(value)
  return Array.isArray(list) ? list : []
}

function listsIn(value: SqlValue | undefined): readonly (readonly unknown[])[] {
  return listIn(value).filter((one) => Array.isArray(one))
}

/** Reads a JSON object that the database made; empty where it made none. */
export function objectIn(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {}
}
