import { isJsonObject } from '../../../../shared/model/basics/json-object'
import {
  allAs,
  type Known,
  type KnownFormat,
  type KnownObject,
  knownList,
  knownNames,
  knownObject,
  knownTypes,
} from '../../known/known-format'

/** Types of parts that only keep the program's own books: snapshots of files, limits of steps, names of agents in a text. */
export const bookedParts: ReadonlySet<string> = new Set([
  'step-start',
  'step-finish',
  'snapshot',
  'patch',
  'agent',
])

/** Types of rows that say what the session uses from now on, and nothing that anybody said. */
export const switchRows: ReadonlySet<string> = new Set([
  'agent-switched',
  'model-switched',
  'location-switched',
])

const base = ['id', 'type', 'messageID', 'sessionID', 'time', 'metadata']
const parts: readonly (readonly [string, KnownObject | 'any'])[] = [
  ['text', knownObject([...base, 'text', 'synthetic', 'ignored'])],
  ['reasoning', knownObject([...base, 'text'])],
  [
    'tool',
    knownObject([...base, 'callID', 'tool'], {
      state: knownObject(
        ['input', 'output', 'title', 'metadata', 'time', 'attachments', 'error', 'raw'],
        { status: knownNames(['pending', 'running', 'completed', 'error']) },
      ),
    }),
  ],
  ['file', knownObject([...base, 'mime', 'filename', 'url', 'source'])],
  ...allAs(['subtask', 'compaction'], 'any' as const),
  ...allAs(bookedParts, 'any' as const),
]
const part = knownObject([], {}, knownTypes('type', parts))

/** A row's columns come and go with releases, and are asked for by name: its type alone is looked at. */
const row: Known = {
  type: 'choice',
  choose: ({ type }) => (rowTypes.has(type) ? 'any' : unknownRow),
}
const rowTypes: ReadonlySet<unknown> = new Set([
  ...['user', 'synthetic', 'system', 'shell', 'assistant', 'compaction'],
  ...switchRows,
])
const unknownRow = knownObject([], {}, knownTypes('type', []))

const content = knownList(
  knownObject([], {}, knownTypes('type', allAs(['text', 'reasoning', 'tool'], 'any'))),
)

const answer = knownObject(
  [
    ...['id', 'type', 'time', 'agent', 'model', 'snapshot', 'finish', 'cost', 'tokens', 'error'],
    ...['metadata', 'retry', 'text', 'files'],
  ],
  { content },
)

/** Knowledge of a session's records, by the table that they are of. */
const records: ReadonlyMap<unknown, Known> = new Map<unknown, Known>([
  [
    'message',
    knownObject(['record', 'row', 'data', 'previous'], {
      parts: knownList(knownObject(['row'], { data: part })),
    }),
  ],
  [
    'session_message',
    knownObject(['record', 'previous', 'parts'], {
      row,
      // Parts are in answers alone.
      data: {
        type: 'choice',
        choose: (data) => (Array.isArray(data.content) ? answer : 'any'),
      },
    }),
  ],
])
/** Table of what the reader knows of the rows of OpenCode and Kilo. */
export const opencodeFormat: KnownFormat = {
  proved: '2.0',
  versionOf: ({ record, row: session }) =>
    record === 'session' || record === 'session_v2' ? versionOfRow(session) : undefined,
  record: { type: 'choice', choose: ({ record }) => records.get(record) ?? 'any' },
}

function versionOfRow(session: unknown): unknown {
  return isJsonObject(session) ? session.version : undefined
}
