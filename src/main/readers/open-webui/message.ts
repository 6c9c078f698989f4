import { isJsonObject, type JsonObject } from '../../../shared/model/basics/json-object'
import type { AnswerUsage } from '../../../shared/model/run/usage'
import { providerUsage } from '../common/content/provider-usage'
import {
  type Fields,
  jsonText,
  rawFieldsOf,
  type TimelessEntry,
  textIn,
  unknownEntry,
  withFields,
} from '../common/drafts'
import { type WebuiPart, webuiParts } from './details'
import { outputParts } from './output'

/** Fields of a message that are told as entries, or that only hold the tree and the screen together. */
const knownFields: ReadonlySet<string> = new Set([
  ...['id', 'parentId', 'childrenIds', 'role', 'content', 'timestamp', 'model', 'output', 'files'],
  ...['usage', 'error', 'done', 'info', 'user_id', 'user', 'lastSentence', 'originalContent'],
  ...['models', 'modelName', 'modelIdx'],
])

/** Converts a message to its entries, at least one. A message of nobody, or of somebody unknown, is kept as it is. */
export function webuiEntries(message: JsonObject): readonly TimelessEntry[] {
  const role = message.role ?? (textIn(message.model) === undefined ? undefined : 'assistant')
  if (role !== 'user' && role !== 'assistant' && role !== 'system')
    return [unknownEntry('open-webui', jsonText(role) || 'message', JSON.stringify(message))]
  const { texts, files } = contentOf(message.content)
  const text = texts.join('\n')
  const attachments = [...files, ...filesOf(message.files)]
  const fields: Fields = {
    ...(attachments.length === 0 ? {} : { attachments }),
    ...rawFieldsOf(told(message), knownFields),
  }
  if (role !== 'assistant') {
    const entry: TimelessEntry = {
      from: role,
      to: 'open-webui',
      entry_type: 'message',
      role,
      content: text,
    }
    return [withFields(entry, fields), ...errorEntries(message.error)]
  }
  const model = textIn(message.model)
  const parts = partsOf(text, message.output)
  const entries = parts.flatMap((part) => partEntries(part, model === undefined ? {} : { model }))
  const usage = usageOf(message)
  const own: Fields = { ...fields, ...(usage === undefined ? {} : { usage }) }
  const errors = errorEntries(message.error)
  // An answer of which nothing came is told as an empty one.
  const isEmpty = entries.length === 0 && errors.length === 0
  if (isEmpty)
    entries.push(...partEntries({ type: 'words', text: '' }, model === undefined ? {} : { model }))
  return withFirst([...entries, ...errors], own)
}

/** The items count where they say what the text says; a person may have changed the text since. */
function partsOf(text: string, output: unknown): readonly WebuiPart[] {
  const inText = webuiParts(text)
  const items = outputParts(output)
  if (items === undefined) return inText
  const words = (parts: readonly WebuiPart[]) =>
    parts
      .flatMap((part) => (part.type === 'words' ? [part.text] : []))
      .join(' ')
      .replace(/\s+/g, ' ')
  if (words(inText) === words(items)) return items
  const others = items.filter(({ type }) => type !== 'words')
  return inText.some(({ type }) => type !== 'words') ? inText : [...others, ...inText]
}

function partEntries(part: WebuiPart, model: Fields): TimelessEntry[] {
  if (part.type !== 'call') {
    const said = { from: 'open-webui', to: 'user', content: part.text }
    const entry: TimelessEntry =
      part.type === 'words'
        ? { ...said, entry_type: 'message', role: 'agent' }
        : { ...said, entry_type: 'reasoning' }
    return [withFields(entry, model)]
  }
  const { id, name, input, result } = part
  const known = id === undefined ? {} : { tool_call_id: id }
  const call = { from: 'open-webui', to: name, content: input, entry_type: 'tool_call', ...known }
  if (result === undefined) return [withFields(call, model)]
  const answer = {
    from: name,
    to: 'open-webui',
    content: result,
    entry_type: 'tool_result',
    ...known,
  }
  return [withFields(call, model), answer]
}

interface Content {
  readonly texts: readonly string[]
  readonly files: readonly Fields[]
}

function contentOf(content: unknown): Content {
  if (!Array.isArray(content)) return { texts: [jsonText(content)], files: [] }
  const texts: string[] = []
  const files: Fields[] = []
  for (const part of content) {
    if (isJsonObject(part) && part.type === 'image_url')
      files.push({ filename: 'image', kind: 'image' })
    else if (isJsonObject(part) && typeof part.text === 'string') texts.push(part.text)
    else texts.push(jsonText(part))
  }
  return { texts, files }
}

/** Names of what came with a message. Its content is in the original line. */
function filesOf(files: unknown): readonly Fields[] {
  return (Array.isArray(files) ? files : []).flatMap((file: unknown) => {
    if (!isJsonObject(file)) return []
    const inner = isJsonObject(file.file) ? file.file : {}
    const name =
      textIn(file.name) ?? textIn(inner.filename) ?? textIn(inner.name) ?? textIn(file.type)
    const type = textIn(file.content_type)
    return [
      {
        filename: name ?? 'file',
        ...(type === undefined ? {} : { mime_type: type }),
        ...(textIn(file.type) === undefined ? {} : { kind: file.type }),
        ...(textIn(file.id) === undefined ? {} : { id: file.id }),
      },
    ]
  })
}

function errorEntries(error: unknown): readonly TimelessEntry[] {
  const text = isJsonObject(error)
    ? jsonText(error.content ?? error.message ?? error)
    : jsonText(error)
  if (error == null || error === false || error === true || text === '') return []
  return [
    {
      from: 'open-webui',
      to: 'user',
      content: text,
      entry_type: 'message',
      role: 'system',
      metadata: { raw_type: 'error' },
    },
  ]
}

function usageOf({ usage, info }: JsonObject): AnswerUsage | undefined {
  return providerUsage(isJsonObject(usage) ? usage : isJsonObject(info) ? info.usage : undefined)
}

/** Without what is empty, which the program writes for everything. */
function told(message: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(message).filter(([, value]) => !Array.isArray(value) || value.length > 0),
  )
}

/** On the first words, else on the first entry. */
function withFirst(entries: readonly TimelessEntry[], fields: Fields): readonly TimelessEntry[] {
  const words = entries.findIndex(({ role }) => role === 'agent')
  const bearer = Math.max(words, 0)
  return entries.map((entry, at) => (at === bearer ? withFields(entry, fields) : entry))
}
