import type { JsonObject } from '../../../shared/model/basics/json-object'
import type { Citation } from '../../../shared/model/conversation/citations'
import type { Adaptation } from '../../../shared/model/run/adaptations'
import type { FailureKind, RunFailure } from '../../../shared/model/run/run'
import type { Protocol } from '../../../shared/model/settings/protocol'
import type { ToolDefinition } from '../../tools/base/tool'
import type { WireParameters } from './parameters'

/** One message as chat completions take it; the names are the wire's own, but for images. */
export type ChatMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | {
      readonly role: 'assistant'
      readonly content: string
      /** Fields of the wire that come back to the server that gave them, such as thoughts. */
      readonly beside?: JsonObject
    }
  /** With images, as data URLs; on the wire they are parts of the content, behind the words. */
  | { readonly role: 'user'; readonly content: string; readonly images: readonly string[] }
  | {
      readonly role: 'assistant'
      /** What the model said beside its calls. */
      readonly content?: string
      readonly tool_calls: readonly ChatToolCall[]
      readonly beside?: JsonObject
    }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string }

export interface ChatToolCall {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
  /** What came beside it, such as a signature, for the server that gave it. */
  readonly beside?: JsonObject
}

export interface ProviderRequest {
  readonly model: string
  readonly messages: readonly ChatMessage[]
  /** What the model may call; absent or empty: nothing. */
  readonly tools?: readonly ToolDefinition[]
  /** Everything else that goes out beside these; those that a server refuses by name are left out, and told. */
  readonly parameters?: WireParameters
  /** The API in which it goes out; chat completions where it is absent. */
  readonly protocol?: Protocol | undefined
}

/** A call as the model asks for it. */
export interface RequestedCall {
  /** Unlike every other of the same answer; absent where the provider gave none that is. */
  readonly id?: string
  /** May be '' or the name of no tool. */
  readonly name: string
  /** As it was streamed: may be '' or no JSON. */
  readonly arguments: string
  /** What stood beside it, such as a signature, and has to come back with it. */
  readonly extra?: JsonObject
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

/**
 * Why an answer ended. `length`: at the provider's limit. `filtered`: text was held back. `broken`: for a reason that only
 * the provider's own word names.
 */
export type FinishReason = 'stop' | 'length' | 'filtered' | 'tool-calls' | 'broken'

/** An image, a sound or a file that a model answers with. */
export interface AnswerMedia {
  readonly kind: 'image' | 'audio' | 'file'
  /** A data URL, or an address on the web. */
  readonly url: string
  readonly name?: string
}

/**
 * What stood beside the words of an answer and has to come back with them, for servers that refuse a conversation
 * without: the thoughts under the name they came by, and signatures (OpenRouter's reasoning_details, LiteLLM's
 * thinking_blocks, Google's extra_content).
 */
export interface ReturnedFields {
  /** Host and port of the server that gave it: no other gets it. */
  readonly server: string
  /** The field in which the thoughts came as text. */
  readonly thoughtsIn?: string
  /** Other fields of the message, joined from their pieces. */
  readonly fields?: JsonObject
}

/** What a provider tells of one answer, in order; `finish` is the last. Closed. */
export type ProviderEvent =
  /** The model that answers, where it tells: a router chooses one. */
  | { readonly type: 'model'; readonly model: string }
  /** The model takes no tools: it was asked again without. */
  | { readonly type: 'without-tools' }
  /** The server does not take this parameter: it was asked again without, or under the name that it wants. */
  | { readonly type: 'without-parameter'; readonly name: string; readonly as?: string }
  /** The server did not take the messages as they are: they were changed in this way. */
  | { readonly type: 'adapted'; readonly way: Adaptation }
  | { readonly type: 'content'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  /** All content before were thoughts, which the model closed and nobody had opened. */
  | { readonly type: 'parted' }
  | { readonly type: 'usage'; readonly usage: Usage }
  /**
   * All calls of a whole answer, in the model's order; at most 100. Told once, right before `finish`, or never. `server`:
   * host and port of who asks, to whom what stands beside a call comes back.
   */
  | { readonly type: 'calls'; readonly calls: readonly RequestedCall[]; readonly server?: string }
  /** Pages that the answer cites, those told before among them. */
  | { readonly type: 'citations'; readonly citations: readonly Citation[] }
  /** Images, sounds and files of a whole answer; told once, before `finish`, or never. */
  | { readonly type: 'media'; readonly media: readonly AnswerMedia[] }
  /** What has to come back with the answer, to the server that gave it; told once, before `finish`, or never. */
  | { readonly type: 'returned'; readonly returned: ReturnedFields }
  /** `word` is the provider's own, where the answer is not whole. */
  | { readonly type: 'finish'; readonly reason: FinishReason; readonly word?: string }

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
