import type { JsonObject } from '../../../shared/model/basics/json-object'
import type { Citation } from '../../../shared/model/conversation/citations'
import type { Adaptation } from '../../../shared/model/run/adaptations'
import type { FailureKind, RunFailure } from '../../../shared/model/run/run'
import type { Protocol } from '../../../shared/model/settings/protocol'
import type { ToolDefinition } from '../../tools/base/tool'
import type { WireParameters } from './parameters'

/** One message as chat completions take it; the names are the wire's own, but for images and returned fields. */
export type ChatMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | {
      readonly role: 'assistant'
      readonly content: string
      /** Fields of the wire that come back to the server that gave them, such as thoughts. */
      readonly returnedFields?: JsonObject
    }
  /** With images, as data URLs; on the wire they are parts of the content, behind the text. */
  | { readonly role: 'user'; readonly content: string; readonly images: readonly string[] }
  | {
      readonly role: 'assistant'
      /** The model's text before its calls. */
      readonly content?: string
      readonly tool_calls: readonly ChatToolCall[]
      readonly returnedFields?: JsonObject
    }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string }

/** A call in a message of the model, as chat completions take it. */
export interface ChatToolCall {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
  /** Returned fields of the call, such as a signature, for the server that gave them. */
  readonly returnedFields?: JsonObject
}

/** A request for one answer of a model, before it is written in the form of an API. */
export interface ProviderRequest {
  readonly model: string
  readonly messages: readonly ChatMessage[]
  /** The tools that the model may call; absent or empty: none. */
  readonly tools?: readonly ToolDefinition[]
  /** All other parameters; one that a server refuses by name is left out, and an event says so. */
  readonly parameters?: WireParameters
  /** The API in which it goes out; chat completions where it is absent. */
  readonly protocol?: Protocol | undefined
}

/** A call as the model requests it. */
export interface RequestedCall {
  /** Unlike every other of the same answer; absent where the provider gave none that is. */
  readonly id?: string
  /** May be '' or the name of no tool. */
  readonly name: string
  /** The text as streamed: may be '' or no JSON. */
  readonly arguments: string
  /** Returned fields of the call, such as a signature. */
  readonly extra?: JsonObject
}

/** Tokens as the provider counted them. */
export interface Usage {
  readonly input?: number
  readonly output?: number
  readonly reasoning?: number
  readonly cached?: number
  /** In the provider's currency (OpenRouter: US dollars), where it is known. */
  readonly cost?: number
}

/**
 * The reason why an answer ended. `length`: the provider's limit. `filtered`: text was held back. `broken`: a reason
 * that only the provider's own word names.
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
 * Fields that a server gave with an answer and wants back with it, else it refuses the conversation: the thoughts
 * under the name they came by, and signatures (OpenRouter's reasoning_details, LiteLLM's thinking_blocks, Google's
 * extra_content).
 */
export interface ReturnedFields {
  /** Host and port of the server that gave it: no other gets it. */
  readonly server: string
  /** The field in which the thoughts came as text. */
  readonly thoughtsIn?: string
  /** Other fields of the message, joined from their pieces. */
  readonly fields?: JsonObject
}

/** One event of an answer, in order; `finish` is the last. Closed. */
export type ProviderEvent =
  /** The model that answers, where the server names it: a router chooses one. */
  | { readonly type: 'model'; readonly model: string }
  /** The model takes no tools: it was asked again without. */
  | { readonly type: 'without-tools' }
  /** The server does not take this parameter: it was asked again without, or under the name that it wants. */
  | { readonly type: 'without-parameter'; readonly name: string; readonly as?: string }
  /** The server did not take the messages as they are: they were changed in this way. */
  | { readonly type: 'adapted'; readonly way: Adaptation }
  | { readonly type: 'content'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  /** All content so far was thoughts, which the model closed without having opened them. */
  | { readonly type: 'parted' }
  | { readonly type: 'usage'; readonly usage: Usage }
  /**
   * All calls of a whole answer, in the model's order; at most 100. Once, right before `finish`, or never. `server`:
   * host and port of the server that asks, which gets the returned fields of its calls.
   */
  | { readonly type: 'calls'; readonly calls: readonly RequestedCall[]; readonly server?: string }
  /** All pages that the answer cites so far. */
  | { readonly type: 'citations'; readonly citations: readonly Citation[] }
  /** Images, sounds and files of a whole answer; once, before `finish`, or never. */
  | { readonly type: 'media'; readonly media: readonly AnswerMedia[] }
  /** The returned fields of the answer; once, before `finish`, or never. */
  | { readonly type: 'returned'; readonly returned: ReturnedFields }
  /** `word` is the provider's own, where the answer is not whole. */
  | { readonly type: 'finish'; readonly reason: FinishReason; readonly word?: string }

/**
 * A provider: makes one request and yields its answer as it comes, without retries or state.
 *
 * Ends without `finish` when the signal aborts, and throws nothing then. Leaving the loop ends the request.
 *
 * @throws ProviderError for everything else that keeps the answer from its `finish`
 */
export type ProviderStream = (
  request: ProviderRequest,
  signal: AbortSignal,
) => AsyncIterable<ProviderEvent>

/** Details of a failed request, in words that hold no key. */
export interface ProviderFault {
  /** One sentence. */
  readonly message: string
  /** Advice for a person. */
  readonly advice: string
  readonly status?: number
  /** The provider's own words, at most 2,000 characters. */
  readonly response?: string
  /** The wait that the provider asks for. */
  readonly retryAfterMs?: number
  /** Another try may succeed without anybody doing anything. */
  readonly transient?: boolean
}

/** A provider's failure to give an answer, or the whole of it. Has no `cause`: an inner error may quote the key. */
export class ProviderError extends Error {
  readonly code: FailureKind
  readonly fault: ProviderFault

  constructor(code: FailureKind, fault: ProviderFault) {
    super(fault.message)
    this.name = 'ProviderError'
    this.code = code
    this.fault = fault
  }

  /** Returns the failure as a transcript has it. `attempts` counts the requests made, this one included. */
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
