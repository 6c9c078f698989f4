import type { TokenParts } from '../../../shared/model/run/sent'
import type { ToolDefinition } from '../../tools/base/tool'
import type { ChatMessage } from '../chat/provider'
import type { TokenCounter } from './counter'
import { estimatePromptTokens, tokensOf, tokensOfImages } from './estimate'

/** The parts of a request that take tokens. Images count by their number, and are in no message. */
export interface SizedRequest {
  readonly messages: readonly ChatMessage[]
  readonly tools: readonly ToolDefinition[]
  readonly images: number
}

/** Tokens that OpenAI's format puts around a message. */
export const tokensPerMessage = 4
/** Tokens with which an answer begins. */
export const tokensPerAnswer = 3

/** Measures the tokens of a request by part. */
export async function measureParts(
  request: SizedRequest,
  counter: TokenCounter,
): Promise<TokenParts> {
  return counter.countedBy.by === 'estimate' ? estimateParts(request) : counted(request, counter)
}

/** Counts the tokens of a message that a person has not sent yet; 0 while it is empty. */
export async function draftTokens(
  text: string,
  images: number,
  counter: TokenCounter,
): Promise<number> {
  if (text === '' && images === 0) return 0
  const messages: readonly ChatMessage[] = [{ role: 'user', content: text }]
  const { history, attachments } = await measureParts({ messages, tools: [], images }, counter)
  // What the answer begins with is counted in the window already.
  return history + attachments - (counter.countedBy.by === 'estimate' ? 0 : tokensPerAnswer)
}

/** Adds up the tokens of all parts. */
export function totalTokens({ system, history, tools, attachments }: TokenParts): number {
  return system + history + tools + attachments
}

/** Estimates the tokens of a request by part as chibi does when it decides on compaction. */
export function estimateParts({ messages, tools, images }: SizedRequest): TokenParts {
  const [system, others] = apart(messages)
  return {
    system: tokensOf(system),
    history: tokensOf(others),
    tools: estimatePromptTokens({}, tools),
    attachments: tokensOfImages(images),
  }
}

async function counted(
  { messages, tools, images }: SizedRequest,
  counter: TokenCounter,
): Promise<TokenParts> {
  const groups = [...apart(messages).map((group) => group.map(wordsOf)), tools.map(toolWords)]
  const counts = await counter.countAll(groups.flat())
  const [before = [], others = []] = groups
  const othersFrom = before.length
  const toolsFrom = othersFrom + others.length
  const sum = (from: number, to?: number) =>
    counts.slice(from, to).reduce((total, tokens) => total + tokens, 0)
  return {
    system: sum(0, othersFrom) + before.length * tokensPerMessage,
    history: sum(othersFrom, toolsFrom) + others.length * tokensPerMessage + tokensPerAnswer,
    tools: sum(toolsFrom),
    attachments: tokensOfImages(images),
  }
}

function apart(
  messages: readonly ChatMessage[],
): readonly [system: readonly ChatMessage[], others: readonly ChatMessage[]] {
  const isSystem = ({ role }: ChatMessage) => role === 'system'
  return [messages.filter(isSystem), messages.filter((message) => !isSystem(message))]
}

/** Returns the text of a message that the model reads: ids of calls are the provider's own. */
function wordsOf(message: ChatMessage): string {
  const calls = 'tool_calls' in message ? message.tool_calls : []
  return [
    message.content ?? '',
    ...calls.map(({ function: { name, arguments: given } }) => `${name}(${given})`),
  ].join('\n')
}

/** Writes a tool as JSON: what providers show their models is not published; this comes near it. */
function toolWords({ name, description, parameters }: ToolDefinition): string {
  return JSON.stringify({ name, description, parameters })
}
