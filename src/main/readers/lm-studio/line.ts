import { isJsonObject, type JsonObject } from '../../../shared/model/basics/json-object'
import type { ValuePosition } from '../../disk/json/json-accept'
import type { ConversationHead } from '../common/document-conversations'
import { secondsOfMs, type TimelessEntry, textIn, trimmedIn, unknownEntry } from '../common/drafts'
import type { DocumentLine } from '../common/read-record-file'
import { recordOf } from '../common/record-values'
import type { NamelessEntry } from '../common/value-meaning'
import { versionEntries } from './version'

/** Converts one line of a conversation's record file (`records`). Uses nothing but this line, so results come from "tool". */
export function studioLine(
  value: unknown,
  text: string,
  position: ValuePosition,
): DocumentLine | string {
  const line = recordOf(value)
  if (typeof line === 'string') return line
  // Whole messages of a document that ends early have lines of their own.
  if (position !== 'line') return 'a part of a message'
  if (isJsonObject(line.conversation)) return { type: 'control', head: headOf(line.conversation) }
  const { version } = line
  const drafts: readonly TimelessEntry[] = isJsonObject(version)
    ? versionEntries(version)
    : [unknownEntry('lm-studio', 'version', version === undefined ? text : JSON.stringify(version))]
  const id = textIn(line.id)
  const link = id === undefined ? {} : { link: { id, parent: textIn(line.previous) ?? null } }
  const [first, ...further] = drafts.map((draft): NamelessEntry => ({ timestamp: null, ...draft }))
  if (first === undefined) return { type: 'control', ...link }
  return { type: 'entries', entries: [first, ...further], ...link }
}

function headOf(conversation: JsonObject): ConversationHead {
  const { name, createdAt, userLastMessagedAt, lastUsedModel } = conversation
  return {
    id: undefined, // A file has the name of its conversation.
    title: trimmedIn(name) ?? '',
    project: null,
    createdAt: secondsOfMs(createdAt),
    updatedAt: secondsOfMs(userLastMessagedAt),
    model: isJsonObject(lastUsedModel) ? textIn(lastUsedModel.identifier) : undefined,
  }
}
