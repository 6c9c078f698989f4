import type { RunSettings } from '../../settings/config/run-settings'
import {
  isLoopback,
  openAiBaseUrl,
  openRouterBaseUrl,
  webOrigin,
} from '../../settings/endpoint/endpoint'

/** Parameters of a request, by their names on the wire. */
export type WireParameters = Readonly<Record<string, unknown>>

/**
 * Picks the parameters of chibi's `[api]` that go to an address, under the names it expects.
 *
 * Defaults that nobody set go to OpenRouter alone, for which chibi means them; another server may refuse a request
 * for a parameter that it does not know. `cache_prompt` is llama.cpp's, and OpenRouter ignores it: it goes to
 * loopback addresses and to OpenRouter. `reasoning` is OpenRouter's form, which other servers accept; OpenAI gets
 * `reasoning_effort` in its place.
 */
export function wireParameters(
  { api, apiAsked: asked }: Pick<RunSettings, 'api' | 'apiAsked'>,
  baseUrl: string,
): WireParameters {
  const origin = webOrigin(baseUrl)
  const isOpenRouter = origin === webOrigin(openRouterBaseUrl)
  const entries = Object.entries(api).filter(
    ([name]) => isOpenRouter || [...asked].some((one) => one === name),
  )
  const { cache_prompt: cache, reasoning, ...parameters } = Object.fromEntries(entries)
  const wanted = api.reasoning ?? {}
  return {
    ...parameters,
    ...(cache !== undefined && (isOpenRouter || isLoopback(baseUrl))
      ? { cache_prompt: cache }
      : {}),
    ...(reasoning === undefined || Object.keys(wanted).length === 0
      ? {}
      : origin !== webOrigin(openAiBaseUrl)
        ? { reasoning }
        : wanted.effort === undefined
          ? {}
          : { reasoning_effort: wanted.effort }),
  }
}

/** Leaves out the parameters about tools: OpenAI refuses them in a request that offers none. */
export function withoutToolParameters(parameters: WireParameters): WireParameters {
  const { parallel_tool_calls: _, tool_choice: __, ...others } = parameters
  return others
}

/** Parameters whose names are also everyday words. */
const everyday: ReadonlySet<string> = new Set([
  'temperature',
  'stop',
  'seed',
  'reasoning',
  'text',
  'store',
  'include',
])

/**
 * Finds the parameter that a server refuses by name; undefined where its words name none. Where they name several,
 * the first one is meant.
 *
 * @param words the server's own
 * @param names those that were sent
 */
export function refusedParameter(words: string, names: readonly string[]): string | undefined {
  const found = names.filter((name) => {
    const plain = name.replace(/[^a-z0-9_]/gi, '\\$&')
    // xAI calls presence_penalty presencePenalty when it refuses it, and reasoning reasoningEffort.
    const camel = plain.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
    const spelled = `(${plain}|${camel}${name === 'reasoning' ? '(Effort)?' : ''})`
    return everyday.has(name)
      ? new RegExp(
          `(["'\`]|\\b(argument|parameter|field|property)\\b.{0,40}\\b)${spelled}\\b`,
          'i',
        ).test(words)
      : new RegExp(`\\b${spelled}\\b`, 'i').test(words)
  })
  // The one that is named first: "Use 'max_completion_tokens' instead" comes after what is wrong.
  return found.sort((a, b) => words.indexOf(a) - words.indexOf(b))[0]
}
