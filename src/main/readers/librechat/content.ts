import { isJsonObject, type JsonObject } from '../../../shared/model/basics/json-object'
import { jsonText, type TimelessEntry, textIn, unknownEntry } from '../common/drafts'

const answer = { from: 'librechat', to: 'user' } as const

/** Converts the parts of a message's content to entries, in their order; `words` makes those of a text. */
export function librechatParts(
  content: readonly unknown[],
  words: (text: string) => TimelessEntry,
): readonly TimelessEntry[] {
  return content.flatMap((part) => (part == null ? [] : entriesOfPart(part, words)))
}

function entriesOfPart(
  part: unknown,
  words: (text: string) => TimelessEntry,
): readonly TimelessEntry[] {
  if (typeof part === 'string') return [words(part)]
  if (!isJsonObject(part)) return [unknownEntry('librechat', 'part', JSON.stringify(part))]
  switch (part.type) {
    case 'text':
      return [words(textOf(part.text))]
    case 'think':
      return [{ ...answer, content: textOf(part.think), entry_type: 'reasoning' }]
    case 'tool_call':
      return isJsonObject(part.tool_call) ? callEntries(part.tool_call) : [unknownPart(part)]
    case 'error':
      return [errorEntry(textOf(part.text ?? part.error))]
    case 'image_file':
    case 'image_url':
      return [{ ...words(''), metadata: imageFields(part) }]
    case 'agent_update':
      return []
    default:
      return [unknownPart(part)]
  }
}

/** Makes the entry of a failure. */
export function errorEntry(content: string): TimelessEntry {
  const metadata = { raw_type: 'error' }
  return { ...answer, content, entry_type: 'message', role: 'system', metadata }
}

/** The text of a part, which some versions wrap. */
function textOf(text: unknown): string {
  if (isJsonObject(text)) return jsonText(text.value ?? text.text ?? text)
  return jsonText(text)
}

function unknownPart(part: JsonObject): TimelessEntry {
  return unknownEntry('librechat', jsonText(part.type) || 'part', JSON.stringify(part))
}

/** A call, and its result once there is one; calls of the Assistants API have them in a member of their own. */
function callEntries(call: JsonObject): readonly TimelessEntry[] {
  const inner = [call.function, call.code_interpreter, call.retrieval].find(isJsonObject) ?? {}
  const id = textIn(call.id)
  const named = id === undefined ? {} : { tool_call_id: id }
  const to = textIn(call.name) ?? textIn(inner.name) ?? textIn(call.type) ?? 'tool'
  const args = call.args ?? inner.arguments ?? inner.input
  const made = { from: 'librechat', to, content: jsonText(args), entry_type: 'tool_call', ...named }
  const output = call.output ?? inner.output ?? inner.outputs
  if (output === undefined || output === null || output === '') return [made]
  const from = { from: to, to: 'librechat', entry_type: 'tool_result', ...named }
  return [made, { ...from, content: jsonText(output) }]
}

/** The bytes of a picture are not in the export: it names the file on the server. */
function imageFields(part: JsonObject): JsonObject {
  const { image_file: file, image_url: image } = part
  const url = isJsonObject(image) ? image.url : image
  if (typeof url === 'string' && url.startsWith('data:image/')) return { images: [{ url }] }
  return { attachments: [isJsonObject(file) ? file : part] }
}
