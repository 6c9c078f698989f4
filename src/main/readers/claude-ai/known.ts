import {
  type KnownFormat,
  type KnownObject,
  knownList,
  knownNames,
  knownObject,
  knownTypes,
} from '../known/known-format'

/** Of every block. */
const block = ['start_timestamp', 'stop_timestamp', 'type', 'flags', 'signature', 'truncated']

const blocks: readonly (readonly [string, KnownObject | 'any'])[] = [
  ['text', knownObject(['text', 'citations'])],
  ['voice_note', 'any'],
  ['thinking', knownObject(['thinking', 'summaries', 'cut_off', 'alternative_display_type'])],
  ['injected_prompt_block', knownObject(['text'])],
  [
    'tool_use',
    knownObject([
      ...['id', 'name', 'input', 'message', 'integration_name', 'integration_icon_url'],
      ...['icon_name', 'context', 'display_content', 'approval_options', 'approval_key'],
      ...['is_mcp_app', 'mcp_server_url'],
    ]),
  ],
  [
    'tool_result',
    knownObject([
      ...['tool_use_id', 'name', 'content', 'is_error', 'structured_content', 'meta', 'message'],
      ...['integration_name', 'integration_icon_url', 'icon_name', 'display_content'],
      ...['mcp_server_url'],
    ]),
  ],
  ['token_budget', 'any'],
]

const message = knownObject(
  [
    ...['uuid', 'parent_message_uuid', 'text', 'created_at', 'updated_at', 'attachments', 'files'],
    ...['files_v2', 'sync_sources', 'index', 'truncated', 'stop_reason', 'input_mode'],
  ],
  {
    sender: knownNames(['human', 'assistant']),
    content: knownList(knownObject(block, {}, knownTypes('type', blocks))),
  },
)

/** Table of what the reader knows of Claude.ai's messages. Exports name no version; the members of a conversation are not looked at. */
export const claudeAiFormat: KnownFormat = {
  record: {
    type: 'choice',
    choose: (value) =>
      'sender' in value || 'content' in value || 'text' in value ? message : 'any',
  },
}
