import {
  type KnownFormat,
  knownList,
  knownNames,
  knownObject,
  knownTypes,
} from '../known/known-format'

/** Kinds of records of the type `system` that are beside the conversation: it is not at one of them. */
export const asideTypes: ReadonlySet<unknown> = new Set([
  'managed_session_commit_v1',
  'managed_session_event_v1',
  'managed_session_header_v1',
  'session_artifact_event',
  'session_artifact_snapshot',
  'session_sources_snapshot',
])

/** Kinds of such records of the program's own state, or that repeat what others say. */
const stateTypes: ReadonlySet<unknown> = new Set([
  'agent_bootstrap',
  'agent_retry',
  'agent_session_ready',
  'at_command',
  'attribution_snapshot',
  'branch_checkpoint',
  'custom_title',
  'file_history_snapshot',
  'goal_state',
  'goal_turn_end',
  'omni_recall',
  'parent_session',
  'rewind',
  'session_approval_mode',
  'session_execution_engine',
  'session_model',
  'session_notes',
  'session_source',
  'turn_attempt',
  'turn_result',
  'ui_telemetry',
  'user_text_elements',
])

const spokenTypes = [
  'agent_launch_prompt',
  'background_task_completed',
  'chat_compression',
  'notification',
  'slash_command',
]

/** Returns true for a kind of record of the type `system` that says nothing of the conversation. */
export function isSilentType(subtype: unknown): boolean {
  return stateTypes.has(subtype) || asideTypes.has(subtype)
}

const part = knownObject(
  ['text', 'thought', 'thoughtSignature', 'videoMetadata', 'executableCode', 'codeExecutionResult'],
  {
    functionCall: knownObject(['id', 'name', 'args']),
    functionResponse: knownObject(['id', 'name', 'response', 'parts']),
    inlineData: knownObject(['mimeType', 'data', 'displayName']),
    fileData: knownObject(['mimeType', 'fileUri', 'displayName']),
  },
)
const usageMetadata = knownObject([
  'promptTokenCount',
  'candidatesTokenCount',
  'cachedContentTokenCount',
  'thoughtsTokenCount',
  'toolUsePromptTokenCount',
  'totalTokenCount',
  'promptTokensDetails',
  'candidatesTokensDetails',
  'cacheTokensDetails',
  'toolUsePromptTokensDetails',
  'trafficType',
])
const spoken = knownObject(['subtype', 'systemPayload', 'model', 'contextWindowSize'], {
  message: knownObject(['role'], { parts: knownList(part) }),
  usageMetadata,
})

/** Table of what the reader knows of Qwen Code's records. */
export const qwenFormat: KnownFormat = {
  proved: '0.22.2',
  versionOf: ({ version }) => version,
  record: knownObject(
    [
      ...['type', 'uuid', 'parentUuid', 'sessionId', 'timestamp', 'cwd', 'version', 'gitBranch'],
      ...['provenance', 'promptId', 'daemonPromptId', 'goalContext', 'backgroundTurn'],
      ...['deliveredTurn', 'agentId', 'agentName', 'agentColor', 'isSidechain', 'agentRunId'],
      ...['agentRound', 'externalInputKind', 'forkedFrom', 'toolCallResult'],
    ],
    {},
    knownTypes('type', [
      ['user', spoken],
      ['assistant', spoken],
      ['tool_result', spoken],
      [
        'system',
        knownObject(['systemPayload'], {
          subtype: knownNames([...spokenTypes, ...stateTypes, ...asideTypes]),
        }),
      ],
    ]),
  ),
}
