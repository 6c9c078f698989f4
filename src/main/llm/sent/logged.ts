import { isJsonObject } from '../../../shared/model/basics/json-object'
import type { Entry } from '../../../shared/model/conversation/entry'
import { type Adaptation, adaptationsOf } from '../../../shared/model/run/adaptations'
import type { LoggedRequest, LogSpan } from '../../store/texts/request-log'
import { adaptMessages } from '../adapting/adapt-messages'
import { chatForm, type WireRequest } from '../request/chat-form'
import { withoutImages as withoutPictures } from '../request/images'
import { digestOfRequest, type RequestMetadata } from '../request/request-metadata'
import { inputItems, messagesOfItems } from '../responses/items'
import { arrayOrEmpty, readMessageContent } from './parts'

/** Clocks are set, and chibi may write its log a moment after. */
const slackSeconds = 120
/** Used where the entry before has no time: no provider takes longer. */
const longestSeconds = 24 * 3600

/**
 * Returns the time in which an answer's request can have gone out: after the entry before it, and before the answer;
 * undefined for an answer without a time.
 */
export function requestTimeSpan(answer: Entry, before: Entry | undefined): LogSpan | undefined {
  const { timestamp } = answer
  if (timestamp === null) return undefined
  const since = before?.timestamp ?? timestamp - longestSeconds
  return {
    from: Math.min(since, timestamp) - slackSeconds,
    to: Math.ceil(timestamp) + 1,
  }
}

/** A request of the log as it went out in the end. */
export interface FoundRequest {
  readonly request: WireRequest
  readonly timestamp: number
  /** By its digest; else by its time, its model and its last messages. */
  readonly byDigest: boolean
  /** The provider refused something of it, which is not in it any more. */
  readonly isReduced: boolean
}

/**
 * Finds the request of an answer among those of a log.
 *
 * @param newestFirst those of the time
 * @param last the last messages of the window before the answer, as they would go out; for an answer without a digest
 */
export async function findLogged(
  newestFirst: AsyncIterable<LoggedRequest>,
  answer: Entry,
  kept: RequestMetadata | undefined,
  model: string | undefined,
  last: readonly object[],
): Promise<FoundRequest | undefined> {
  for await (const { request, timestamp } of newestFirst)
    if (kept === undefined) {
      // It is looked at from the answer on backwards: the first that fits is the nearest.
      if (timestamp > (answer.timestamp ?? timestamp)) continue
      if ((model === undefined || request.model === model) && endsWith(request, last))
        return { request, timestamp, byDigest: false, isReduced: false }
    } else {
      if (digestOfRequest(request) === kept.digest)
        return { request, timestamp, byDigest: true, isReduced: false }
      const reduced = reduceRequest(answer, kept, request)
      if (reduced !== undefined && digestOfRequest(reduced) === kept.digest)
        return { request: reduced, timestamp, byDigest: true, isReduced: true }
    }
  return undefined
}

/**
 * Leaves out of a logged request the parts that the provider refused: the log has it from before that, and the
 * answer's entry names them.
 */
function reduceRequest(
  { metadata = {} }: Entry,
  kept: RequestMetadata,
  { model, messages, input, tools, stream }: WireRequest,
): WireRequest | undefined {
  const refused = arrayOrEmpty(metadata.without_parameters)
  const isWithoutTools = metadata.without_tools === true
  const ways = adaptationsOf(metadata)
  if (!isWithoutTools && refused.length === 0 && ways.length === 0) return undefined
  return {
    ...kept.parameters,
    model,
    ...(kept.api === 'responses'
      ? { input: reducedItems(input, refused) }
      : { messages: adaptedMessages(reducedMessages(messages, refused), ways) }),
    ...(isWithoutTools || tools === undefined ? {} : { tools }),
    stream,
  }
}

/** Changes messages as those of the request were changed for the server. */
function adaptedMessages(messages: unknown, ways: readonly Adaptation[]): unknown {
  return ways.length === 0
    ? messages
    : adaptMessages(arrayOrEmpty(messages).filter(isJsonObject), ways)
}

/** Takes thoughts and images out of items. Thoughts are all that an item holds and a message does not. */
function reducedItems(input: unknown, refused: readonly unknown[]): unknown {
  if (refused.includes('thoughts')) {
    const messages = messagesOfItems(input)
    const bare = refused.includes('images') ? withoutPictures(messages) : undefined
    return inputItems(bare ?? messages)
  }
  if (!refused.includes('images')) return input
  return arrayOrEmpty(input).map((item) => {
    const [message] = messagesOfItems([item])
    const bare = message !== undefined && 'images' in message && withoutPictures([message])
    return bare ? inputItems(bare)[0] : item
  })
}

function reducedMessages(messages: unknown, refused: readonly unknown[]): unknown {
  if (!refused.includes('images') && !refused.includes('thoughts')) return messages
  const bare = refused.includes('images')
    ? arrayOrEmpty(messages).map(withoutImageParts)
    : arrayOrEmpty(messages)
  return refused.includes('thoughts') ? bare.map(withoutReturnedJson) : bare
}

/** Does what `withoutReturnedFields` does, on the wire's own form: only OpenAI's keys are left. */
function withoutReturnedJson(message: unknown): unknown {
  if (!isJsonObject(message) || message.role !== 'assistant') return message
  const { role, content, tool_calls: calls } = message
  if (calls === undefined) return { role, content }
  const bare = arrayOrEmpty(calls).map((call) => {
    if (!isJsonObject(call) || !isJsonObject(call.function)) return call
    const { name, arguments: text } = call.function
    return { id: call.id, type: call.type, function: { name, arguments: text } }
  })
  return { role, content, tool_calls: bare }
}

/** Does what `withoutImages` does, on the wire's own form. */
function withoutImageParts(message: unknown): unknown {
  if (!isJsonObject(message) || !Array.isArray(message.content)) return message
  const { text, images } = readMessageContent(message.content)
  const words = [text, ...Array.from({ length: images }, () => '(an image)')]
  return { ...message, content: words.filter((one) => one !== '').join('\n') }
}

function endsWith(request: WireRequest, last: readonly object[]): boolean {
  const all = arrayOrEmpty(chatForm(request).messages)
  if (last.length === 0 || all.length < last.length) return false
  const end = all.slice(-last.length)
  return last.every((one, index) => isSameMessage(one, end[index]))
}

/**
 * Returns true where two messages have the same role, text and names of calls; ids of calls differ between programs.
 */
export function isSameMessage(a: unknown, b: unknown): boolean {
  if (!isJsonObject(a) || !isJsonObject(b) || a.role !== b.role) return false
  const names = (value: unknown) =>
    arrayOrEmpty(value).map((call) =>
      isJsonObject(call) && isJsonObject(call.function) ? call.function.name : undefined,
    )
  return (
    readMessageContent(a.content).text.trim() === readMessageContent(b.content).text.trim() &&
    names(a.tool_calls).join('\n') === names(b.tool_calls).join('\n')
  )
}
