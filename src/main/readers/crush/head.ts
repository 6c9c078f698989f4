import type { JsonObject } from '../../../shared/model/basics/json-object'
import type { ConversationKey } from '../../../shared/model/conversation/conversation'
import type { ConversationHead } from '../common/document-conversations'
import { keyIn, textIn, trimmedIn } from '../common/drafts'
import { secondsOfNumber } from '../tables/row-line'

/** Titles that Crush gives a session until it has one of its own, and those of every session of a subagent. */
const placeholder = /^(?:New Session|Untitled Session|New Agent Session|Fetch Analysis)$/i

/** Reads the row of a session. */
export function crushHead(row: JsonObject): ConversationHead {
  const id = textIn(row.id)
  const title = trimmedIn(row.title) ?? ''
  const parent = keyIn(row.parent_session_id)
  return {
    id,
    title: placeholder.test(title) ? '' : title,
    project: null, // The folder of its database tells it.
    createdAt: secondsOfNumber(row.created_at) ?? undefined,
    updatedAt: secondsOfNumber(row.updated_at) ?? undefined,
    model: undefined, // Each answer names its own.
    ...(parent === undefined ? {} : { subagentOf: originOf(parent, id) }),
  }
}

/** A subagent's session has the id of its call, in newer versions behind that of the message with the call. */
function originOf(key: ConversationKey, id = ''): NonNullable<ConversationHead['subagentOf']> {
  const isTitle = id === `title-${key}`
  const call = id.slice(id.lastIndexOf('$$') + (id.includes('$$') ? 2 : 1))
  return isTitle || call === '' ? { key } : { key, call }
}
