import {
  type Known,
  type KnownFormat,
  knownList,
  knownNames,
  knownObject,
  knownTypes,
} from '../known/known-format'

const part = (fields: readonly string[]) => knownObject(['type'], { data: knownObject(fields) })

const parts: Known = knownList(
  knownObject(
    [],
    {},
    knownTypes('type', [
      ['text', part(['text', 'hidden'])],
      [
        'reasoning',
        part([
          ...['thinking', 'signature', 'thought_signature', 'tool_id', 'responses_data'],
          ...['started_at', 'finished_at'],
        ]),
      ],
      ['image_url', part(['url', 'detail'])],
      ['binary', part(['Path', 'MIMEType', 'Data'])],
      ['tool_call', part(['id', 'name', 'input', 'provider_executed', 'finished', 'type'])],
      [
        'tool_result',
        part(['tool_call_id', 'name', 'content', 'data', 'mime_type', 'metadata', 'is_error']),
      ],
      ['shell_command', part(['command', 'output', 'exit_code'])],
      ['finish', part(['reason', 'time', 'message', 'details'])],
    ]),
  ),
)

const row: Known = {
  type: 'choice',
  // Columns come and go, and are asked for by name: the role alone is looked at.
  choose: ({ role, ...others }) =>
    knownObject(Object.keys(others), {
      role: knownNames(['user', 'assistant', 'system', 'tool']),
    }),
}

const message = knownObject(['record', 'id', 'previous', 'sums'], { row, data: parts })

/** Table of what the reader knows of Crush's rows. */
export const crushFormat: KnownFormat = {
  record: {
    type: 'choice',
    choose: ({ record }) => (record === 'messages' ? message : 'any'),
  },
}
