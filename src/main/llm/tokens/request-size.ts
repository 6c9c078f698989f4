import type { TokenParts } from '../../../shared/model/run/sent'
import type { ToolDefinition } from '../../tools/base/tool'
import type { ChatMessage } from '../chat/provider'
import type { TokenCounter } from './counter'
import { estimatePromptTokens, tokensOf, tokensOfImages } from './estimate'

/** What a request is made of that takes tokens. Images count by their number, and stand in no message. */
export interface SizedRequest {
  readonly messages: readonly ChatMessage[]
  readonly tools: readonly ToolDefinition[]
  readonly images: number
}

/** What OpenAI's format puts around a message: its marks and its role. */
export const tokensPerMessage = 4
/** What the answer begins with. */
export const tokensPerAnswer = 3

/** The tokens of a request by part. */
export async function measureParts(
  request: SizedRequest,
  counter: TokenCounter,
): Promise<TokenParts> {
  return counter.countedBy.by === 'estimate' ? estimateParts(request) : counted(request, counter)
}

/** Tokens of a message that a person has not sent yet; 0 while there is nothing in it. */
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

export function totalTokens({ system, history, tools, attachments }: TokenParts): number {
  return system + history + tools + attachments
}

/** chibi's estimate, by which it compacts. */
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
  const [before = [], said = []] = groups
  const saidFrom = before.length
  const toolsFrom = saidFrom + said.length
  const sum = (from: number, to?: number) =>
    counts.slice(from, to).reduce((total, tokens) => total + tokens, 0)
  return {
    system: sum(0, saidFrom) + before.length * tokensPerMessage,
    history: sum(saidFrom, toolsFrom) + said.length * tokensPerMessage + tokensPerAnswer,
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

/** What of a message the model reads: ids of calls are the provider's own business. */
function wordsOf(message: ChatMessage): string {
  const calls = 'tool_calls' in message ? message.tool_calls : []
  return [
    message.content ?? '',
    ...calls.map(({ function: { name, arguments: given } }) => `${name}(${given})`),
  ].join('\n')
}

/** How a provider tells a model of its tools is not published; the JSON comes near it. */
function toolWords({ name, description, parameters }: ToolDefinition): string {
  return JSON.stringify({ name, description, parameters })
}
