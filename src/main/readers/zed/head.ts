import type { JsonObject } from '../../../shared/model/basics/json-object'
import type { ConversationHead } from '../common/document-conversations'
import { keyIn, textIn, timeIn, trimmedIn } from '../common/drafts'

/** Title that Zed shows until a thread has one. */
const placeholder = /^New Thread$/i

/** Reads the row of a thread. */
export function zedHead(row: JsonObject): ConversationHead {
  const title = trimmedIn(row.summary) ?? ''
  const parent = keyIn(row.parent_id)
  return {
    id: textIn(row.id),
    title: placeholder.test(title) ? '' : title,
    // Folders are one a line.
    project: textIn(row.folder_paths)?.split('\n')[0] ?? null,
    createdAt: timeIn(row.created_at),
    updatedAt: timeIn(row.updated_at),
    model: undefined, // Each line names it.
    ...(parent === undefined ? {} : { subagentOf: { key: parent } }),
  }
}
