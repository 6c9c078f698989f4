import { OpenAI } from 'openai'
import type { ToolDefinition } from '../tools/tool'
import { readAnswer } from './answer'
import { bodyOf } from './body'
import type { Asked } from './failures'
import { type Fetch, guardedFetch } from './guarded-fetch'
import { defaultLimits, type StreamLimits } from './limits'
import { stalled, unreachable } from './network-failures'
import { ProviderError, type ProviderRequest, type ProviderStream } from './provider'
import { scrubber } from './scrub'
import { silenceWatch } from './silence'

export interface StreamEndpoint {
  /** Without `/chat/completions`. */
  readonly baseUrl: string
  readonly apiKey?: string | undefined
}

/**
 * A provider behind any OpenAI-compatible base URL.
 *
 * The `openai` package builds the request; which headers go out, redirects, refusals and the stream are ours (see
 * guarded-fetch, answer). It never retries here. The key is in no message of any error.
 */
export function openAiStream(
  endpoint: StreamEndpoint,
  options: { readonly limits?: Partial<StreamLimits>; readonly fetch?: Fetch } = {},
): ProviderStream {
  const limits = { ...defaultLimits, ...options.limits }
  const fetch = options.fetch ?? globalThis.fetch
  return async function* stream(request, signal) {
    if (signal.aborted) return
    const asked = askedOf(endpoint, request)
    const controller = new AbortController()
    const stop = () => controller.abort()
    signal.addEventListener('abort', stop, { once: true })
    const silence = silenceWatch(controller)
    try {
      const { response, withoutTools } = await silence.limit(limits.firstByteMs, () =>
        send(endpoint, request, asked, fetch, controller.signal),
      )
      if (withoutTools) yield { type: 'without-tools' }
      yield* readAnswer(bodyOf(response, asked, limits, silence), asked, limits)
    } catch (error) {
      if (signal.aborted) return
      if (silence.broken) throw stalled(asked)
      throw error instanceof ProviderError ? error : unreachable(error, asked)
    } finally {
      signal.removeEventListener('abort', stop)
      controller.abort() // Ends the connection when the loop was left early.
    }
  }
}

function askedOf(endpoint: StreamEndpoint, request: ProviderRequest): Asked {
  return {
    host: hostOf(endpoint.baseUrl),
    model: request.model,
    withKey: endpoint.apiKey !== undefined,
    scrub: scrubber(endpoint.apiKey),
  }
}

function hostOf(baseUrl: string): string {
  try {
    return new URL(baseUrl).host
  } catch {
    return baseUrl // Not a URL: the request will say so.
  }
}

/** Makes the request; again without the wish for token counts, and without tools, where a server refuses them by name. */
async function send(
  endpoint: StreamEndpoint,
  request: ProviderRequest,
  asked: Asked,
  fetch: Fetch,
  signal: AbortSignal,
): Promise<{ readonly response: Response; readonly withoutTools: boolean }> {
  const key = endpoint.apiKey
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key)) throw badlyWrittenKey()
  let refusal: ProviderError | undefined
  const guarded = guardedFetch(fetch, key, asked, (error) => {
    refusal = error
  })
  const client = clientFor(endpoint.baseUrl, guarded)
  const tools = request.tools ?? []
  const post = (wishes: { readonly usage: boolean; readonly tools: boolean }) =>
    client.chat.completions
      .create(
        {
          model: request.model,
          // A cast to the package's type, which has mutable arrays: it does not write to them.
          messages: request.messages as OpenAI.ChatCompletionMessageParam[],
          ...(wishes.tools ? { tools: tools.map(toolJson) } : {}),
          stream: true,
          ...(wishes.usage ? { stream_options: { include_usage: true } } : {}),
        },
        { signal },
      )
      .asResponse()
  const wishes = { usage: true, tools: tools.length > 0 }
  for (;;) {
    refusal = undefined
    try {
      const response = await post(wishes)
      return { response, withoutTools: tools.length > 0 && !wishes.tools }
    } catch (error) {
      const words = wordsOf(refusal)
      if (wishes.usage && /stream_options/.test(words)) wishes.usage = false
      else if (wishes.tools && toolsRefused.test(words)) wishes.tools = false
      else throw refusal ?? error
    }
  }
}

/** As Ollama, OpenRouter, vLLM and llama.cpp say it of a model that takes none. */
const toolsRefused =
  /support.{0,20}\btools?\b|\btools?\b.{0,40}not (be )?supported|tool choice requires|tools param requires/i

function wordsOf(refusal: ProviderError | undefined): string {
  return refusal?.fault.response ?? ''
}

function toolJson({ name, description, parameters }: ToolDefinition): OpenAI.ChatCompletionTool {
  return { type: 'function', function: { name, description, parameters } }
}

/** Everything that the package would take from the environment by itself is set here: those values are for other hosts. */
function clientFor(baseURL: string, fetch: Fetch): OpenAI {
  return new OpenAI({
    baseURL,
    apiKey: 'unused', // The package insists on one; the header is written by guardedFetch.
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    timeout: 2 ** 31 - 1, // The silence watch is the clock; this is the longest that a timer takes.
    logLevel: 'off', // OPENAI_LOG=debug would print every message.
    fetch,
  })
}

function badlyWrittenKey(): ProviderError {
  return new ProviderError('bad-key', {
    message: 'The key holds a space, a line break or a letter that no key has; it was not sent.',
    advice: 'Copy it again, whole, and enter it in Settings.',
  })
}
