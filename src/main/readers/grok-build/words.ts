import { isJsonObject, type JsonObject } from '../../../shared/model/basics/json-object'
import { attachmentFields } from '../common/content/attached'
import { jsonText, type TimelessEntry, textIn, withFields } from '../common/drafts'

/** Converts joined words to an entry: of a person, or of the model, aloud or to itself. */
export function grokWordsEntry(words: JsonObject, model: string | undefined): TimelessEntry {
  const content = jsonText(words.text)
  const files = grokFiles(Array.isArray(words.parts) ? words.parts : [])
  if (words.by === 'user') {
    const from = { from: 'user', to: 'grok-build', entry_type: 'message', role: 'user' } as const
    return withFields({ ...from, content }, files)
  }
  const from = { from: 'grok-build', to: 'user', content }
  const named = model === undefined ? {} : { model }
  return words.by === 'thought'
    ? withFields({ ...from, entry_type: 'reasoning' }, named)
    : withFields({ ...from, entry_type: 'message', role: 'agent' }, { ...named, ...files })
}

/** Pictures have their bytes; other parts are files by their address, and are kept as they are. */
export function grokFiles(parts: readonly unknown[]) {
  const images: { url: string }[] = []
  const others: unknown[] = []
  for (const part of parts) {
    const { type, data, mimeType } = isJsonObject(part) ? part : {}
    const kind = textIn(mimeType) ?? 'image/png'
    if (type === 'image' && typeof data === 'string')
      images.push({ url: `data:${kind};base64,${data}` })
    else others.push(part)
  }
  return attachmentFields({ images, others })
}
