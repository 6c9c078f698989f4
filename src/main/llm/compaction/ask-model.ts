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

/** Who condenses, and how it is asked. */
export interface ModelCaller {
  readonly provider: ProviderStream
  readonly clock: Clock
  readonly model: string
  readonly parameters?: WireParameters | undefined
  /** The API in which it is asked. */
  readonly protocol?: Protocol | undefined
  /** Takes a request down before it goes out. Never rejects. */
  readonly logRequest?: ((body: RequestBody) => Promise<void>) | undefined
}

/** What came of a question. `failed` says why in a sentence. */
export type ModelAnswer =
  | {
      readonly type: 'said'
      readonly text: string
      readonly model: string
      readonly usage: Usage | undefined
      /** The provider ended it at its limit. */
      readonly isCut: boolean
    }
  | { readonly type: 'failed'; readonly words: string }
  | { readonly type: 'stopped' }

/** Asks the model one thing, without tools. Of its answer only words count. */
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
  // No entry is made of it: the id is nobody's.
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
    return { type: 'failed', words: 'The model wanted to call a tool in place of an answer.' }
  if (reply.finish === 'filtered')
    return { type: 'failed', words: 'The provider held the answer back.' }
  if (reply.content.trim() === '')
    return { type: 'failed', words: 'The model answered without a word.' }
  return {
    type: 'said',
    text: reply.content.trim(),
    model: reply.model,
    usage: reply.usage,
    isCut: reply.finish === 'length',
  }
}

/** Of a provider's own words, where they stand in a sentence of ours. In characters. */
const mostOfResponse = 300

/** Of an answer that broke off a conversation keeps what came; here nothing is kept of it. */
const withoutAnswer: Partial<Record<RunFailure['kind'], string>> = {
  cut: 'Try again.',
  'too-much': 'Try again, or choose another model.',
}

/** The advice may name the provider's own words: they follow. */
function failureWords({ kind, message, response, ...failure }: RunFailure): string {
  const advice = withoutAnswer[kind] ?? failure.advice
  if (response === undefined || response.trim() === '') return `${message} ${advice}`
  const { length } = response
  const short = length > mostOfResponse ? `${response.slice(0, mostOfResponse)}…` : response
  return `${message} ${advice}\n${wellFormed(short.trim())}`
}

/** What is set for the conversation's answers, without what they must look like and how long they may be. */
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

/** What two answers cost together; what neither tells is left out. */
export function addUsage(...all: readonly (Usage | undefined)[]): Usage | undefined {
  const sum: Record<string, number> = {}
  for (const usage of all)
    for (const [name, value] of Object.entries(usage ?? {}))
      if (typeof value === 'number') sum[name] = (sum[name] ?? 0) + value
  // The loop sums what Usage names, and nothing else.
  return Object.keys(sum).length === 0 ? undefined : (sum as Usage)
}
