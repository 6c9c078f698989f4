import type { SentMessage, SentTool, TokenParts } from '../../../shared/model/run/sent'
import type { TokenCounter } from '../tokens/counter'
import { tokensOfImages, tokensOfJsonText } from '../tokens/estimate'
import { tokensPerAnswer, tokensPerMessage } from '../tokens/request-size'

/** A part of a request before its tokens are counted. */
export type Uncounted<T extends SentMessage | SentTool> = Omit<T, 'tokens' | 'entryIds'>

/**
 * Counts a request's tokens by message, tool and part, in the way in which the size of a context window is counted.
 * Images count by their number.
 */
export async function countedParts(
  messages: readonly Uncounted<SentMessage>[],
  tools: readonly Uncounted<SentTool>[],
  counter: TokenCounter,
): Promise<{
  readonly messages: readonly number[]
  readonly tools: readonly number[]
  readonly parts: TokenParts
}> {
  const isEstimate = counter.countedBy.by === 'estimate'
  const counts = isEstimate
    ? [...messages.map(estimatedMessage), ...tools.map(estimatedTool)]
    : await counter.countAll([...messages.map(wordsOf), ...tools.map(toolWords)])
  const around = isEstimate ? 0 : tokensPerMessage
  const ofMessages = counts.slice(0, messages.length).map((tokens) => tokens + around)
  const ofTools = counts.slice(messages.length)
  const systems = ofMessages.filter((_, index) => isSystem(messages[index]))
  const images = sum(messages.map((message) => message.images))
  return {
    messages: ofMessages,
    tools: ofTools,
    parts: {
      system: sum(systems),
      history: sum(ofMessages) - sum(systems) + (isEstimate ? 0 : tokensPerAnswer),
      tools: sum(ofTools),
      attachments: tokensOfImages(images),
    },
  }
}

function isSystem(message: Uncounted<SentMessage> | undefined): boolean {
  return message?.role === 'system' || message?.role === 'developer'
}

/** Returns the text of a message that the model reads. */
function wordsOf({ text, calls }: Uncounted<SentMessage>): string {
  return [text, ...calls.map((call) => `${call.name}(${call.arguments})`)].join('\n')
}

function toolWords({ name, description, parameters = '{}' }: Uncounted<SentTool>): string {
  return `{"name":${JSON.stringify(name)},"description":${JSON.stringify(description)},"parameters":${parameters}}`
}

function estimatedMessage(message: Uncounted<SentMessage>): number {
  const { role, text, calls, callId } = message
  const toolCalls = calls.map(({ id, name, arguments: given }) => ({
    id,
    type: 'function',
    function: { name, arguments: given },
  }))
  const wire = {
    role,
    ...(callId === undefined ? {} : { tool_call_id: callId }),
    ...(text === '' && calls.length > 0 ? {} : { content: text }),
    ...(calls.length === 0 ? {} : { tool_calls: toolCalls }),
  }
  return tokensOfJsonText(JSON.stringify(wire))
}

function estimatedTool(tool: Uncounted<SentTool>): number {
  return tokensOfJsonText(`{"type":"function","function":${toolWords(tool)}}`)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
