import {
  type Known,
  type KnownFormat,
  knownList,
  knownNames,
  knownObject,
  knownTypes,
} from '../known/known-format'

const image = knownObject(['source', 'size'])
const said = knownList(
  knownObject([], {
    Text: 'any',
    Mention: knownObject(['uri', 'content']),
    Image: image,
  }),
)
const answered = knownList(
  knownObject(['Text', 'RedactedThinking'], {
    Thinking: knownObject(['text', 'signature']),
    ToolUse: knownObject([
      ...['id', 'name', 'raw_input', 'input', 'is_input_complete', 'thought_signature'],
    ]),
  }),
)
const newer = knownObject([], {
  User: knownObject(['id'], { content: said }),
  Agent: knownObject(['tool_results', 'reasoning_details'], { content: answered }),
})
const older = knownObject(
  ['id', 'text', 'tool_uses', 'tool_results', 'context', 'creases', 'is_hidden'],
  {
    role: knownNames(['user', 'assistant', 'system']),
    segments: knownList(
      knownObject(
        ['type', 'text', 'signature', 'data'],
        {},
        knownTypes('type', [
          ['text', 'shared'],
          ['thinking', 'shared'],
          ['RedactedThinking', 'shared'],
        ]),
      ),
    ),
  },
)

const message: Known = knownObject(['record', 'id', 'previous', 'model', 'usage'], {
  data: { type: 'choice', choose: ({ role }) => (role === undefined ? newer : older) },
})
const thread = knownObject([
  ...['title', 'summary', 'updated_at', 'detailed_summary', 'detailed_summary_state'],
  ...['initial_project_snapshot', 'cumulative_token_usage', 'request_token_usage', 'model'],
  ...['profile', 'imported', 'subagent_context', 'speed', 'thinking_enabled', 'thinking_effort'],
  ...['draft_prompt', 'ui_scroll_position', 'sandboxed_terminal_temp_dir', 'completion_mode'],
  ...['tool_use_limit_reached', 'exceeded_window_error', 'version'],
])

/** Table of what the reader knows of Zed's threads. */
export const zedFormat: KnownFormat = {
  proved: '0.3.0',
  versionOf: ({ record, thread: members }) =>
    record === 'thread' && typeof members === 'object' && members !== null && 'version' in members
      ? members.version
      : undefined,
  record: {
    type: 'choice',
    choose: ({ record }) =>
      record === 'message' ? message : knownObject(['record', 'row'], { thread }),
  },
}
