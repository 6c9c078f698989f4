import { isJsonObject, type JsonObject } from '../../../shared/model/basics/json-object'

/** The text of a message or an output, and what came with it. */
export interface PartedText {
  /** One for each part with text, in their order. */
  readonly texts: readonly string[]
  /** As `metadata.images`. */
  readonly images: readonly { readonly url: string }[]
  /** Parts of other kinds, as they are. */
  readonly others: readonly unknown[]
}

/** Tags around a picture, in parts of their own. */
const imageTag = /^\s*<\/?image(?: [^<>]*)?>\s*$/

/** Splits `content` into text, pictures and the rest. Takes a text, a list of parts, or one part. */
export function partedText(content: unknown): PartedText {
  const texts: string[] = []
  const images: { url: string }[] = []
  const others: unknown[] = []
  for (const part of Array.isArray(content) ? content : [content]) {
    if (part === null || part === undefined) continue
    const text = textOf(part)
    const url = isJsonObject(part) ? imageUrl(part) : undefined
    if (text !== undefined) {
      if (text !== '') texts.push(text)
    } else if (url !== undefined) images.push({ url })
    else others.push(part)
  }
  const isTagged = images.length > 0
  return { texts: isTagged ? texts.filter((text) => !imageTag.test(text)) : texts, images, others }
}

/** Returns the metadata of what came with a text: nothing where nothing did. */
export function attachedFields({ images, others }: PartedText): Readonly<Record<string, unknown>> {
  return {
    ...(images.length === 0 ? {} : { images }),
    ...(others.length === 0 ? {} : { attachments: others }),
  }
}

function textOf(part: unknown): string | undefined {
  if (typeof part === 'string') return part
  return isJsonObject(part) && typeof part.text === 'string' ? part.text : undefined
}

function imageUrl({ type, image_url: url }: JsonObject): string | undefined {
  if (type !== 'input_image' && type !== 'image') return undefined
  if (typeof url === 'string') return url
  return isJsonObject(url) && typeof url.url === 'string' ? url.url : undefined
}
