import type { Entry, EntryId } from '../../../shared/model/conversation/entry'
import { copyAttachments, findImage, type ImageOwner } from '../../store/texts/attachments'
import type { ChatMessage } from '../chat/provider'

/** Images by the id of their entry, as data URLs. */
export type ImagesOf = ReadonlyMap<EntryId, readonly string[]>

/**
 * A function that reads an image file of the context as a data URL; undefined where there is none, or none that can
 * be sent.
 */
export type ReadImage = (name: string) => Promise<string | undefined>

const dataUrl = /^data:image\/[a-z0-9.+-]+;base64,/i

/**
 * Reads the images that entries hold in `metadata.images`: data URLs, bare or as a `url`, and files in the context's
 * folder by name. Web addresses are left out: nothing is fetched.
 */
export async function readEntryImages(
  window: readonly Entry[],
  readImage: ReadImage | undefined,
): Promise<ImagesOf> {
  const found = new Map<EntryId, readonly string[]>()
  for (const { id, metadata } of window) {
    const images = metadata?.images
    if (images === undefined) continue
    const urls: string[] = []
    for (const image of Array.isArray(images) ? images : [images]) {
      const name = nameOf(image)
      if (name === undefined) continue
      const url = dataUrl.test(name) ? name : await readImage?.(name)
      if (url !== undefined) urls.push(url)
    }
    if (urls.length > 0) found.set(id, urls)
  }
  return found
}

/**
 * Returns a reader of the images that messages of ours name by their digest; it copies an image of another context
 * of the home, as after a branch, into this one's folder. Any other name goes to `others`. Never rejects for an
 * image of ours.
 */
export function keptImageReader(
  place: ImageOwner,
  others: ReadImage,
  note: (words: string) => void,
): ReadImage {
  const failed = (words: string) => (error: unknown) =>
    note(`${place.context}: ${words}: ${error instanceof Error ? error.message : String(error)}`)
  return async (name) => {
    const found = await findImage(place, name).catch(failed('an image was not read'))
    if (!found) return others(name)
    // The request has it whether or not the copy can be made.
    await copyAttachments(place, [name]).catch(failed('an image was not copied here'))
    return `data:${found.type.mime};base64,${Buffer.from(found.bytes).toString('base64')}`
  }
}

function nameOf(image: unknown): string | undefined {
  if (typeof image === 'string') return image
  if (typeof image !== 'object' || image === null) return undefined
  const { url, file } = image as { readonly url?: unknown; readonly file?: unknown }
  return [url, file].find((one): one is string => typeof one === 'string')
}

/** Replaces the images of messages by `(an image)`, for a model that takes none; undefined where there are none. */
export function withoutImages(
  messages: readonly ChatMessage[],
): readonly ChatMessage[] | undefined {
  if (!messages.some((message) => 'images' in message)) return undefined
  return messages.map((message) => {
    if (!('images' in message)) return message
    const { role, content, images } = message
    const words = [content, ...images.map(() => '(an image)')]
    return { role, content: words.filter((text) => text !== '').join('\n') }
  })
}
