/**
 * Kinds of lines that are nobody's message: what Codex notes of a session, of a turn, and of what it tells the model about
 * the machine.
 */
export const silentLines: ReadonlySet<string> = new Set([
  'session_meta',
  'turn_context',
  'world_state',
  'token_usage_record',
])

/**
 * Events that repeat what a `response_item` says, show progress, or count: shown, they would be there twice.
 *
 * An event of any other name is an entry of the type `unknown`.
 */
export const silentEvents: ReadonlySet<string> = new Set([
  // The words of both sides.
  'user_message',
  'agent_message',
  'agent_message_delta',
  'agent_message_content_delta',
  'agent_reasoning',
  'agent_reasoning_delta',
  'agent_reasoning_raw_content',
  'agent_reasoning_raw_content_delta',
  'agent_reasoning_section_break',
  'reasoning_content_delta',
  'reasoning_raw_content_delta',
  'plan_delta',
  'item_started',
  'item_completed',
  'raw_response_item',
  // Turns.
  'session_configured',
  'task_started',
  'task_complete',
  'turn_started',
  'turn_complete',
  'turn_aborted',
  'turn_diff',
  'token_count',
  'thread_rolled_back',
  'thread_name_updated',
  'thread_goal_updated',
  'thread_settings_applied',
  'context_compacted',
  'model_reroute',
  'entered_review_mode',
  'exited_review_mode',
  'shutdown_complete',
  // Tools.
  'exec_command_begin',
  'exec_command_output_delta',
  'exec_command_end',
  'exec_approval_request',
  'apply_patch_approval_request',
  'request_permissions',
  'request_user_input',
  'elicitation_request',
  'terminal_interaction',
  'mcp_tool_call_begin',
  'mcp_tool_call_end',
  'mcp_startup_update',
  'mcp_startup_complete',
  'patch_apply_begin',
  'patch_apply_updated',
  'patch_apply_end',
  'web_search_begin',
  'web_search_end',
  'image_generation_begin',
  'image_generation_end',
  'view_image_tool_call',
  'dynamic_tool_call_request',
  'dynamic_tool_call_response',
  'plan_update',
  'hook_started',
  'hook_completed',
  'guardian_assessment',
  'background_event',
  'undo_started',
  'undo_completed',
  // Agents.
  'collab_agent_spawn_begin',
  'collab_agent_spawn_end',
  'collab_agent_interaction_begin',
  'collab_agent_interaction_end',
  'collab_waiting_begin',
  'collab_waiting_end',
  'collab_close_begin',
  'collab_close_end',
  'collab_resume_begin',
  'collab_resume_end',
  'sub_agent_activity',
])

/** Events whose `message` the program says to the person. */
export const spokenEvents: ReadonlySet<string> = new Set([
  'error',
  'stream_error',
  'warning',
  'deprecation_notice',
])
