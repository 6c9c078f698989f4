import { isJsonObject, type JsonObject } from '../../../shared/model/basics/json-object'
import { textIn, trimmedIn } from '../common/drafts'
import type { ListedHead } from '../common/rows/listed-conversations'
import { secondsOf } from './times'

/** The title that a chat has until it has one. */
const placeholder = 'New Chat'

/** Returns what a list shows of a chat, from its own members: those of its row, or of its export. */
export function chatHead(chat: JsonObject): ListedHead {
  const { id, title, folder, folder_id, created_at, updated_at, lastAt } = chat
  const inside = isJsonObject(chat.chat) ? chat.chat : {}
  const models: readonly unknown[] = Array.isArray(inside.models) ? inside.models : []
  const named = trimmedIn(title) ?? trimmedIn(inside.title)
  return {
    id: textIn(id),
    title: named === undefined || named === placeholder ? '' : named,
    project: textIn(folder) ?? textIn(folder_id) ?? null,
    createdAt: secondsOf(created_at) ?? secondsOf(inside.timestamp),
    updatedAt: secondsOf(updated_at),
    // Of several models each answer names its own.
    model: models.length === 1 ? textIn(models[0]) : undefined,
    lastAt: secondsOf(lastAt),
  }
}

/** Returns the same from the members of an exported chat, by their paths. */
export function exportedHead(facts: JsonObject): ListedHead {
  const { 'chat.title': title, 'chat.timestamp': timestamp, ...own } = facts
  return chatHead({ ...own, chat: { title, timestamp } })
}
