/**
 * The points of a run at which plugins are heard, in chibi's names: those of 0.5, and the later ones that have a place in
 * Skein. docs/plugins.md has their payloads and answers.
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

export type HookPoint = (typeof hookPoints)[number]

/** What a plugin is told: one JSON object, its keys chibi's. */
export type HookData = Readonly<Record<string, unknown>>

/** What one plugin answered: its JSON, or its words where they are no JSON. Hostile. */
export interface HookAnswer {
  /** The name of the plugin's file. */
  readonly plugin: string
  readonly value: unknown
}

/** Who is heard at the points of a run. */
export interface Hooks {
  /** Whether anybody would be heard: a payload that costs something to build need not be built for nobody. */
  hears(point: HookPoint): boolean
  /**
   * Hears every plugin that wants this point, one after the other, in the order of their names. An empty output is no
   * answer. Never rejects: a plugin that fails, or is too slow, is no answer either, and its failure is told where the
   * hooks were opened. When the signal aborts, those that were not heard yet are not.
   */
  call(point: HookPoint, data: HookData, signal?: AbortSignal): Promise<readonly HookAnswer[]>
}

/** Where there is no plugin. */
export const noHooks: Hooks = { hears: () => false, call: async () => [] }
