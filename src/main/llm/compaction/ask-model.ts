import { wellFormed } from '../../../shared/model/basics/well-formed'
import { EntryId } from '../../../shared/model/conversation/entry'
import type { RunFailure } from '../../../shared/model/run/run'
import type { Protocol } from '../../../shared/model/settings/protocol'
import { type WireParameters, withoutToolParameters } from '../chat/parameters'
import type { ProviderRequest, ProviderStream, Usage } from '../chat/provider'
import { requestWithRetry } from '../provider/retry'
import { inProtocol, type RequestBody, requestBody } from '../request/request-body'
import { applyEvent, emptyReply } from '../steps/reply'
import type { Clock } from '../timing/clock'

/** A model that summarizes, and how requests go to it. */
export interface ModelCaller {
  readonly provider: ProviderStream
  readonly clock: Clock
  readonly model: string
  readonly parameters?: WireParameters | undefined
  /** The API in which it is asked. */
  readonly protocol?: Protocol | undefined
  /** Logs a request before it goes out. Never rejects. */
  readonly logRequest?: ((body: RequestBody) => Promise<void>) | undefined
}

/** The outcome of a question to a model. `failed` gives the reason in a sentence. */
export type ModelAnswer =
  | {
      readonly type: 'answered'
      readonly text: string
      readonly model: string
      readonly usage: Usage | undefined
      /** The provider ended it at its limit. */
      readonly isCut: boolean
    }
  | { readonly type: 'failed'; readonly words: string }
  | { readonly type: 'stopped' }

/**
 * Asks the model one question, without tools, and resolves to its text. An answer that calls a tool, is blank or was
 * held back counts as failed; an aborted one as stopped. Failed requests are retried as in a run.
 */
export async function askModel(
  system: string,
  text: string,
  { provider, clock, model, parameters = {}, protocol, logRequest }: ModelCaller,
  signal: AbortSignal,
): Promise<ModelAnswer> {
  const plain: ProviderRequest = {
    model,
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: text },
    ],
    parameters: withoutForm(parameters),
  }
  const request = inProtocol(plain, protocol)
  if (!signal.aborted) await logRequest?.(requestBody(request))
  // No entry is made of it, so the id does not matter.
  let reply = emptyReply(EntryId.parse('asked'), model)
  for await (const event of requestWithRetry(provider, request, clock, signal))
    switch (event.type) {
      case 'requesting':
      case 'retrying':
        break
      case 'failed':
        return { type: 'failed', words: failureWords(event.failure) }
      default:
        reply = applyEvent(reply, event).reply
    }
  if (signal.aborted || reply.finish === undefined) return { type: 'stopped' }
  if (reply.calls.length > 0 || reply.finish === 'tool-calls')
    return { type: 'failed', words: 'The model called a tool instead of answering.' }
  if (reply.finish === 'filtered')
    return { type: 'failed', words: 'The provider withheld the answer.' }
  if (reply.content.trim() === '')
    return { type: 'failed', words: 'The model returned an empty answer.' }
  return {
    type: 'answered',
    text: reply.content.trim(),
    model: reply.model,
    usage: reply.usage,
    isCut: reply.finish === 'length',
  }
}

/** Longest quotation of a provider's own words in a sentence of ours, in characters. */
const longestResponse = 300

/** Advice for an answer that broke off: a conversation keeps its part, here nothing is kept. */
const withoutAnswer: Partial<Record<RunFailure['kind'], string>> = {
  cut: 'Try again.',
  'too-much': 'Try again, or choose another model.',
}

/** Writes a failure in words. The advice may refer to the provider's own words, so they follow. */
function failureWords({ kind, message, response, ...failure }: RunFailure): string {
  const advice = withoutAnswer[kind] ?? failure.advice
  if (response === undefined || response.trim() === '') return `${message} ${advice}`
  const { length } = response
  const short = length > longestResponse ? `${response.slice(0, longestResponse)}…` : response
  return `${message} ${advice}\n${wellFormed(short.trim())}`
}

/** Leaves out of the conversation's parameters the form and the length of answers. */
function withoutForm(parameters: WireParameters): WireParameters {
  const {
    response_format: _,
    stop: __,
    max_tokens: ___,
    max_completion_tokens: ____,
    ...others
  } = withoutToolParameters(parameters)
  return others
}

/** Adds up what several answers used; undefined where none of them says. */
export function addUsage(...all: readonly (Usage | undefined)[]): Usage | undefined {
  const sum: Record<string, number> = {}
  for (const usage of all)
    for (const [name, value] of Object.entries(usage ?? {}))
      if (typeof value === 'number') sum[name] = (sum[name] ?? 0) + value
  // The loop sums what Usage names, and nothing else.
  return Object.keys(sum).length === 0 ? undefined : (sum as Usage)
}
