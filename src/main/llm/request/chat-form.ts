import { messagesOfItems } from '../responses/items'
import { chatMessagesJson } from './request-body'

/** A request in the names of the wire; one from a log may hold anything. */
export type WireRequest = Readonly<Record<string, unknown>>

/** Returns true where a request is in the form of the Responses API. */
export function isOfResponses({ input, messages }: WireRequest): boolean {
  return input !== undefined && messages === undefined
}

/**
 * Converts a request to the form of chat completions, in which it is shown and compared. Items that a server gave
 * with its answers, such as encrypted reasoning, have no place there.
 */
export function chatForm(request: WireRequest): WireRequest {
  if (!isOfResponses(request)) return request
  const { input, ...others } = request
  return { ...others, messages: chatMessagesJson(messagesOfItems(input)) }
}
