import type { FailureKind, RunFailure } from '../../shared/model/run'
import type { ToolDefinition } from '../tools/tool'
import type { WireParameters } from './parameters'

/** One message as chat completions take it; the names are the wire's own, but for images. */
export type ChatMessage =
  | { readonly role: 'system' | 'user' | 'assistant'; readonly content: string }
  /** With images, as data URLs; on the wire they are parts of the content, behind the words. */
  | { readonly role: 'user'; readonly content: string; readonly images: readonly string[] }
  | {
      readonly role: 'assistant'
      /** What the model said beside its calls. */
      readonly content?: string
      readonly tool_calls: readonly ChatToolCall[]
    }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string }

export interface ChatToolCall {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
}

export interface ProviderRequest {
  readonly model: string
  readonly messages: readonly ChatMessage[]
  /** What the model may call; absent or empty: nothing. */
  readonly tools?: readonly ToolDefinition[]
  /** Everything else that goes out beside these; those that a server refuses by name are left out, and told. */
  readonly parameters?: WireParameters
}

/** A call as the model asks for it. */
export interface AskedCall {
  /** Unlike every other of the same answer; absent where the provider gave none that is. */
  readonly id?: string
  /** May be '' or the name of no tool. */
  readonly name: string
  /** As it was streamed: may be '' or no JSON. */
  readonly arguments: string
}

/** Tokens as the provider counted them. */
export interface Usage {
  readonly input?: number
  readonly output?: number
  readonly reasoning?: number
  readonly cached?: number
  /** In the provider's currency (OpenRouter: US dollars), where it tells. */
  readonly cost?: number
}

/** Why an answer ended. `length`: at the provider's limit. `filtered`: text was held back. */
export type FinishReason = 'stop' | 'length' | 'filtered' | 'tool-calls' | 'other'

/** What a provider tells of one answer, in order; `finish` is the last. Closed. */
export type ProviderEvent =
  /** The model that answers, where it tells: a router chooses one. */
  | { readonly type: 'model'; readonly model: string }
  /** The model takes no tools: it was asked again without. */
  | { readonly type: 'without-tools' }
  /** The server does not take this parameter: it was asked again without, or under the name that it wants. */
  | { readonly type: 'without-parameter'; readonly name: string; readonly as?: string }
  | { readonly type: 'content'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | { readonly type: 'usage'; readonly usage: Usage }
  /** All calls of a whole answer, in the model's order; at most 100. Told once, right before `finish`, or never. */
  | { readonly type: 'calls'; readonly calls: readonly AskedCall[] }
  | { readonly type: 'finish'; readonly reason: FinishReason }

/**
 * Makes one request and tells its answer as it comes: no retry, no state.
 *
 * Ends without `finish` when the signal aborts, and then throws nothing. Leaving the loop ends the request.
 *
 * @throws ProviderError for everything else that keeps the answer from its `finish`
 */
export type ProviderStream = (
  request: ProviderRequest,
  signal: AbortSignal,
) => AsyncIterable<ProviderEvent>

/** What is known of a failed request, in words that hold no key. */
export interface ProviderFault {
  /** One sentence. */
  readonly message: string
  /** What a person can do. */
  readonly advice: string
  readonly status?: number
  /** The provider's own words, at most 2,000 characters. */
  readonly response?: string
  /** How long the provider asks to be left alone. */
  readonly retryAfterMs?: number
  /** Another try may succeed without anybody doing anything. */
  readonly transient?: boolean
}

/** A provider did not give its answer, or not the whole of it. Has no `cause`: what lies under it may quote the key. */
export class ProviderError extends Error {
  readonly code: FailureKind
  readonly fault: ProviderFault

  constructor(code: FailureKind, fault: ProviderFault) {
    super(fault.message)
    this.name = 'ProviderError'
    this.code = code
    this.fault = fault
  }

  /** The failure as it stands in a transcript. `attempts` counts the requests made, this one included. */
  failure(attempts: number): RunFailure {
    const { message, advice, status, response } = this.fault
    return {
      kind: this.code,
      message,
      advice,
      ...(status === undefined ? {} : { status }),
      attempts,
      ...(response === undefined ? {} : { response }),
    }
  }
}
