import {
  allAs,
  type Known,
  type KnownFormat,
  knownList,
  knownNames,
  knownObject,
  knownTypes,
} from '../known/known-format'

const turn = [
  ...['id', 'model', 'resolved_model', 'options_json', 'schema_id', 'input_tokens'],
  ...['output_tokens', 'token_details', 'duration_ms', 'datetime_utc'],
]

const part = knownObject(
  ['type', 'tool_name', 'text', 'payload', 'attachments', 'fragments'],
  {},
  knownTypes(
    'type',
    allAs(['text', 'reasoning', 'tool_call', 'tool_result', 'attachment'], 'shared' as const),
  ),
)

const message = knownObject(['record', 'id', 'parent'], {
  data: knownObject(['provider_metadata', 'asked'], {
    role: knownNames(['user', 'assistant', 'system', 'tool']),
    parts: knownList(part),
    turn: knownObject(turn),
  }),
})

/** Table of what the reader knows of llm's messages. Columns are asked for by name, so that types alone can be new; no version is named. */
export const llmFormat: KnownFormat = {
  record: {
    type: 'choice',
    choose: ({ record }): Known => (record === 'message' ? message : 'any'),
  },
}
