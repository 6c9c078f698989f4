import { isJsonObject, type JsonObject } from '../../../../shared/model/basics/json-object'
import type { ValuePosition } from '../../../disk/json/json-accept'
import type { ConversationHead } from '../../common/document-conversations'
import { secondsOfMs, textIn, trimmedIn, unknownEntry } from '../../common/drafts'
import type { DocumentLine } from '../../common/read-record-file'
import { recordOf } from '../../common/record-values'
import type { NamelessEntry } from '../../common/value-meaning'
import { requestEntries } from './request'

/** Returns true for a line of a chat's record file: no event of Copilot CLI has such a member. */
export function isChatLine(value: JsonObject): boolean {
  return ['session', 'request', 'leaf', 'change'].some((key) => key in value) && !('type' in value)
}

/** Converts one line of a chat's record file (`chat-records`). Uses nothing but this line. */
export function chatLine(
  value: unknown,
  text: string,
  position: ValuePosition,
): DocumentLine | string {
  const line = recordOf(value)
  if (typeof line === 'string') return line
  // Of a damaged change, or of a document that ends early: what was whole in it has a line of its own.
  if (position !== 'line') return 'a part of a chat'
  if (isJsonObject(line.session)) return { type: 'control', head: headOf(line.session) }
  if ('leaf' in line) {
    const leaf = textIn(line.leaf)
    return { type: 'control', ...(leaf === undefined ? {} : { link: { leaf } }) }
  }
  if ('request' in line) return requestMeaning(line)
  const { change } = line
  const kind = isJsonObject(change) ? `change ${String(change.kind)}` : 'change'
  return entriesLine({ timestamp: null, ...unknownEntry('copilot', kind, textOf(change, text)) })
}

function requestMeaning(line: JsonObject): DocumentLine {
  const { request, previous, isPending } = line
  if (!isJsonObject(request)) {
    const strange = unknownEntry('copilot', 'request', JSON.stringify(request ?? null))
    return entriesLine({ timestamp: null, ...strange })
  }
  const id = 'previous' in line ? textIn(request.requestId) : undefined
  const parent = textIn(previous) ?? null
  const link = id === undefined ? {} : { link: { id, parent } }
  const [first, ...further] = requestEntries(request, isPending === true)
  return { type: 'entries', entries: [first, ...further], ...link }
}

function headOf(session: JsonObject): ConversationHead {
  const { customTitle, computedTitle, creationDate, lastMessageDate } = session
  return {
    id: undefined, // A file has the name of its chat.
    title: trimmedIn(customTitle) ?? trimmedIn(computedTitle) ?? '',
    project: null,
    createdAt: secondsOfMs(creationDate),
    updatedAt: secondsOfMs(lastMessageDate),
    model: undefined,
  }
}

function entriesLine(entry: NamelessEntry): DocumentLine {
  return { type: 'entries', entries: [entry] }
}

function textOf(change: unknown, text: string): string {
  return change === undefined ? text : JSON.stringify(change)
}
