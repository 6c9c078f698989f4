/**
 * The points at which plugins are called, in chibi's names: those of 0.5, and the later ones that have a place in Skein.
 * They are of the program (start, end, another context), of a context (clearing, compaction), and of a run, its requests
 * and its tools. docs/plugins.md has their payloads and answers.
 */
export const hookPoints = [
  'on_start',
  'on_end',
  'pre_message',
  'post_message',
  'pre_tool',
  'post_tool',
  'pre_tool_output',
  'post_tool_output',
  'pre_cache_output',
  'post_cache_output',
  'pre_system_prompt',
  'post_system_prompt',
  'pre_send_message',
  'post_send_message',
  'on_context_switch',
  'pre_clear',
  'post_clear',
  'pre_compact',
  'post_compact',
  'pre_rolling_compact',
  'post_rolling_compact',
  'pre_api_tools',
  'pre_api_request',
  'pre_agentic_loop',
  'post_tool_batch',
  'pre_file_write',
  'pre_file_read',
] as const

/** The name of a hook. */
export type HookPoint = (typeof hookPoints)[number]

/** The payload of a hook: one JSON object with chibi's keys. */
export type HookData = Readonly<Record<string, unknown>>

/** The answer of one plugin: its JSON, or its text where that is no JSON. Hostile. */
export interface HookAnswer {
  /** The name of the plugin's file. */
  readonly plugin: string
  readonly value: unknown
}

/** The hooks of a home: of the program, of its contexts and of their runs alike. */
export interface Hooks {
  /** Returns true where a plugin wants this point: a payload that costs something is built only then. */
  hears(point: HookPoint): boolean
  /**
   * Calls every plugin that wants this point, one after the other, in the order of their names. An empty output is no
   * answer. Never rejects: a plugin that fails, or is too slow, gives no answer either, and its failure goes to the
   * owner of the hooks. When the signal aborts, the remaining plugins are not called.
   */
  call(point: HookPoint, data: HookData, signal?: AbortSignal): Promise<readonly HookAnswer[]>
}

/** The hooks of a home without plugins. */
export const noHooks: Hooks = { hears: () => false, call: async () => [] }
