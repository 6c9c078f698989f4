import { isJsonObject } from '../../../../shared/model/basics/json-object'
import {
  allAs,
  type Known,
  type KnownFormat,
  knownList,
  knownObject,
  knownTypes,
} from '../../known/known-format'
import { bubbleFields } from './bubble-fields'
import { silentCursorLines } from './meaning'

const both = ['type', 'providerOptions', 'cache_control']
const call = knownObject([
  ...['toolCallId', 'toolName', 'args', 'id', 'name', 'input', 'providerExecuted'],
])
const result = knownObject([
  ...[
    'toolCallId',
    'tool_use_id',
    'toolName',
    'result',
    'output',
    'content',
    'isError',
    'is_error',
  ],
  'experimental_content',
])
const thought = knownObject(['text', 'thinking', 'signature', 'data'])
const file = knownObject([
  ...[
    'image',
    'data',
    'source',
    'filename',
    'mimeType',
    'mediaType',
    'experimental_providerMetadata',
  ],
])
const content: Known = knownList(
  knownObject(
    both,
    {},
    knownTypes('type', [
      ['text', knownObject(['text', 'citations'])],
      ...allAs(['reasoning', 'thinking', 'redacted-reasoning', 'redacted_thinking'], thought),
      ...allAs(['tool-call', 'tool_use'], call),
      ...allAs(['tool-result', 'tool_result'], result),
      ...allAs(['image', 'file'], file),
    ]),
  ),
)

const roles = knownTypes('role', allAs(['system', 'user', 'assistant', 'tool'], 'shared' as const))

/** A message of the command line's store. */
const message = knownObject(['id', 'role', 'providerOptions'], { content }, roles)

/** A message of the editor, whose types are numbers; older versions name them. */
const bubble = knownObject(
  bubbleFields,
  {
    toolFormerData: knownObject([
      ...['tool', 'toolIndex', 'toolCallId', 'modelCallId', 'status', 'name', 'rawArgs', 'params'],
      ...['result', 'error', 'userDecision', 'additionalData', 'toolCallBinary', 'attachments'],
    ]),
  },
  knownTypes('type', allAs(['1', '2', 'user', 'ai'], 'shared' as const)),
)

const spoken = knownObject(
  ['role', 'timestamp', 'type'],
  { message: knownObject(['role'], { content }), content },
  roles,
)
const silent = knownObject([], {}, knownTypes('type', allAs(silentCursorLines, 'any' as const)))

/** Knowledge of the lines of a chat in a database, by what they are; a transcript's are none of these. */
const records: ReadonlyMap<unknown, Known> = new Map<unknown, Known>([
  ['bubble', knownObject(['record', 'chat', 'id', 'previous', 'at', 'dropped'], { data: bubble })],
  ['tab-bubble', knownObject(['record', 'chat', 'id'], { data: bubble })],
  ['message', knownObject(['record', 'chat', 'id', 'previous'], { data: message })],
])

/**
 * Table of what the reader knows of Cursor's messages; the version is that of the editor's chats. A chat's own record is the state of
 * a window, of which a few members are asked for by name. A transcript of older versions is a page of text.
 */
export const cursorTable: KnownFormat = {
  proved: '17',
  versionOf: ({ record, row }) => (record === 'chat' && isJsonObject(row) ? row._v : undefined),
  record: {
    type: 'choice',
    choose(line) {
      if (line.record !== undefined) return records.get(line.record) ?? 'any'
      return typeof line.role === 'string' ? spoken : silent
    },
  },
  documentValue: () => undefined,
}
