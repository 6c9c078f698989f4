import { isJsonObject } from '../../../shared/model/basics/json-object'
import {
  allAs,
  type Known,
  type KnownFormat,
  type KnownObject,
  type KnownTypes,
  knownList,
  knownNames,
  knownObject,
  knownTypes,
} from '../known/known-format'
import { silentEvents, silentLines, spokenEvents } from './records'

/** Encrypted summaries, and states of the folder for undoing. */
export const silentItems: ReadonlySet<unknown> = new Set([
  'compaction',
  'compaction_summary',
  'compaction_trigger',
  'context_compaction',
  'ghost_snapshot',
])

const base = ['type', 'id', 'status']
/** Fields of a message that are in its entry, or say nothing that is not there. */
export const messageKeys: ReadonlySet<string> = new Set([...base, 'role', 'content'])
/** Such fields of a message of one agent to another. */
export const agentMessageKeys: ReadonlySet<string> = new Set([
  ...messageKeys,
  'author',
  'recipient',
])
/** Such fields of a call. */
export const callKeys: ReadonlySet<string> = new Set([
  ...base,
  'name',
  'arguments',
  'input',
  'action',
  'call_id',
])
/** Such fields of a result. */
export const resultKeys: ReadonlySet<string> = new Set([...base, 'output', 'tools', 'call_id'])

/** Known, and kept in `raw_fields` all the same. */
const kept = ['internal_chat_message_metadata_passthrough', 'metadata']

const part = knownObject(['type', 'text', 'image_url', 'detail', 'annotations', 'logprobs'])
const partTypes = ['input_text', 'output_text', 'input_image', 'text', 'image', 'summary_text']
const parts = knownList({
  ...part,
  types: knownTypes('type', allAs([...partTypes, 'reasoning_text', 'encrypted_content'], 'shared')),
})

const message = knownObject([...messageKeys, 'phase', 'end_turn', ...kept], {
  role: knownNames(['user', 'assistant', 'system', 'developer']),
  content: parts,
})
const call = knownObject([...callKeys, 'namespace', 'execution', ...kept])
const result = knownObject([...resultKeys, 'execution', 'name', 'namespace', ...kept])

const items: ReadonlyMap<string, KnownObject> = new Map([
  ['message', message],
  ['agent_message', knownObject([...agentMessageKeys, ...kept], { content: parts })],
  [
    'reasoning',
    knownObject([...base, 'encrypted_content', ...kept], { summary: parts, content: parts }),
  ],
  ['function_call', call],
  ['custom_tool_call', call],
  ['local_shell_call', call],
  ['web_search_call', call],
  ['tool_search_call', call],
  ['image_generation_call', knownObject([...callKeys, 'revised_prompt', 'result', ...kept])],
  ['function_call_output', result],
  ['custom_tool_call_output', result],
  ['tool_search_output', result],
])

/** Returns true for the name of an item's type. */
export function isItemType(type: unknown): boolean {
  return silentItems.has(type) || (typeof type === 'string' && items.has(type))
}

const itemTypes = knownTypes('type', [...items, ...allAs(silentItems, 'any' as const)])
const item = knownObject([], {}, itemTypes)
const event = knownObject(
  [],
  {},
  // They repeat what items say, and are read for little: their types alone are known.
  knownTypes('type', allAs([...silentEvents, ...spokenEvents], 'any')),
)

const session = knownObject([
  ...['id', 'session_id', 'timestamp', 'cwd', 'originator', 'cli_version', 'source', 'git'],
  ...['forked_from_id', 'parent_thread_id', 'thread_source', 'subagent_history_start_ordinal'],
  ...['history_mode', 'history_base', 'model_provider', 'base_instructions', 'instructions'],
  ...['agent_nickname', 'agent_role', 'agent_path', 'dynamic_tools', 'memory_mode', 'model'],
  ...['context_window', 'selected_capability_roots', 'initial_window_id', 'multi_agent_version'],
])
const summary = knownObject(['message', 'replacement_history', 'window_number', 'window_id'])

const payloads: readonly (readonly [string, Known])[] = [
  ...allAs(silentLines, 'any' as const),
  ['session_meta', session],
  ['response_item', item],
  ['event_msg', event],
  ['compacted', summary],
]

const lineTypes: KnownTypes = {
  ...knownTypes(
    'type',
    payloads.map(([type, payload]) => [type, knownObject([], { payload })]),
  ),
  isWrapper: true,
}
const line = knownObject(['timestamp', 'type', 'ordinal'], {}, lineTypes)

/** Table of what the reader knows of Codex's rollouts. */
export const codexFormat: KnownFormat = {
  proved: '0.154',
  versionOf: ({ type, payload }) =>
    type === 'session_meta' && isJsonObject(payload) ? payload.cli_version : undefined,
  record: {
    type: 'choice',
    choose(record) {
      if (isJsonObject(record.payload)) return line
      // The oldest files have items without a line around them, and heads and states without a type.
      const isBare = record.type === undefined && (record.record_type ?? record.timestamp) != null
      return isBare ? 'any' : item
    },
  },
}
