import { OpenAI } from 'openai'
import type { Timeouts } from '../../shared/model/timeouts'
import { type Endpoint, keysOf } from '../settings/model-choice'
import { pieceScrubber, type Scrub, scrubber } from '../settings/scrub'
import { readAnswer } from './answer'
import { withoutBeside } from './beside'
import { bodyOf } from './body'
import { chatReader } from './chunks'
import type { Clock } from './clock'
import type { Asked } from './failures'
import { type Fetch, guardedFetch } from './guarded-fetch'
import { withoutImages } from './images'
import { defaultLimits, type StreamLimits, timeoutLimits } from './limits'
import { stalled, unreachable } from './network-failures'
import { refusedParameter, withoutToolParameters } from './parameters'
import { patientFetch } from './patient-fetch'
import { ProviderError, type ProviderRequest, type ProviderStream } from './provider'
import { requestBody } from './request-body'
import { responsesName } from './responses/parameters'
import { responsesReader } from './responses/reader'
import { hostOf } from './server-name'
import { silenceWatch } from './silence'
import { withoutKeys } from './without-keys'

export interface StreamEndpoint {
  /** Without `/chat/completions`. */
  readonly baseUrl: string
  readonly apiKey?: string | undefined
  /** Keys that are not sent there, and are taken out of what comes all the same. */
  readonly otherKeys?: readonly string[] | undefined
  /** How long it may say nothing; the limits' own where it is absent. */
  readonly timeouts?: Timeouts | undefined
}

/** The provider of a chosen endpoint. */
export function streamOf(endpoint: Endpoint): ProviderStream {
  return openAiStream({
    baseUrl: endpoint.baseUrl.value,
    apiKey: endpoint.apiKey?.value.reveal(),
    otherKeys: keysOf(endpoint),
    timeouts: endpoint.timeouts,
  })
}

/**
 * A provider behind any OpenAI-compatible base URL.
 *
 * The `openai` package builds the request; which headers go out, redirects, refusals and the stream are ours (see
 * guarded-fetch, answer). It never retries here. The key is in no event, and in no message of any error.
 */
export function openAiStream(
  endpoint: StreamEndpoint,
  options: {
    readonly limits?: Partial<StreamLimits>
    readonly fetch?: Fetch
    readonly clock?: Pick<Clock, 'sleep'>
  } = {},
): ProviderStream {
  const limits = { ...defaultLimits, ...timeoutLimits(endpoint.timeouts), ...options.limits }
  const fetch = options.fetch ?? patientFetch
  const refused: Refused = { parameters: new Set(), usage: false }
  const keys = [endpoint.apiKey, ...(endpoint.otherKeys ?? [])]
  const pieces = pieceScrubber(...keys)
  const scrub = scrubber(...keys)
  return async function* stream(request, signal) {
    if (signal.aborted) return
    const asked = askedOf(endpoint, request, scrub)
    const controller = new AbortController()
    const stop = () => controller.abort()
    signal.addEventListener('abort', stop, { once: true })
    const silence = silenceWatch(controller, options.clock)
    try {
      const { response, withoutTools, without } = await silence.limit(limits.firstByteMs, () =>
        send(endpoint, request, asked, refused, fetch, controller.signal),
      )
      if (withoutTools) yield { type: 'without-tools' }
      for (const { name, as } of without)
        yield { type: 'without-parameter', name, ...(as === undefined ? {} : { as }) }
      const reader = request.protocol === 'responses' ? responsesReader() : chatReader
      const answer = readAnswer(bodyOf(response, asked, limits, silence), asked, limits, reader)
      yield* withoutKeys(answer, scrub, pieces)
    } catch (error) {
      if (signal.aborted) return
      if (silence.brokenAfterMs !== undefined) throw stalled(asked, silence.brokenAfterMs)
      throw error instanceof ProviderError ? error : unreachable(error, asked)
    } finally {
      signal.removeEventListener('abort', stop)
      controller.abort() // Ends the connection when the loop was left early.
    }
  }
}

function askedOf(endpoint: StreamEndpoint, request: ProviderRequest, scrub: Scrub): Asked {
  return {
    host: hostOf(endpoint.baseUrl),
    model: request.model,
    withKey: endpoint.apiKey !== undefined,
    scrub,
    protocol: request.protocol,
  }
}

/** What a server has refused by name: it is not sent there a second time. */
interface Refused {
  readonly parameters: Set<string>
  usage: boolean
}

/** OpenAI's newer models want the same number under another name. */
const renamed = { from: 'max_tokens', to: 'max_completion_tokens' }

/** The parameters that are sent, and the names of those that are not. */
function parametersFor(request: ProviderRequest, refused: Refused, withTools: boolean) {
  const all = request.parameters ?? {}
  const wanted = withTools ? all : withoutToolParameters(all)
  const sent: Record<string, unknown> = {}
  const without: LeftOut[] = []
  for (const [name, value] of Object.entries(wanted)) {
    if (!refused.parameters.has(name)) sent[name] = value
    else if (name === renamed.from && !refused.parameters.has(renamed.to)) {
      sent[renamed.to] = value
      without.push({ name, as: renamed.to })
    } else without.push({ name })
  }
  return { sent, without }
}

/** What is not sent, or under the name that the server wants. */
interface LeftOut {
  readonly name: string
  readonly as?: string
}

/**
 * Makes the request; again without the wish for token counts, without tools, or without a parameter, where a server
 * refuses them by name.
 */
async function send(
  endpoint: StreamEndpoint,
  request: ProviderRequest,
  asked: Asked,
  refused: Refused,
  fetch: Fetch,
  signal: AbortSignal,
): Promise<{
  readonly response: Response
  readonly withoutTools: boolean
  readonly without: readonly LeftOut[]
}> {
  const key = endpoint.apiKey
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key)) throw badlyWrittenKey()
  let refusal: ProviderError | undefined
  const guarded = guardedFetch(fetch, key, asked, (error) => {
    refusal = error
  })
  const client = clientFor(endpoint.baseUrl, guarded)
  const tools = request.tools ?? []
  let withTools = tools.length > 0
  let messages = request.messages
  const post = (parameters: Readonly<Record<string, unknown>>) => {
    const body = requestBody({ ...request, messages, parameters, tools: withTools ? tools : [] })
    // Casts to the package's types, which know less of messages, items and parameters than servers do.
    if (request.protocol === 'responses')
      return client.responses
        .create(body as unknown as OpenAI.Responses.ResponseCreateParamsStreaming, { signal })
        .asResponse()
    return client.chat.completions
      .create(
        {
          ...(body as unknown as OpenAI.ChatCompletionCreateParamsStreaming),
          ...(refused.usage ? {} : { stream_options: { include_usage: true } }),
        },
        { signal },
      )
      .asResponse()
  }
  for (;;) {
    refusal = undefined
    const { sent, without } = parametersFor(request, refused, withTools)
    try {
      const response = await post(sent)
      const left = [...without, ...leftOut(request.messages, messages)]
      return { response, withoutTools: tools.length > 0 && !withTools, without: left }
    } catch (error) {
      const words = wordsOf(refusal)
      const bare = withoutImages(messages)
      const withoutThoughts = withoutBeside(messages)
      const parameter = misunderstood(refusal) && refusedOf(request, words, Object.keys(sent))
      if (!refused.usage && /stream_options/.test(words)) refused.usage = true
      else if (parameter) refused.parameters.add(parameter)
      else if (bare !== undefined && imagesRefused(refusal)) messages = bare
      else if (withoutThoughts !== undefined && thoughtsRefused(refusal)) messages = withoutThoughts
      else if (withTools && toolsRefused.test(words)) withTools = false
      else throw refusal ?? error
    }
  }
}

/** The parameter that is refused by the name that it has in the request's API. */
function refusedOf(
  { protocol }: ProviderRequest,
  words: string,
  names: readonly string[],
): string | undefined {
  if (protocol !== 'responses') return refusedParameter(words, names)
  // OpenAI's words for models that do not reason.
  if (names.includes('include') && /encrypted content is not supported/i.test(words))
    return 'include'
  const refusedName = refusedParameter(words, names.map(responsesName))
  return names.find((name) => responsesName(name) === refusedName)
}

/** As Ollama, OpenRouter, vLLM and llama.cpp say it of a model that takes none. */
const toolsRefused =
  /support.{0,20}\btools?\b|\btools?\b.{0,40}not (be )?supported|tool choice requires|tools param requires/i

/** What of the messages was left out, since the server refused it. */
function leftOut(
  wanted: ProviderRequest['messages'],
  sent: ProviderRequest['messages'],
): readonly LeftOut[] {
  if (wanted === sent) return []
  const hadImages = withoutImages(wanted) !== undefined && withoutImages(sent) === undefined
  const hadThoughts = withoutBeside(wanted) !== undefined && withoutBeside(sent) === undefined
  return [
    ...(hadImages ? [{ name: 'images' }] : []),
    ...(hadThoughts ? [{ name: 'thoughts' }] : []),
  ]
}

/** As DeepSeek's older models say it, and servers that take no key of a message that they do not know. */
function thoughtsRefused(refusal: ProviderError | undefined): boolean {
  return (
    misunderstood(refusal) && /reasoning|thought|thinking|extra|encrypted/i.test(wordsOf(refusal))
  )
}

/** As OpenRouter, OpenAI, Ollama and vLLM say it of a model that sees nothing. */
function imagesRefused(refusal: ProviderError | undefined): boolean {
  const isSaid = /\b(image|vision|multimodal)/i.test(wordsOf(refusal))
  return isSaid && (misunderstood(refusal) || refusal?.code === 'not-found')
}

function misunderstood(refusal: ProviderError | undefined): boolean {
  return refusal?.code === 'bad-request'
}

function wordsOf(refusal: ProviderError | undefined): string {
  return refusal?.fault.response ?? ''
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
