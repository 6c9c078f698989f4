import type { ToolSettings } from './tool-settings'

/** What chibi's `[api]` table sets of a request, in the names of the wire. Absent: the provider's own. */
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

/** How a run in a context goes: chibi's keys, chosen in chibi's order (defaults, config.toml, local.toml, models). */
export interface RunSettings extends ToolSettings {
  readonly api: ApiParameters
  /** What an answer without a word, or a call that repeats itself, costs of the fuel. */
  readonly fuelEmptyResponseCost: number
  /** The flow tool that ends a turn which names none. */
  readonly fallbackTool: 'call_user' | 'call_agent'
  /** Of a tool's output, in characters: what is longer is kept in a file, and the model gets its beginning. */
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
