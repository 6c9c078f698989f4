import { isJsonObject, type JsonObject } from '../../../shared/model/basics/json-object'
import {
  type Fields,
  jsonText,
  type TimelessEntry,
  textIn,
  unknownEntry,
  withFields,
} from '../common/drafts'

/** Thoughts that a model wrote in front of its answer, as versions before kinds of content kept them. */
const thinking = /^\s*<think>([\s\S]*?)<\/think>\s*/

/** Converts a message to entries: its content in order, then calls that older versions kept beside it. */
export function entriesOfJanMessage(message: JsonObject): readonly TimelessEntry[] {
  const { role, content, metadata } = message
  const beside = isJsonObject(metadata) ? metadata : {}
  const parts = Array.isArray(content) ? content : content == null ? [] : [content]
  if (role === 'tool') return [toolResult(message.tool_call_id, parts)]
  const images: Fields[] = []
  const entries: TimelessEntry[] = []
  for (const part of parts) {
    const url = isJsonObject(part) ? imageIn(part) : undefined
    if (url === undefined) entries.push(...partEntries(part, role))
    else images.push({ url })
  }
  for (const call of Array.isArray(beside.tool_calls) ? beside.tool_calls : [])
    entries.push(...olderCall(call))
  const attached = {
    ...(images.length === 0 ? {} : { images }),
    ...(Array.isArray(message.attachments) && message.attachments.length > 0
      ? { attachments: message.attachments }
      : {}),
  }
  if (Object.keys(attached).length === 0) return entries
  const said = entries.findIndex(({ entry_type: type }) => type === 'message')
  if (said === -1) return [withFields(wordsEntry('', role), attached), ...entries]
  return entries.map((entry, at) => (at === said ? withFields(entry, attached) : entry))
}

function partEntries(part: unknown, role: unknown): readonly TimelessEntry[] {
  if (typeof part === 'string') return spoken(part, role)
  if (!isJsonObject(part)) return [unknownEntry('jan', 'content', JSON.stringify(part))]
  const { type } = part
  const text = valueIn(part)
  if (type === 'text') return text === '' ? [] : spoken(text, role)
  if (type === 'reasoning') return text === '' ? [] : [thoughtEntry(text)]
  if (type === 'tool_call') return callEntries(part)
  return [unknownEntry('jan', textIn(type) ?? 'content', JSON.stringify(part))]
}

function valueIn({ text }: JsonObject): string {
  return jsonText(isJsonObject(text) ? text.value : text)
}

function spoken(text: string, role: unknown): readonly TimelessEntry[] {
  const thought = role === 'assistant' ? thinking.exec(text) : null
  if (thought === null) return [wordsEntry(text, role)]
  const answer = text.slice(thought[0].length)
  const before = thoughtEntry((thought[1] ?? '').trim())
  return answer === '' ? [before] : [before, wordsEntry(answer, role)]
}

function wordsEntry(content: string, role: unknown): TimelessEntry {
  const said = { content, entry_type: 'message' } as const
  if (role === 'user') return { from: 'user', to: 'jan', ...said, role: 'user' }
  if (role === 'assistant') return { from: 'jan', to: 'user', ...said, role: 'agent' }
  if (role === 'system') return { from: 'system', to: 'jan', ...said, role: 'system' }
  return unknownEntry('jan', jsonText(role), content)
}

function thoughtEntry(content: string): TimelessEntry {
  return { from: 'jan', to: 'user', content, entry_type: 'reasoning' }
}

function callEntries(part: JsonObject): readonly TimelessEntry[] {
  const id = textIn(part.tool_call_id)
  const name = textIn(part.tool_name) ?? 'tool'
  const named = id === undefined ? {} : { tool_call_id: id }
  const content = jsonText(part.input)
  const call = { from: 'jan', to: name, content, entry_type: 'tool_call', ...named }
  if (part.output == null) return [call]
  return [call, withFields(resultEntry(name, id, outputTexts(part.output)), errorIn(part.output))]
}

/** A call with its answer, as versions before kinds of content kept it. */
function olderCall(value: unknown): readonly TimelessEntry[] {
  const { tool, response } = isJsonObject(value) ? value : {}
  if (!isJsonObject(tool)) return [unknownEntry('jan', 'tool_calls', JSON.stringify(value ?? null))]
  const asked = isJsonObject(tool.function) ? tool.function : {}
  const id = textIn(tool.id)
  const name = textIn(asked.name) ?? 'tool'
  const call: TimelessEntry = {
    from: 'jan',
    to: name,
    content: jsonText(asked.arguments),
    entry_type: 'tool_call',
    ...(id === undefined ? {} : { tool_call_id: id }),
  }
  if (response == null) return [call]
  return [call, withFields(resultEntry(name, id, outputTexts(response)), errorIn(response))]
}

function toolResult(id: unknown, parts: readonly unknown[]): TimelessEntry {
  const texts = parts.map((part) => (isJsonObject(part) ? valueIn(part) : jsonText(part)))
  return resultEntry('tool', textIn(id), texts.join('\n'))
}

function resultEntry(name: string, id: string | undefined, content: string): TimelessEntry {
  return {
    from: name,
    to: 'jan',
    content,
    entry_type: 'tool_result',
    ...(id === undefined ? {} : { tool_call_id: id }),
  }
}

/** Texts of an output, else its JSON: what is no text is searched and shown all the same. */
function outputTexts(output: unknown): string {
  const content = isJsonObject(output) ? output.content : output
  if (!Array.isArray(content)) return jsonText(output)
  const texts = content.flatMap((part: unknown) =>
    isJsonObject(part) && part.type === 'text' && typeof part.text === 'string' ? part.text : [],
  )
  return texts.length === 0 ? jsonText(output) : texts.join('\n')
}

function errorIn(output: unknown): Fields {
  const isError =
    isJsonObject(output) && (textIn(output.error) !== undefined || output.isError === true)
  return isError ? { is_error: true } : {}
}

function imageIn({ type, image_url: image }: JsonObject): string | undefined {
  if (type !== 'image_url') return undefined
  return textIn(isJsonObject(image) ? image.url : image)
}
