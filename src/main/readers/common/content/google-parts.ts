import { isJsonObject } from '../../../../shared/model/basics/json-object'
import { jsonText, textIn } from '../drafts'

/** The text of a message, and what came with it. */
export interface MessageParts {
  readonly text: string
  /** As `metadata.images`. */
  readonly images: readonly { readonly url: string }[]
  /** Parts of other kinds, as they are. */
  readonly others: readonly unknown[]
}

/** Splits a message's content into text, pictures and the rest: a text, a part, or a list of both. */
export function partsOf(content: unknown): MessageParts {
  const texts: string[] = []
  const images: { url: string }[] = []
  const others: unknown[] = []
  for (const part of Array.isArray(content) ? content : [content]) {
    if (part === null || part === undefined) continue
    const text = typeof part === 'string' ? part : isJsonObject(part) ? part.text : undefined
    const url = isJsonObject(part) ? pictureUrl(part.inlineData) : undefined
    if (typeof text === 'string') texts.push(text)
    else if (url !== undefined) images.push({ url })
    else others.push(part)
  }
  return { text: texts.join('\n'), images, others }
}

/** Reads the `response` of a function response: its output or its error where there is nothing else, else all of it as JSON. */
export function responseText(response: Readonly<Record<string, unknown>>): string {
  const all = Object.entries(response).filter(([, value]) => value !== null && value !== '')
  const [name, value] = all[0] ?? []
  if (all.length === 0 && Object.keys(response).length > 0) return ''
  if (all.length !== 1 || (name !== 'output' && name !== 'error')) return jsonText(response)
  return textIn(value) ?? jsonText(value)
}

function pictureUrl(inline: unknown): string | undefined {
  if (!isJsonObject(inline)) return undefined
  const { mimeType, data } = inline
  if (typeof mimeType !== 'string' || typeof data !== 'string') return undefined
  return mimeType.startsWith('image/') ? `data:${mimeType};base64,${data}` : undefined
}
