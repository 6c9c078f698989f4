import {
  type Known,
  type KnownFormat,
  knownList,
  knownObject,
  knownTypes,
} from '../known/known-format'
import { clineMessageKeys } from './line'

const shared = ['type', 'call_id', 'reasoning_details', 'signature', 'cache_control']

const blocks: Known = knownList(
  knownObject(
    shared,
    {},
    knownTypes('type', [
      ['text', knownObject(['text', 'citations', 'thoughtSignature'])],
      ['image', knownObject(['source'])],
      ['document', knownObject(['source', 'title', 'context', 'name', 'filename', 'citations'])],
      ['file', knownObject(['title', 'name', 'filename', 'path', 'content'])],
      ['tool_use', knownObject(['id', 'name', 'input'])],
      ['tool_result', knownObject(['tool_use_id', 'content', 'is_error'])],
      ['thinking', knownObject(['thinking', 'summary'])],
      ['redacted_thinking', knownObject(['data'])],
      ['reasoning', knownObject(['text', 'summary'])],
    ]),
  ),
)

const message = knownObject(
  [
    ...clineMessageKeys,
    'reasoning_content',
    'truncationId',
    'truncationParent',
    'isTruncationMarker',
  ],
  {
    content: blocks,
    modelInfo: knownObject(['modelId', 'id', 'provider', 'providerId', 'mode', 'family']),
    metrics: knownObject(
      [
        ...['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens', 'cost'],
        'totalCost',
      ],
      { tokens: knownObject(['prompt', 'completion', 'cached']) },
    ),
  },
  knownTypes('role', [
    ['user', 'shared'],
    ['assistant', 'shared'],
    // A model's thoughts that are an element of their own.
    ['', 'shared'],
  ]),
)

/** Of no role: an entry of an unknown type. */
const nameless = knownObject([], {}, knownTypes('role', []))

const session = knownObject([
  ...['version', 'sessionId', 'agent', 'cwd', 'updated_at', 'system_prompt', 'messages'],
])

/** Table of what the reader knows of tasks and sessions. They name no version. */
export const clineFormat: KnownFormat = {
  // Lines with what only the screen tells are the reader's own.
  record: knownObject(['at', 'usage', 'notice'], {
    message: {
      type: 'choice',
      choose: (one) => (one.role === undefined && one.type !== 'reasoning' ? nameless : message),
    },
    session,
  }),
}
