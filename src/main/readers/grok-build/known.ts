import { allAs, type Known, type KnownFormat, knownObject, knownTypes } from '../known/known-format'

/** Updates that say nothing: the state of the program, and what other updates say again. */
export const silentUpdates: ReadonlySet<unknown> = new Set([
  ...['available_commands_update', 'current_mode_update', 'config_option_update', 'plan'],
  ...['session_info_update', 'usage_update', 'diff_review', 'auto_compact_started'],
  ...['auto_compact_cancelled', 'memory_flush_started', 'memory_flush_completed'],
  ...['memory_dream_completed', 'memory_session_saved', 'auto_continue_completed'],
  ...['feedback_request', 'relay_sync_status', 'auto_recovery_started', 'hook_annotation'],
  ...['hook_execution', 'hooks_changed', 'plugins_changed', 'plugin_updates_installed'],
  ...['session_summary_generated', 'session_recap_unavailable', 'compaction_checkpoint'],
  ...['rewind_marker', 'task_completed', 'task_backgrounded', 'subagent_spawned'],
  ...['subagent_progress', 'subagent_finished', 'scheduled_task_created', 'scheduled_task_fired'],
  ...['scheduled_task_deleted', 'monitor_event', 'model_auto_switched', 'model_changed'],
  ...['tool_call_delta_chunk', 'image_compressed', 'image_dropped', 'memory_files'],
  ...['workflow_updated', 'goal_updated', 'pending_interaction', 'interaction_resolved'],
  ...['turn_completed', 'unknown'],
])

/** Updates that the program shows as a note of its own. */
export const notedUpdates: ReadonlySet<unknown> = new Set([
  ...['retry_state', 'auto_compact_failed', 'auto_recovery_exhausted', 'session_recap'],
])

const update: Known = knownObject(
  [],
  {},
  knownTypes(
    'sessionUpdate',
    allAs(
      [
        ...['user_message_chunk', 'agent_message_chunk', 'agent_thought_chunk', 'tool_call'],
        ...['tool_call_update', 'auto_compact_completed'],
        ...silentUpdates,
        ...notedUpdates,
      ],
      'any',
    ),
  ),
)

/** Members of a line of a record file. */
const ownMembers = [
  ...['session', 'id', 'previous', 'words', 'input', 'shown', 'isCall', 'usage', 'leaf', 'history'],
]

/** Table of what the reader knows of a session's updates. They name no version. */
export const grokBuildFormat: KnownFormat = {
  record: knownObject([...ownMembers], {
    record: knownObject(['timestamp', 'method', 'jsonrpc'], {
      params: knownObject(['sessionId', '_meta'], { update }),
    }),
  }),
}
