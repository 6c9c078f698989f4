import {
  allAs,
  type Known,
  type KnownObject,
  knownList,
  knownObject,
  knownTypes,
} from '../../known/known-format'

/** Returns true for the type of a block that is a call: of tools of the program, of the provider, and of servers. */
export function isCallType(type: unknown): type is string {
  return typeof type === 'string' && /^(?:\w+_)?tool_use$/.test(type)
}

/** Returns true for the type of a block that is the result of a call. */
export function isResultType(type: unknown): type is string {
  return typeof type === 'string' && type.endsWith('tool_result')
}

const call = knownObject(['type', 'id', 'name', 'input', 'caller', 'cache_control', 'server_name'])
const resultBlocks = knownTypes(
  'type',
  allAs(['text', 'image', 'document', 'tool_reference'], 'any'),
)
const result = knownObject(
  ['type', 'tool_use_id', 'content', 'is_error', 'cache_control', 'caller'],
  {
    content: knownList({ type: 'object', fields: new Map(), types: resultBlocks }),
  },
)
/** Results of the provider's own tools have contents of their own. */
const otherResult = knownObject([
  'type',
  'tool_use_id',
  'content',
  'is_error',
  'cache_control',
  'caller',
])

const blocks: readonly (readonly [string, KnownObject])[] = [
  ['text', knownObject(['type', 'text', 'citations', 'cache_control'])],
  ['thinking', knownObject(['type', 'thinking', 'signature'])],
  ['redacted_thinking', knownObject(['type', 'data', 'thinking', 'signature'])],
  ['image', knownObject(['type', 'source', 'cache_control'])],
  ['document', knownObject(['type', 'source', 'title', 'context', 'citations', 'cache_control'])],
  ['tool_use', call],
  ['tool_result', result],
]

/** Table of the blocks that a message's content is a list of. */
export const knownBlocks: Known = knownList(
  knownObject(
    [],
    {},
    knownTypes('type', blocks, (type) =>
      isCallType(type) ? call : isResultType(type) ? otherResult : undefined,
    ),
  ),
)
