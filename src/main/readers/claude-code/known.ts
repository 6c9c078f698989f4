import { knownBlocks } from '../common/content/known-blocks'
import { allAs, type KnownFormat, knownNames, knownObject, knownTypes } from '../known/known-format'

/** Types of records without words: they tell of the session and the program, not of what was said. */
export const silentTypes: ReadonlySet<unknown> = new Set([
  'agent-name',
  'agent-setting',
  'ai-title',
  'atis-latch',
  'bridge-session',
  'custom-title',
  'file-history-snapshot',
  'last-prompt',
  'mode',
  'permission-mode',
  'pr-link',
  'progress',
  'queue-operation',
  'summary',
])

const usage = knownObject([
  'input_tokens',
  'output_tokens',
  'cache_creation_input_tokens',
  'cache_read_input_tokens',
  'cache_creation',
  'output_tokens_details',
  'server_tool_use',
  'service_tier',
  'inference_geo',
  'iterations',
  'speed',
])

const message = knownObject(
  [
    'id',
    'type',
    'role',
    'model',
    'stop_reason',
    'stop_sequence',
    'stop_details',
    'container',
    'context_management',
    'diagnostics',
  ],
  { content: knownBlocks, usage },
)

/** Records of the type `system`. */
const systemTypes = [
  'agents_killed',
  'api_error',
  'api_metrics',
  'away_summary',
  'bridge_status',
  'compact_boundary',
  'informational',
  'local_command',
  'memory_saved',
  'microcompact_boundary',
  'permission_retry',
  'scheduled_task_fire',
  'stop_hook_summary',
  'turn_duration',
]

const fields = [
  ...['type', 'uuid', 'parentUuid', 'logicalParentUuid', 'sessionId', 'timestamp', 'version'],
  ...['cwd', 'gitBranch', 'slug', 'userType', 'entrypoint', 'sessionKind', 'origin', 'forkedFrom'],
  ...['isSidechain', 'agentId', 'attributionAgent', 'agentName', 'teamName', 'sourceToolUseID'],
  ...['sourceToolAssistantUUID', 'toolUseID', 'parentToolUseID', 'toolUseResult', 'mcpMeta'],
  ...['isMeta', 'isCompactSummary', 'isVisibleInTranscriptOnly', 'isApiErrorMessage', 'error'],
  ...['apiError', 'apiErrorStatus', 'errorDetails', 'requestId', 'promptId', 'promptSource'],
  ...['permissionMode', 'planContent', 'imagePasteIds', 'thinkingMetadata', 'todos'],
  // Of the type `system`.
  ...['content', 'level', 'compactMetadata', 'microcompactMetadata', 'summarizeMetadata'],
  ...['hookCount', 'hookInfos', 'hookErrors', 'preventedContinuation', 'stopReason', 'hasOutput'],
  ...['durationMs', 'messageCount', 'cause', 'retryInMs', 'retryAttempt', 'maxRetries', 'url'],
  'attachment',
]

const types = knownTypes('type', [
  ...allAs(['user', 'assistant', 'system', 'attachment'], 'shared' as const),
  // The reader looks at their type alone.
  ...allAs(silentTypes, 'any' as const),
])

/** Table of what the reader knows of Claude Code's records. */
export const claudeCodeFormat: KnownFormat = {
  proved: '2.1.251',
  versionOf: ({ version }) => version,
  record: knownObject(fields, { message, subtype: knownNames(systemTypes) }, types),
}
