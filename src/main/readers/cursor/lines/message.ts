import { isJsonObject, type JsonObject } from '../../../../shared/model/basics/json-object'
import {
  type Fields,
  jsonText,
  type TimelessEntry,
  textIn,
  unknownEntry,
} from '../../common/drafts'
import {
  answerEntry,
  cursorCall,
  cursorNotice,
  cursorResult,
  personEntries,
  thoughtEntry,
  withBearer,
} from './entries'
import { pictureUrl } from './pictures'

/** A place in which Cursor leaves out what the model thought. */
const redacted = /(?:^|\n)\s*\[REDACTED\]\s*$/

/**
 * Converts a message of the command line's store, or of a transcript, to entries; none where it says nothing.
 *
 * @param content a text, or a list of parts
 */
export function cursorMessage(role: string, content: unknown): readonly TimelessEntry[] {
  const parts = Array.isArray(content) ? content : [{ type: 'text', text: content }]
  const objects = parts.map(
    (part): JsonObject => (isJsonObject(part) ? part : { type: 'text', text: part }),
  )
  const entries = objects.flatMap((part) => partEntries(role, part))
  const files = filesIn(objects)
  if (entries.length > 0 || Object.keys(files).length === 0) return withBearer(entries, files)
  return withBearer(role === 'user' ? personEntries('') : [answerEntry('')], files)
}

function partEntries(role: string, part: JsonObject): readonly TimelessEntry[] {
  switch (part.type) {
    case 'text':
      return textEntries(role, jsonText(part.text))
    case 'reasoning':
    case 'thinking': {
      const text = textIn(part.text) ?? textIn(part.thinking)
      return text === undefined ? [] : [thoughtEntry(text)]
    }
    case 'redacted-reasoning':
    case 'redacted_thinking':
      return [{ ...thoughtEntry(''), metadata: { raw_type: part.type } }]
    case 'tool-call':
    case 'tool_use': {
      const name = textIn(part.toolName) ?? textIn(part.name) ?? 'tool'
      const id = textIn(part.toolCallId) ?? textIn(part.id)
      return [cursorCall(name, id, part.args ?? part.input)]
    }
    case 'tool-result':
    case 'tool_result': {
      const id = textIn(part.toolCallId) ?? textIn(part.tool_use_id)
      const content = part.result ?? part.output ?? part.content
      const isError = part.isError === true || part.is_error === true
      return [cursorResult(textIn(part.toolName) ?? 'tool', id, resultText(content), isError)]
    }
    case 'image':
    case 'file':
      return []
    default:
      return [unknownEntry('cursor', jsonText(part.type), JSON.stringify(part))]
  }
}

function textEntries(role: string, text: string): readonly TimelessEntry[] {
  if (text.trim() === '') return []
  switch (role) {
    case 'user':
      return personEntries(text)
    case 'assistant': {
      const words = text.replace(redacted, '')
      const said = words.trim() === '' ? [] : [answerEntry(words)]
      return words === text ? said : [...said, thoughtEntry('[REDACTED]')]
    }
    case 'system':
      return [cursorNotice(text, 'system')]
    case 'tool':
      return [cursorResult('tool', undefined, text, false)]
    default:
      return [unknownEntry('cursor', role, text)]
  }
}

/** A result may itself be a list of texts. */
function resultText(content: unknown): string {
  if (!Array.isArray(content)) return jsonText(content)
  const texts = content.map((part) =>
    isJsonObject(part) && part.type === 'text' ? textIn(part.text) : undefined,
  )
  return texts.every((text) => text !== undefined) ? texts.join('\n') : JSON.stringify(content)
}

/** Pictures with their bytes, and files by name and kind. */
function filesIn(parts: readonly JsonObject[]): Fields {
  const images = parts.filter(isPicture).map(fileFields)
  const attachments = parts
    .filter((part) => part.type === 'file' && !isPicture(part))
    .map(fileFields)
  return {
    ...(images.length === 0 ? {} : { images }),
    ...(attachments.length === 0 ? {} : { attachments }),
  }
}

function isPicture({ type, mimeType, mediaType }: JsonObject): boolean {
  const kind = textIn(mediaType) ?? textIn(mimeType) ?? ''
  return type === 'image' || (type === 'file' && kind.startsWith('image/'))
}

function fileFields(part: JsonObject): Fields {
  const name = textIn(part.filename)
  const type = textIn(part.mimeType) ?? textIn(part.mediaType)
  const url = isPicture(part) ? pictureUrl(part.image ?? part.data, type) : undefined
  return {
    ...(name === undefined ? {} : { name }),
    ...(type === undefined ? {} : { type }),
    ...(url === undefined ? {} : { url }),
  }
}
