import { createHash } from 'node:crypto'
import type { JsonObject } from '../../../../shared/model/basics/json-object'
import { largestOf } from '../../../../shared/model/basics/long-lists'
import { textIn } from '../../common/drafts'
import { missingBytes, textLine, type ValueLine, valueLine } from '../../common/rows/value-lines'
import { secondsFrom } from '../lines/times'
import type { BubbleFacts } from './bubble-facts'
import { type ChatRows, type FoundBubble, keyOfBubble, keyOfChat, objectIn } from './chat-rows'

/** A chat as a file of lines: its own record first, then its messages in order, then those that it names no more. */
export interface ChatLayout {
  readonly id: string
  /** None where there is nothing to show: an empty tab. */
  readonly lines: readonly ValueLine[]
  readonly sizeBytes: number
  /** Unix milliseconds of the newest change that the chat tells; undefined where it tells none. */
  readonly changedMs: number | undefined
  /** Another text whenever any row of the chat may be another. */
  readonly stamp: string
  /** As on the first line. */
  readonly row: JsonObject
}

/**
 * Lays out a chat.
 *
 * @param facts members of some messages, by their keys
 */
export function layOutChat(rows: ChatRows, facts: ReadonlyMap<string, BubbleFacts>): ChatLayout {
  const { id, record } = rows
  const own = messagesOf(rows)
  const row = chatRow(rows, own.named, facts)
  const messages = [...bubbleLines(id, own.named, false), ...bubbleLines(id, own.dropped, true)]
  const last = own.named.at(-1)
  const leaf = own.dropped.length === 0 || last === undefined ? [] : [leafLine(last.id)]
  const isDamaged = record !== undefined && record.bytes > 0 && record.members === undefined
  const head = isDamaged ? damagedHead(rows, record.bytes) : headLine(row)
  const isEmpty = messages.length === 0 && !isDamaged
  const lines = isEmpty ? [] : [head, ...messages, ...leaf]
  const times = [row.lastUpdatedAt, row.createdAt, row.lastMessageAt].flatMap(
    (time) => secondsFrom(time) ?? [],
  )
  return {
    id,
    lines,
    sizeBytes: lines.reduce((sum, { bytes }) => sum + bytes, 0),
    changedMs: times.length === 0 ? undefined : Math.round(largestOf(times) * 1000),
    stamp: createHash('sha256')
      .update(JSON.stringify([rows, row]))
      .digest('hex')
      .slice(0, 16),
    row,
  }
}

/** A message in its place; without a value where the chat names one that is not there. */
interface PlacedBubble {
  readonly id: string
  readonly at: unknown
  readonly value: ValueLine['value']
}

interface Placed {
  readonly named: readonly PlacedBubble[]
  /** Of turns that were taken back or asked again, and drafts: the chat does not name them. */
  readonly dropped: readonly PlacedBubble[]
}

/** The chat's own order: its headers, else the messages inside of its record. Each message once, wherever it lies. */
function messagesOf({ id: chat, record, bubbles }: ChatRows): Placed {
  const { headers = [], inline = [] } = record ?? {}
  const found = new Map<string, ValueLine['value']>()
  // Of two messages with one id the second goes by its number.
  for (const { number, bytes, id } of inline) {
    const name = `#${number}`
    found.set(id === undefined || found.has(id) ? name : id, { name, bytes })
  }
  const inside = [...found.keys()]
  for (const { id, bytes } of bubbles) found.set(id, rowValue(chat, { id, bytes }))
  const order = headers.length > 0 ? headers : inside.map((id) => ({ id, at: undefined }))
  // Nobody knows the order of messages whose chat is gone or damaged: that in which they were written is the nearest.
  const known = order.length > 0 || record?.members !== undefined ? order : bubbles.map(atNoTime)
  const named = new Map<string, PlacedBubble>()
  for (const { id, at } of known) {
    if (!named.has(id)) named.set(id, { id, at, value: found.get(id) })
    found.delete(id)
  }
  const dropped = [...found].map(([id, value]) => ({ id, at: undefined, value }))
  return { named: [...named.values()], dropped }
}

function atNoTime({ id }: FoundBubble): { readonly id: string; readonly at: unknown } {
  return { id, at: undefined }
}

function rowValue(chat: string, { id, bytes }: Pick<FoundBubble, 'id' | 'bytes'>) {
  return { name: keyOfBubble(chat, id), bytes: bytes ?? missingBytes }
}

function bubbleLines(
  chat: string,
  bubbles: readonly PlacedBubble[],
  isDropped: boolean,
): readonly ValueLine[] {
  let previous: string | null = null
  return bubbles.map(({ id, at, value }) => {
    const head = JSON.stringify({
      record: 'bubble',
      chat,
      id,
      previous,
      ...(at == null ? {} : { at }),
      ...(isDropped ? { dropped: true } : {}),
    })
    if (value === undefined) return textLine(`${head.slice(0, -1)},"data":null}`)
    previous = id
    return valueLine(`${head.slice(0, -1)},"data":`, value, '}')
  })
}

function headLine(row: JsonObject): ValueLine {
  return textLine(JSON.stringify({ record: 'chat', row }))
}

function damagedHead({ id }: ChatRows, bytes: number): ValueLine {
  return valueLine('{"record":"chat","data":', { name: keyOfChat(id), bytes }, '}')
}

function leafLine(id: string): ValueLine {
  return textLine(JSON.stringify({ record: 'leaf', leaf: id }))
}

/** The chat's members, with what its row among the headers and its messages tell besides. */
function chatRow(
  { id, record, header }: ChatRows,
  named: readonly PlacedBubble[],
  facts: ReadonlyMap<string, BubbleFacts>,
): JsonObject {
  const members = record?.members ?? {}
  const told = named.flatMap(({ value }) => facts.get(value?.name ?? '') ?? [])
  const last = named.at(-1)
  const project =
    folderIn(members.workspaceIdentifier) ??
    folderIn(header?.workspaceIdentifier) ??
    told.map(({ folder }) => folder).find((one) => one !== undefined)
  const lastMessageAt = last?.at ?? facts.get(last?.value?.name ?? '')?.createdAt
  return {
    composerId: id,
    ...members,
    ...(members.name == null && header?.name != null ? { name: header.name } : {}),
    ...(members.subagentInfo == null && header?.subagentInfo != null
      ? { subagentInfo: header.subagentInfo }
      : {}),
    ...(project === undefined ? {} : { project }),
    ...(lastMessageAt == null ? {} : { lastMessageAt }),
  }
}

function folderIn(identifier: unknown): string | undefined {
  const uri = objectIn(objectIn(identifier).uri)
  return textIn(uri.fsPath) ?? textIn(uri.path)
}
