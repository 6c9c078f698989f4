import {
  allAs,
  type Known,
  type KnownFormat,
  knownList,
  knownObject,
  knownTypes,
} from '../known/known-format'

/** Types of pi's records without words. */
export const wordlessTypes: ReadonlySet<unknown> = new Set([
  'session',
  'model_change',
  'thinking_level_change',
  'custom',
  'session_info',
])

const text = knownObject(['type', 'text', 'textSignature'])
const image = knownObject(['type', 'data', 'mimeType', 'source'])
const said: Known = knownList(
  knownObject(
    [],
    {},
    knownTypes('type', [
      ['text', text],
      ['image', image],
    ]),
  ),
)
const answered: Known = knownList(
  knownObject(
    [],
    {},
    knownTypes('type', [
      ['text', text],
      ['image', image],
      ['thinking', knownObject(['type', 'thinking', 'thinkingSignature', 'redacted'])],
      ['toolCall', knownObject(['type', 'id', 'name', 'arguments', 'thoughtSignature'])],
    ]),
  ),
)

const usage = knownObject(['input', 'output', 'cacheRead', 'cacheWrite', 'totalTokens', 'cost'])
const custom = knownObject(
  ['customType', 'display', 'details', 'summary', 'fromId', 'tokensBefore'],
  {
    content: said,
  },
)
const message = knownObject(
  ['role', 'timestamp'],
  {},
  knownTypes('role', [
    ['user', knownObject(['attachments'], { content: said })],
    [
      'assistant',
      knownObject(
        ['api', 'provider', 'model', 'stopReason', 'errorMessage', 'responseId', 'diagnostics'],
        { content: answered, usage },
      ),
    ],
    [
      'toolResult',
      knownObject(['toolCallId', 'toolName', 'isError', 'details', 'usage'], { content: said }),
    ],
    [
      'bashExecution',
      knownObject([
        'command',
        'output',
        'exitCode',
        'cancelled',
        'truncated',
        'fullOutputPath',
        'excludeFromContext',
      ]),
    ],
    ['custom', custom],
    ['hookMessage', custom],
    ['branchSummary', custom],
    ['compactionSummary', custom],
  ]),
)

/** Table of what the reader knows of pi's records. */
export const piFormat: KnownFormat = {
  proved: '3',
  versionOf: ({ type, version }) => (type === 'session' ? version : undefined),
  record: knownObject(
    ['type', 'id', 'parentId', 'timestamp'],
    {},
    knownTypes('type', [
      ...allAs(wordlessTypes, 'any' as const),
      ['message', knownObject([], { message })],
      [
        'compaction',
        knownObject([
          'summary',
          'firstKeptEntryId',
          'firstKeptEntryIndex',
          'retainedTail',
          'tokensBefore',
          'usage',
          'details',
          'fromHook',
        ]),
      ],
      ['branch_summary', knownObject(['summary', 'fromId', 'details', 'usage', 'fromHook'])],
      ['label', knownObject(['label', 'targetId'])],
      ['custom_message', knownObject(['customType', 'display', 'details'], { content: said })],
    ]),
  ),
}
