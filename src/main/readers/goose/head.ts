import { isJsonObject, type JsonObject } from '../../../shared/model/basics/json-object'
import type { ConversationHead } from '../common/document-conversations'
import { keyIn, textIn, timeIn, trimmedIn } from '../common/drafts'

/** Names that Goose gives a session until it has one of its own. */
const placeholder = /^(?:CLI Session|New Chat|New session(?: \d+)?)$/i

/** Reads the row of a session, or the first line of an older file, which has the names of the same columns. */
export function gooseHead(row: JsonObject): ConversationHead {
  const name = trimmedIn(row.name) ?? trimmedIn(row.description) ?? ''
  const isOwn = row.user_set_name === 1 || row.user_set_name === true
  const parent = keyIn(row.parent_session_id)
  return {
    id: textIn(row.id),
    title: !isOwn && placeholder.test(name) ? '' : name,
    project: textIn(row.working_dir) ?? null,
    createdAt: databaseTime(row.created_at),
    updatedAt: databaseTime(row.updated_at),
    model: modelIn(row.model_config_json),
    ...(parent !== undefined && row.session_type === 'sub_agent'
      ? { subagentOf: { key: parent } }
      : {}),
  }
}

/** A time as SQLite writes it, in UTC, or as RFC 3339. */
function databaseTime(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined
  const isPlain = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?$/.test(value)
  return timeIn(isPlain ? `${value.replace(' ', 'T')}Z` : value)
}

function modelIn(config: unknown): string | undefined {
  if (typeof config !== 'string') return undefined
  try {
    const value: unknown = JSON.parse(config)
    return isJsonObject(value) ? textIn(value.model_name) : undefined
  } catch {
    return undefined // Only the name of the model is lost, which the row shows.
  }
}
