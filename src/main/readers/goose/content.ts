import { isJsonObject, type JsonObject } from '../../../shared/model/basics/json-object'
import {
  type Fields,
  jsonText,
  type TimelessEntry,
  textIn,
  unknownEntry,
  withFields,
} from '../common/drafts'
import { programKinds } from './known'

/** The author of a message. */
export interface GooseSpeaker {
  readonly role: unknown
  /** The program has put it there for the model: people do not see it. */
  readonly isInjected: boolean
}

/** Converts the content of a message to entries, in its order: texts and images that follow each other are one. */
export function entriesOfContent(
  content: readonly unknown[],
  speaker: GooseSpeaker,
): readonly TimelessEntry[] {
  const entries: TimelessEntry[] = []
  let words: { readonly texts: string[]; readonly images: Fields[] } | undefined
  const endWords = () => {
    if (words !== undefined) entries.push(wordsEntry(words.texts.join('\n'), words.images, speaker))
    words = undefined
  }
  for (const part of content) {
    const text = isJsonObject(part) && part.type === 'text' ? part.text : undefined
    const image = isJsonObject(part) ? imageIn(part) : undefined
    if (typeof text === 'string' || image !== undefined) {
      words ??= { texts: [], images: [] }
      if (typeof text === 'string') words.texts.push(text)
      if (image !== undefined) words.images.push(image)
      continue
    }
    endWords()
    entries.push(partEntry(part))
  }
  endWords()
  return entries
}

function wordsEntry(
  content: string,
  images: readonly Fields[],
  { role, isInjected }: GooseSpeaker,
): TimelessEntry {
  const metadata = {
    ...(images.length === 0 ? {} : { images }),
    ...(isInjected ? { injected: true } : {}),
  }
  const said = { content, entry_type: 'message' } as const
  if (role === 'user')
    return withFields({ from: 'user', to: 'goose', ...said, role: 'user' }, metadata)
  if (role === 'assistant')
    return withFields({ from: 'goose', to: 'user', ...said, role: 'agent' }, metadata)
  return withFields(unknownEntry('goose', jsonText(role), content), metadata)
}

function partEntry(part: unknown): TimelessEntry {
  if (!isJsonObject(part)) return unknownEntry('goose', 'content', JSON.stringify(part))
  const { type } = part
  switch (type) {
    case 'toolRequest':
    case 'frontendToolRequest':
      return callEntry(part)
    case 'toolResponse':
      return resultEntry(part)
    case 'thinking':
    case 'reasoning':
      return thoughtEntry(jsonText(type === 'thinking' ? part.thinking : part.text))
    case 'redactedThinking':
      return withFields(thoughtEntry(''), { raw_type: type })
    case 'conversationCompacted':
      return { from: 'goose', to: 'goose', content: jsonText(part.msg), entry_type: 'compaction' }
    default:
      if (programKinds.has(type)) return programEntry(String(type), part)
      return unknownEntry('goose', textIn(type) ?? 'content', JSON.stringify(part))
  }
}

function thoughtEntry(content: string): TimelessEntry {
  return { from: 'goose', to: 'user', content, entry_type: 'reasoning' }
}

function programEntry(kind: string, part: JsonObject): TimelessEntry {
  const asked = isJsonObject(part.data) ? part.data : part
  const words =
    textIn(part.msg) ?? textIn(asked.prompt) ?? textIn(asked.message) ?? JSON.stringify(part)
  return {
    from: 'goose',
    to: 'user',
    content: words,
    entry_type: 'message',
    role: 'system',
    metadata: { raw_type: kind },
  }
}

function callEntry({ id, toolCall }: JsonObject): TimelessEntry {
  const call = isJsonObject(toolCall) ? toolCall : {}
  const { name, arguments: args } = isJsonObject(call.value) ? call.value : {}
  const named = textIn(id) === undefined ? {} : { tool_call_id: String(id) }
  const entry = { from: 'goose', to: textIn(name) ?? 'tool', entry_type: 'tool_call', ...named }
  if (call.status !== 'error') return { ...entry, content: jsonText(args ?? {}) }
  // A call that could not be understood, with the reason in place of its arguments.
  return { ...entry, content: jsonText(call.error), metadata: { is_error: true } }
}

/** Results come from "tool": the line names the call alone. */
function resultEntry({ id, toolResult }: JsonObject): TimelessEntry {
  const result = isJsonObject(toolResult) ? toolResult : {}
  const { value } = result
  // Older versions have the list of contents itself.
  const content = isJsonObject(value) ? value.content : value
  const texts: string[] = result.status === 'error' ? [jsonText(result.error)] : []
  const images: Fields[] = []
  const attachments: unknown[] = []
  for (const part of Array.isArray(content) ? content : [content]) {
    if (part == null) continue
    const text = typeof part === 'string' ? part : isJsonObject(part) ? textOf(part) : undefined
    const image = isJsonObject(part) ? imageIn(part) : undefined
    if (text !== undefined) texts.push(text)
    else if (image !== undefined) images.push(image)
    else attachments.push(part)
  }
  // What is no text is searched and shown all the same.
  if (texts.length === 0 && attachments.length > 0)
    texts.push(attachments.map((one) => JSON.stringify(one)).join('\n'))
  const isError = result.status === 'error' || (isJsonObject(value) && value.isError === true)
  const entry: TimelessEntry = {
    from: 'tool',
    to: 'goose',
    content: texts.join('\n'),
    entry_type: 'tool_result',
    ...(textIn(id) === undefined ? {} : { tool_call_id: String(id) }),
  }
  return withFields(entry, {
    ...(isError ? { is_error: true } : {}),
    ...(images.length === 0 ? {} : { images }),
    ...(attachments.length === 0 ? {} : { attachments }),
  })
}

function textOf({ type, text, resource }: JsonObject): string | undefined {
  if (type === 'resource' && isJsonObject(resource)) return textIn(resource.text)
  return type === 'text' && typeof text === 'string' ? text : undefined
}

function imageIn({ type, data, mimeType }: JsonObject): Fields | undefined {
  if (type !== 'image' || typeof data !== 'string') return undefined
  return { url: `data:${textIn(mimeType) ?? 'image/png'};base64,${data}` }
}
