import { isJsonObject } from '../../../shared/model/basics/json-object'
import type { EntryId } from '../../../shared/model/conversation/entry'
import type { Sent, SentMessage, SentTool } from '../../../shared/model/run/sent'
import { chatForm, type WireRequest } from '../request/chat-form'
import type { TokenCounter } from '../tokens/counter'
import { countedParts, type Uncounted } from './counting'

/**
 * Takes a request apart into messages, tools and parameters, with their tokens. A part of an unexpected shape is
 * shown as its JSON.
 */
export async function partsOfRequest(
  request: WireRequest,
  entryIdsOf: (index: number) => readonly EntryId[],
  counter: TokenCounter,
): Promise<Pick<Sent, 'messages' | 'tools' | 'parameters' | 'parts' | 'countedBy'>> {
  const { model: _, messages, tools, stream: __, ...others } = chatForm(request)
  const parsed = arrayOrEmpty(messages).map(messageOf)
  const offered = arrayOrEmpty(tools).map(toolOf)
  const counts = await countedParts(parsed, offered, counter)
  return {
    messages: parsed.map((message, index) => ({
      ...message,
      tokens: counts.messages[index] ?? 0,
      entryIds: [...entryIdsOf(index)],
    })),
    tools: offered.map((tool, index) => ({ ...tool, tokens: counts.tools[index] ?? 0 })),
    parameters: Object.fromEntries(
      Object.entries(others).map(([name, value]) => [name, JSON.stringify(value)]),
    ),
    parts: counts.parts,
    countedBy: counter.countedBy,
  }
}

/** Reads the text of a message of the wire, and the number of its images. */
export function readMessageContent(content: unknown): {
  readonly text: string
  readonly images: number
} {
  if (content === undefined || content === null) return { text: '', images: 0 }
  if (typeof content === 'string') return { text: content, images: 0 }
  if (!Array.isArray(content)) return { text: JSON.stringify(content), images: 0 }
  const words: string[] = []
  let images = 0
  for (const part of content)
    if (isJsonObject(part) && part.type === 'image_url') images += 1
    else if (isJsonObject(part) && typeof part.text === 'string') words.push(part.text)
    else words.push(JSON.stringify(part))
  return { text: words.join('\n'), images }
}

function messageOf(message: unknown): Uncounted<SentMessage> {
  const fields = isJsonObject(message) ? message : { content: message }
  const { text, images } = readMessageContent(fields.content)
  const callId = fields.tool_call_id
  return {
    role: typeof fields.role === 'string' ? fields.role : '?',
    text,
    calls: arrayOrEmpty(fields.tool_calls).map(callOf),
    ...(typeof callId === 'string' ? { callId } : {}),
    images,
  }
}

function callOf(call: unknown): SentMessage['calls'][number] {
  const { id, function: callee } = isJsonObject(call) ? call : {}
  const { name, arguments: args } = isJsonObject(callee) ? callee : {}
  return {
    id: typeof id === 'string' ? id : '',
    name: typeof name === 'string' ? name : '',
    arguments: typeof args === 'string' ? args : (JSON.stringify(args) ?? ''),
  }
}

function toolOf(tool: unknown): Uncounted<SentTool> {
  const fields = isJsonObject(tool) ? tool : {}
  const definition = isJsonObject(fields.function) ? fields.function : fields
  const { name, description, parameters } = definition
  return {
    name: typeof name === 'string' ? name : '?',
    description: typeof description === 'string' ? description : '',
    ...(parameters === undefined ? {} : { parameters: JSON.stringify(parameters) }),
  }
}

/** Returns the value where it is an array, else an empty one. */
export function arrayOrEmpty(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
