import {
  allAs,
  type Known,
  type KnownFormat,
  knownList,
  knownObject,
  knownTypes,
} from '../known/known-format'

/** Roles of Kimi CLI's lines that are no messages. */
export const silentRoles: ReadonlySet<unknown> = new Set([
  '_checkpoint',
  '_system_prompt',
  '_usage',
])

/** Types of events that frame a step of the model's loop. */
export const silentLoopTypes: ReadonlySet<unknown> = new Set(['step.begin', 'step.end'])

/** Types of Kimi Code's records of the program's own state, and of prompts, which are messages too. */
const silentTypes: ReadonlySet<unknown> = new Set([
  'config.update',
  'context.clear',
  'context.undo',
  'forked',
  'full_compaction.begin',
  'full_compaction.cancel',
  'full_compaction.complete',
  'goal.clear',
  'goal.create',
  'goal.update',
  'llm.request',
  'llm.tools_snapshot',
  'mcp.tools_discovered',
  'metadata',
  'micro_compaction.apply',
  'permission.record_approval_result',
  'permission.set_mode',
  'plan_mode.cancel',
  'plan_mode.enter',
  'plan_mode.exit',
  'profile.bind',
  'runtime.set_binding',
  'swarm_mode.enter',
  'swarm_mode.exit',
  'task.started',
  'task.terminated',
  'tools.register_user_tool',
  'tools.set_active_tools',
  'tools.unregister_user_tool',
  'tools.update_store',
  'turn.cancel',
  'turn.ended',
  'turn.prompt',
  'turn.steer',
  'usage.record',
])

/** Returns true for a type of record that says nothing of the conversation. */
export function isSilentKimiType(type: unknown): boolean {
  return silentTypes.has(type)
}

const parts: Known = knownList(
  knownObject(
    ['type'],
    {},
    knownTypes('type', [
      ['text', knownObject(['text'])],
      ['think', knownObject(['think', 'text', 'encrypted'])],
      ['thinking', knownObject(['thinking', 'text', 'signature'])],
      ...allAs(['image_url', 'audio_url', 'video_url'], 'any' as const),
    ]),
  ),
)
const message = knownObject(
  [
    ...['role', 'name', 'tool_calls', 'tool_call_id', 'toolCalls', 'toolCallId', 'partial'],
    ...['origin', 'isError', 'note', 'toolCallDisplays', 'id', 'tools'],
  ],
  { content: parts },
)
const event = knownObject(
  ['type', 'uuid', 'parentUuid', 'turnId', 'step', 'stepUuid'],
  {},
  knownTypes('type', [
    ...allAs(silentLoopTypes, 'any' as const),
    ['content.part', knownObject(['part'])],
    ['tool.call', knownObject(['toolCallId', 'name', 'args', 'description', 'display', 'extras'])],
    ['tool.result', knownObject(['toolCallId', 'result', 'truncated'])],
  ]),
)

/** Table of what the reader knows of Kimi Code's records and of Kimi CLI's messages. */
export const kimiFormat: KnownFormat = {
  proved: '1.5',
  versionOf: ({ type, protocol_version: version }) => (type === 'metadata' ? version : undefined),
  record: knownObject(
    ['type'],
    {},
    knownTypes('type', [
      // A line of Kimi CLI has no type.
      ['', knownObject([...message.fields.keys(), 'token_count'], { content: parts })],
      ...allAs(silentTypes, 'any' as const),
      ['context.append_message', knownObject(['time', 'agentId'], { message })],
      ['context.append_loop_event', knownObject(['time', 'agentId'], { event })],
      ['context.apply_compaction', 'any'],
    ]),
  ),
}
