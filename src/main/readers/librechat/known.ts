import { type KnownFormat, knownList, knownObject, knownTypes } from '../known/known-format'

/** Fields of a message that are no text of it, and that the reader does not show. */
export const librechatFields: ReadonlySet<string> = new Set([
  ...['messageId', 'parentMessageId', 'conversationId', 'isCreatedByUser', 'sender', 'text'],
  ...['content', 'model', 'createdAt', 'updatedAt', 'error', 'unfinished', 'tokenCount', 'files'],
  ...['endpoint', 'iconURL', 'user', '_id', '__v', 'id', 'children', 'siblingIndex', 'depth'],
  ...['clientId', 'expiredAt', 'cancelled', 'generation', 'title', 'overrideParentMessageId'],
  ...['_meiliIndex', 'isEdited', 'finish_reason', 'thread_id', 'attachments'],
])

const part = knownObject(
  ['type', 'tool_call_ids', 'agentId', 'groupId'],
  {},
  knownTypes('type', [
    ['text', knownObject(['text'])],
    ['think', knownObject(['think'])],
    ['tool_call', knownObject(['tool_call'])],
    ['error', knownObject(['error', 'text'])],
    ['image_file', knownObject(['image_file'])],
    ['image_url', knownObject(['image_url'])],
    ['agent_update', knownObject(['agent_update'])],
  ]),
)

/** Table of what the reader knows of LibreChat's messages. Exports name no version. */
export const librechatTable: KnownFormat = {
  record: knownObject(['conversation', 'leaf'], {
    message: knownObject(
      [...librechatFields, 'feedback', 'metadata', 'plugin', 'plugins', 'addedConvo', 'ocr'],
      { content: knownList(part) },
    ),
  }),
}
