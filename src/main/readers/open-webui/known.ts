import { isJsonObject } from '../../../shared/model/basics/json-object'
import { type Known, type KnownFormat, knownNames, knownObject } from '../known/known-format'

/** Authors that the reader knows. */
const roles = knownNames(['user', 'assistant', 'system'])

const message = knownObject(
  [
    ...['id', 'parentId', 'childrenIds', 'content', 'timestamp', 'model', 'models', 'modelName'],
    ...['modelIdx', 'files', 'sources', 'citations', 'usage', 'info', 'statusHistory', 'status'],
    ...['done', 'error', 'output', 'embeds', 'meta', 'user', 'user_id', 'lastSentence', 'merged'],
    ...['originalContent', 'annotation', 'feedbackId', 'code_executions', 'followUps', 'context'],
    ...['selectedModelId', 'arena', 'favorite', 'contextSummary', 'userContext', 'raContent'],
    ...['completedAt', 'images'],
  ],
  { role: roles },
)

const row = knownObject(
  [
    ...['parent_id', 'model_id', 'done', 'context_summary', 'created_at', 'content', 'output'],
    ...['files', 'sources', 'embeds', 'meta', 'status_history', 'error', 'usage'],
  ],
  { role: roles },
)

const line = knownObject(['record', 'id', 'parent'], { data: message, row })

/**
 * Table of what the reader knows of Open WebUI's messages. Neither databases nor exports name a version; the members of a chat
 * are not looked at.
 */
export const openWebuiFormat: KnownFormat = {
  record: {
    type: 'choice',
    choose: (value): Known => {
      if (value.record === 'message') return line
      return value.record === undefined && !isJsonObject(value.chat) && 'role' in value
        ? message
        : 'any'
    },
  },
}
