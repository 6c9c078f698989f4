import type { JsonObject } from '../../../../shared/model/basics/json-object'
import { allAs, type Known, knownList, knownObject, knownTypes } from '../../known/known-format'

/** Types of records without words. */
export const wordlessTypes: ReadonlySet<unknown> = new Set([
  'session',
  'model_change',
  'thinking_level_change',
  'custom',
  'session_info',
  'leaf',
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
/** Makes the table of what a reader knows of records in pi's form. @param more fields of messages that the system adds */
export function piFormRecords(more: readonly string[] = []): Known {
  const message = knownObject(
    ['role', 'timestamp', ...more],
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
  return knownObject(
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
  )
}

/** Reads the version of the form that a session's header names. */
export function piFormVersion({ type, version }: JsonObject): unknown {
  return type === 'session' ? version : undefined
}
