import { isJsonObject, type JsonObject } from '../../../shared/model/basics/json-object'
import {
  type Fields,
  jsonText,
  type TimelessEntry,
  textIn,
  unknownEntry,
  withFields,
} from '../common/drafts'

/** Makes the entry of a person's words, with pictures and what they mention. */
export function personEntry(content: unknown): TimelessEntry {
  const parts = Array.isArray(content) ? content : [content]
  let words = ''
  const images: Fields[] = []
  const attachments: unknown[] = []
  for (const part of parts) {
    const [kind, value] = variantOf(part)
    if (typeof part === 'string' || kind === 'Text') words += jsonText(value)
    else if (kind === 'Image' && imageIn(value) !== undefined) images.push(imageIn(value) ?? {})
    else if (kind === 'Mention' && isJsonObject(value)) {
      const name = nameOfMention(value.uri)
      words += `@${name}`
      attachments.push({ name, ...value })
    } else attachments.push(part)
  }
  const entry: TimelessEntry = {
    from: 'user',
    to: 'zed',
    content: words,
    entry_type: 'message',
    role: 'user',
  }
  return withFields(entry, {
    ...(images.length === 0 ? {} : { images }),
    ...(attachments.length === 0 ? {} : { attachments }),
  })
}

/** Converts the content of an answer to entries, in its order: texts that follow each other are one. */
export function zedAnswerEntries(
  content: unknown,
  model: string | undefined,
): readonly TimelessEntry[] {
  const entries: TimelessEntry[] = []
  const named = model === undefined ? {} : { model }
  let words = ''
  const endWords = () => {
    if (words !== '') entries.push(withFields(zedAnswerEntry(words), named))
    words = ''
  }
  for (const part of Array.isArray(content) ? content : [content]) {
    const [kind, value] = variantOf(part)
    if (typeof part === 'string' || kind === 'Text') {
      words += jsonText(value)
      continue
    }
    endWords()
    if (kind === 'ToolUse' && isJsonObject(value))
      entries.push(withFields(zedCallEntry(value, value.raw_input), named))
    else if (kind === 'Thinking') {
      const thought = isJsonObject(value) ? value.text : value
      entries.push(withFields(zedThoughtEntry(jsonText(thought)), named))
    } else if (kind === 'RedactedThinking')
      entries.push(withFields(zedThoughtEntry(''), { ...named, raw_type: kind }))
    else entries.push(unknownEntry('zed', kind ?? 'content', JSON.stringify(part)))
  }
  endWords()
  return entries
}

/** Makes the entry of a model's words. */
export function zedAnswerEntry(content: string): TimelessEntry {
  return { from: 'zed', to: 'user', content, entry_type: 'message', role: 'agent' }
}

/** Makes the entry of a model's thoughts. */
export function zedThoughtEntry(content: string): TimelessEntry {
  return { from: 'zed', to: 'user', content, entry_type: 'reasoning' }
}

/** Makes the entry of a call. @param raw the arguments as the model wrote them, where that is kept */
export function zedCallEntry({ id, name, input }: JsonObject, raw?: unknown): TimelessEntry {
  const call = textIn(id)
  return {
    from: 'zed',
    to: textIn(name) ?? 'tool',
    content: textIn(raw) ?? jsonText(input),
    entry_type: 'tool_call',
    ...(call === undefined ? {} : { tool_call_id: call }),
  }
}

/** Makes the entry of a result; it comes from "tool" where it does not name its own. */
export function zedResultEntry(result: JsonObject, id = textIn(result.tool_use_id)): TimelessEntry {
  const texts: string[] = []
  const images: Fields[] = []
  for (const part of Array.isArray(result.content) ? result.content : [result.content]) {
    const [kind = '', value] = variantOf(part)
    const image = kind === 'source' ? imageIn(part) : imageIn(value)
    const text = isJsonObject(part) && part.type === 'text' ? part.text : value
    if (image !== undefined) images.push(image)
    else if (part != null) texts.push(jsonText(typeof text === 'string' ? text : part))
  }
  const entry: TimelessEntry = {
    from: textIn(result.tool_name) ?? 'tool',
    to: 'zed',
    content: texts.join('\n'),
    entry_type: 'tool_result',
    ...(id === undefined ? {} : { tool_call_id: id }),
  }
  return withFields(entry, {
    ...(result.is_error === true ? { is_error: true } : {}),
    ...(images.length === 0 ? {} : { images }),
  })
}

/** Returns the name and value of a variant: an object of one member, or a word alone. */
export function variantOf(value: unknown): readonly [kind: string | undefined, value: unknown] {
  if (typeof value === 'string') return [value, value]
  if (!isJsonObject(value)) return [undefined, value]
  const [[kind, inner] = [undefined, value]] = Object.entries(value)
  return [kind, inner]
}

function imageIn(image: unknown): Fields | undefined {
  const source = isJsonObject(image) ? textIn(image.source) : undefined
  return source === undefined ? undefined : { url: `data:image/png;base64,${source}` }
}

/** Returns the name of what is mentioned: its own, else the last one of its path. */
function nameOfMention(uri: unknown): string {
  const [kind = 'mention', fields] = variantOf(uri)
  if (!isJsonObject(fields)) return kind
  const place = textIn(fields.abs_path) ?? textIn(fields.path) ?? textIn(fields.file_path)
  return textIn(fields.name) ?? place?.split(/[\\/]/).at(-1) ?? textIn(fields.url) ?? kind
}
