import {
  type Known,
  type KnownFormat,
  knownList,
  knownNames,
  knownObject,
  knownTypes,
} from '../known/known-format'

const content: Known = knownList(
  knownObject(
    ['type'],
    {},
    knownTypes('type', [
      ['text', knownObject(['text'])],
      ['reasoning', knownObject(['text'])],
      ['image_url', knownObject(['image_url'])],
      ['tool_call', knownObject(['tool_call_id', 'tool_name', 'input', 'output'])],
    ]),
  ),
)

/** Table of what the reader knows of Jan's messages. */
export const janFormat: KnownFormat = {
  record: knownObject(
    [
      ...['id', 'object', 'thread_id', 'assistant_id', 'attachments', 'status', 'created_at'],
      ...['completed_at', 'metadata', 'type', 'error_code', 'tool_call_id'],
    ],
    { role: knownNames(['user', 'assistant', 'system', 'tool']), content },
  ),
}
