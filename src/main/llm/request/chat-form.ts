import { messagesOfItems } from '../responses/items'
import { chatMessagesJson } from './request-body'

/** A request in the names of the wire; of a log it may be anything. */
export type WireRequest = Readonly<Record<string, unknown>>

/** Tells whether a request went out in the Responses API. */
export function isOfResponses({ input, messages }: WireRequest): boolean {
  return input !== undefined && messages === undefined
}

/**
 * Brings a request to the form of chat completions, in which it is shown and compared whatever it went out in: a message
 * for each that it was made of. What a server gave with its answers, such as encrypted reasoning, has no place there.
 */
export function chatForm(request: WireRequest): WireRequest {
  if (!isOfResponses(request)) return request
  const { input, ...others } = request
  return { ...others, messages: chatMessagesJson(messagesOfItems(input)) }
}
