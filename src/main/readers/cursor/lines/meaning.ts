import { isJsonObject, type JsonObject } from '../../../../shared/model/basics/json-object'
import type { ValuePosition } from '../../../disk/json/json-accept'
import { type TimelessEntry, textIn, unknownEntry } from '../../common/drafts'
import { recordOf } from '../../common/record-values'
import { isLostValue } from '../../common/rows/value-lines'
import type { RecordLink, ValueMeaning } from '../../common/value-meaning'
import { bubbleEntries } from './bubble'
import { type ChatHead, cursorHead } from './head'
import { cursorMessage } from './message'
import { secondsFrom } from './times'

/** The meaning of a line; that of a chat's own record has its head. */
export type CursorLine = ValueMeaning & { readonly head?: ChatHead }

/**
 * Converts a line of a chat's record file (`state/`, `store/`), or of a transcript, to its meaning. Uses nothing but this
 * line.
 */
export function cursorLine(
  value: unknown,
  text: string,
  position: ValuePosition,
): CursorLine | string {
  const line = recordOf(value)
  if (typeof line === 'string') return line
  if (line.record === undefined) return transcriptLine(line, text, position)
  // What a tool read may itself look like a line.
  if (position !== 'line') return 'a part of a line'
  switch (line.record) {
    case 'chat':
    case 'store':
    case 'tab':
      return headLine(line)
    case 'leaf': {
      const leaf = textIn(line.leaf)
      return leaf === undefined ? { type: 'control' } : { type: 'control', link: { leaf } }
    }
    case 'root':
      return 'the newest list of messages is not in the database, or damaged: the chat may go on after these'
    case 'bubble':
      return bubbleLine(line)
    case 'tab-bubble':
      return tabLine(line)
    case 'message':
      return messageLine(line)
    default:
      return 'not a line of a chat'
  }
}

function headLine({ row }: JsonObject): CursorLine | string {
  if (!isJsonObject(row)) return 'a chat whose record is no JSON'
  const head = cursorHead(row)
  const { model } = head
  return { type: 'control', head, ...(model === undefined ? {} : { model }) }
}

const lostWords = 'a message on a damaged page of the database'

function bubbleLine(line: JsonObject): CursorLine | string {
  const { data, dropped } = line
  if (data === null && dropped !== true) return 'the chat names a message that is not there'
  const link = linkOf(line)
  if (data === null) return { type: 'control', ...link }
  if (!isJsonObject(data)) return 'a message that is no JSON object'
  if (isLostValue(data)) return lostWords
  return meaningOf(
    bubbleEntries(data),
    secondsFrom(line.at) ?? secondsFrom(data.createdAt) ?? null,
    link,
  )
}

function tabLine({ data }: JsonObject): CursorLine | string {
  if (!isJsonObject(data)) return 'a message that is no JSON object'
  return isLostValue(data) ? lostWords : meaningOf(bubbleEntries(data), null)
}

function messageLine(line: JsonObject): CursorLine | string {
  const { data } = line
  if (data === null) return 'the chat names a message that is not there'
  const role = isJsonObject(data) ? textIn(data.role) : undefined
  if (isJsonObject(data) && isLostValue(data)) return lostWords
  if (!isJsonObject(data) || role === undefined) return 'a message without a role'
  return meaningOf(cursorMessage(role, data.content), null, linkOf(line))
}

/** Kinds of a transcript's lines that say nothing. */
export const silentCursorLines: ReadonlySet<unknown> = new Set(['turn_ended'])

function transcriptLine(
  line: JsonObject,
  text: string,
  position: ValuePosition,
): CursorLine | string {
  const role = textIn(line.role)
  const message = isJsonObject(line.message) ? line.message : line
  const isMessage = role !== undefined && message.content !== undefined
  if (
    position === 'inside-torn' ||
    (position === 'recovered' && !isMessage && !silentCursorLines.has(line.type))
  )
    return 'a part of a line'
  if (isMessage)
    return meaningOf(cursorMessage(role, message.content), secondsFrom(line.timestamp) ?? null)
  if (silentCursorLines.has(line.type)) return { type: 'control' }
  return meaningOf([unknownEntry('cursor', textIn(line.type) ?? '', text)], null)
}

function linkOf(line: JsonObject): { readonly link?: RecordLink } {
  const id = textIn(line.id)
  return id === undefined ? {} : { link: { id, parent: textIn(line.previous) ?? null } }
}

function meaningOf(
  drafts: readonly TimelessEntry[],
  timestamp: number | null,
  link: { readonly link?: RecordLink } = {},
): CursorLine {
  if (drafts.length === 0) return { type: 'control', ...link }
  return { type: 'entries', entries: drafts.map((draft) => ({ timestamp, ...draft })), ...link }
}
