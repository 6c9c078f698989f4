import type { OpenAI } from 'openai'
import { defaultTimeouts, type Timeouts } from '../../../shared/model/settings/timeouts'
import { type Scrub, scrubber, streamScrubber } from '../../settings/base/scrub'
import { type Endpoint, endpointKeys } from '../../settings/endpoint/endpoint'
import { type AdjustmentMemory, noAdjustments } from '../../settings/stored/request-adjustments'
import { type AdjustmentsByModel, type Negotiation, negotiate } from '../adapting/negotiation'
import { ProviderError, type ProviderRequest, type ProviderStream } from '../chat/provider'
import { responsesReader } from '../responses/reader'
import type { Clock } from '../timing/clock'
import { chatReader } from '../wire/chunks'
import type { RequestTarget } from './failures'
import { fetchWithoutTimeout } from './fetch-without-timeout'
import { type FetchFunction, guardedFetch } from './guarded-fetch'
import { stalledError, unreachableError } from './network-failures'
import { readAnswer } from './read-answer'
import { openResponseBody } from './response-body'
import { scrubAnswer } from './scrub-answer'
import { serverNameOf } from './server-name'
import { silenceWatch } from './silence-watch'
import { defaultLimits, type StreamLimits, timeoutLimits } from './stream-limits'

export type { ProviderStream } from '../chat/provider'

/** The address and keys of a provider. */
export interface StreamEndpoint {
  /** Without `/chat/completions`. */
  readonly baseUrl: string
  readonly apiKey?: string | undefined
  /** Keys that are not sent there, and are taken out of what comes all the same. */
  readonly otherKeys?: readonly string[] | undefined
  /** Longest waits for its answers; the defaults where it is absent. */
  readonly timeouts?: Timeouts | undefined
}

/** Returns the provider of a chosen endpoint. `memory` keeps its adjustments across runs. */
export function streamOf(endpoint: Endpoint, memory?: AdjustmentMemory): ProviderStream {
  const of = {
    baseUrl: endpoint.baseUrl.value,
    apiKey: endpoint.apiKey?.value.reveal(),
    otherKeys: endpointKeys(endpoint),
    timeouts: endpoint.timeouts,
  }
  return openAiStream(of, { memory })
}

/**
 * Returns a provider for any OpenAI-compatible base URL.
 *
 * The `openai` package builds the request; headers, redirects, refusals and the stream are handled here (see
 * guarded-fetch, read-answer). It repeats a request only with an adjustment, never for a failure that passes. The
 * key is in no event and in no error message.
 */
export function openAiStream(
  endpoint: StreamEndpoint,
  options: {
    readonly limits?: Partial<StreamLimits>
    readonly fetch?: FetchFunction
    readonly clock?: Pick<Clock, 'sleep'>
    /** Keeps the adjustments that the server accepted. */
    readonly memory?: AdjustmentMemory | undefined
  } = {},
): ProviderStream {
  const { timeouts = defaultTimeouts } = endpoint
  const limits = { ...defaultLimits, ...timeoutLimits(timeouts), ...options.limits }
  const { fetch = fetchWithoutTimeout, memory = noAdjustments } = options
  const adjustmentsByModel: AdjustmentsByModel = new Map()
  const keys = [endpoint.apiKey, ...(endpoint.otherKeys ?? [])]
  const pieces = streamScrubber(...keys)
  const scrub = scrubber(...keys)
  return async function* stream(request, signal) {
    if (signal.aborted) return
    const asked = requestTargetOf(endpoint, request, scrub)
    const controller = new AbortController()
    const stop = () => controller.abort()
    signal.addEventListener('abort', stop, { once: true })
    const silence = silenceWatch(controller, options.clock)
    try {
      const negotiation = await negotiate(request, endpoint.baseUrl, adjustmentsByModel, memory)
      for (let isAnswered = false; !isAnswered; ) {
        const response = await silence.limit(limits.firstByteMs, () =>
          send(endpoint, negotiation, asked, fetch, controller.signal),
        )
        const reader = request.protocol === 'responses' ? responsesReader() : chatReader()
        const answer = readAnswer(
          openResponseBody(response, asked, limits, silence),
          asked,
          limits,
          reader,
        )
        try {
          for await (const event of scrubAnswer(answer, scrub, pieces)) {
            if (!isAnswered) {
              isAnswered = true
              await negotiation.accepted()
              yield* negotiation.sent().events
            }
            yield event
          }
          isAnswered = true
        } catch (error) {
          // Refused inside of a 200, as some gateways do it.
          if (isAnswered || !(error instanceof ProviderError)) throw error
          negotiation.giveWay(error)
        }
      }
    } catch (error) {
      if (signal.aborted) return
      if (silence.brokenAfterMs !== undefined) throw stalledError(asked, silence.brokenAfterMs)
      throw error instanceof ProviderError ? error : unreachableError(error, asked)
    } finally {
      signal.removeEventListener('abort', stop)
      controller.abort() // Ends the connection when the loop was left early.
    }
  }
}

function requestTargetOf(
  endpoint: StreamEndpoint,
  request: ProviderRequest,
  scrub: Scrub,
): RequestTarget {
  return {
    host: serverNameOf(endpoint.baseUrl),
    model: request.model,
    withKey: endpoint.apiKey !== undefined,
    scrub,
    protocol: request.protocol,
  }
}

/**
 * Makes the request; again with something left out or changed, where the server refuses it as it is.
 *
 * @throws ProviderError where nothing helps
 */
async function send(
  endpoint: StreamEndpoint,
  negotiation: Negotiation,
  asked: RequestTarget,
  fetch: FetchFunction,
  signal: AbortSignal,
): Promise<Response> {
  const key = endpoint.apiKey
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key)) throw badlyWrittenKey()
  let refusal: ProviderError | undefined
  const guarded = guardedFetch(fetch, key, asked, (error) => {
    refusal = error
  })
  const client = await clientFor(endpoint.baseUrl, guarded)
  // Casts to the package's types, which know less of messages, items and parameters than servers do.
  const post = (body: object) =>
    asked.protocol === 'responses'
      ? client.responses
          .create(body as OpenAI.Responses.ResponseCreateParamsStreaming, { signal })
          .asResponse()
      : client.chat.completions
          .create(body as OpenAI.ChatCompletionCreateParamsStreaming, { signal })
          .asResponse()
  for (;;) {
    refusal = undefined
    try {
      return await post(negotiation.sent().body)
    } catch (error) {
      if (refusal === undefined) throw error
      negotiation.giveWay(refusal)
    }
  }
}

/**
 * Everything that the package would take from the environment by itself is set here: those values are for other
 * hosts.
 */
async function clientFor(baseURL: string, fetch: FetchFunction): Promise<OpenAI> {
  // Loaded with the first request: the start of the window does not wait for it.
  const { OpenAI: Client } = await import('openai')
  return new Client({
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
    message:
      'The key contains a space, a line break or another invalid character; it was not sent.',
    advice: 'Copy the whole key again and enter it in Settings.',
  })
}
