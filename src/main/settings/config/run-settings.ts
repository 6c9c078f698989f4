import type { EffectiveApi } from './key-table'
import { effectiveApi, effectiveValues, type SettingLayer } from './layers'
import { type ToolSettings, toolSettings } from './tool-settings'

/**
 * The parameters of a request that chibi's `[api]` table sets, in the names of the wire. An absent one is the
 * provider's own.
 */
export interface ApiParameters {
  readonly temperature?: number
  readonly max_tokens?: number
  readonly top_p?: number
  readonly stop?: readonly string[]
  readonly tool_choice?:
    | 'auto'
    | 'none'
    | 'required'
    | { readonly type: 'function'; readonly function: { readonly name: string } }
  readonly parallel_tool_calls?: boolean
  readonly frequency_penalty?: number
  readonly presence_penalty?: number
  readonly seed?: number
  readonly response_format?: Readonly<Record<string, unknown>>
  /** `effort` or `max_tokens`, never both. */
  readonly reasoning?: {
    readonly effort?: 'xhigh' | 'high' | 'medium' | 'low' | 'minimal' | 'none'
    readonly max_tokens?: number
    readonly exclude?: boolean
    readonly enabled?: boolean
  }
  /** chibi's `prompt_caching`: sent as `cache_prompt`. */
  readonly cache_prompt?: boolean
}

/** The settings of a run in a context: chibi's keys, in the order of the layers. */
export interface RunSettings extends ToolSettings {
  readonly api: ApiParameters
  /**
   * Those of `api` that a file or the run asks for; the others are chibi's defaults, which not every provider knows.
   */
  readonly apiAsked: ReadonlySet<keyof ApiParameters>
  /** The fuel that an empty answer, or a repeated call, costs. */
  readonly fuelEmptyResponseCost: number
  /** The flow tool that ends a turn which names none. */
  readonly fallbackTool: 'call_user' | 'call_agent'
  /** In characters; a longer output of a tool is kept in a file, and the model gets its beginning. */
  readonly toolOutputCacheThreshold: number
  readonly toolCachePreviewChars: number
  readonly reflectionEnabled: boolean
  /** Bytes of reflection.md. */
  readonly reflectionCharacterLimit: number
  /** Tokens; 0 where it is not known. */
  readonly contextWindowLimit: number
  readonly warnThresholdPercent: number
  readonly autoCompact: boolean
  readonly autoCompactThreshold: number
  readonly rollingCompactDropPercentage: number
}

/**
 * Returns the settings of a run from its layers.
 *
 * @param userFolder what `~` stands for
 */
export function runSettings(layers: readonly SettingLayer[], userFolder?: string): RunSettings {
  const used = effectiveValues(layers)
  return {
    ...toolSettings(layers, userFolder),
    ...apiParameters(effectiveApi(layers)),
    fuelEmptyResponseCost: used.fuel_empty_response_cost.value,
    fallbackTool: used.fallback_tool.value,
    toolOutputCacheThreshold: used.tool_output_cache_threshold.value,
    toolCachePreviewChars: used.tool_cache_preview_chars.value,
    reflectionEnabled: used.reflection_enabled.value,
    reflectionCharacterLimit: used.reflection_character_limit.value,
    contextWindowLimit: used.context_window_limit.value,
    warnThresholdPercent: used.warn_threshold_percent.value,
    autoCompact: used.auto_compact.value,
    autoCompactThreshold: used.auto_compact_threshold.value,
    rollingCompactDropPercentage: used.rolling_compact_drop_percentage.value,
  }
}

const reasoningPrefix = 'reasoning.'

/** Brings parameters to the names of the wire. */
function apiParameters(used: EffectiveApi): Pick<RunSettings, 'api' | 'apiAsked'> {
  const set = Object.entries(used).filter(
    ([key, candidate]) => candidate !== undefined && key !== 'protocol',
  )
  const reasoning = set.filter(([key]) => key.startsWith(reasoningPrefix))
  const values = (entries: typeof set, name: (key: string) => string) =>
    Object.fromEntries(entries.map(([key, candidate]) => [name(key), candidate?.value]))
  const wireName = (key: string) =>
    key === 'prompt_caching' ? 'cache_prompt' : key.startsWith(reasoningPrefix) ? 'reasoning' : key
  const api = {
    ...values(
      set.filter(([key]) => !key.startsWith(reasoningPrefix)),
      wireName,
    ),
    ...(reasoning.length === 0
      ? {}
      : { reasoning: values(reasoning, (key) => key.slice(reasoningPrefix.length)) }),
  }
  const asked = set
    .filter(([, candidate]) => candidate?.origin !== 'default')
    .map(([key]) => wireName(key))
  // Casts because entries lose their types: the keys are those of the table, whose names on the wire are these.
  return { api, apiAsked: new Set(asked as (keyof ApiParameters)[]) }
}
