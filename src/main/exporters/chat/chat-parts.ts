import type { Entry } from '../../../shared/model/conversation/entry'
import { exportedText, isRecord } from '../parts/entry-kind'
import type { Exportable } from '../parts/exporter'

type Json = Readonly<Record<string, unknown>>

/** Makes the `content` of a message: the text, or a list of parts where it has images or attachments. */
export function chatContent(
  entry: Entry,
  conversation: Pick<Exportable, 'source'>,
): string | readonly unknown[] {
  const words = exportedText('openai', entry, conversation)
  const { images = [], attachments = [] } = partsIn(entry, conversation)
  if (images.length + attachments.length === 0) return words
  return [
    ...(words === '' ? [] : [{ type: 'text', text: words }]),
    ...images.map((image) => ({ type: 'image_url', image_url: image })),
    ...attachments,
  ]
}

/** Lists the keys of an entry's metadata that are written as parts, whole. */
export function keysInParts(
  entry: Entry,
  conversation: Pick<Exportable, 'source'>,
): readonly string[] {
  return Object.keys(partsIn(entry, conversation))
}

/** Images and attachments that are in OpenAI's shape, all of a list or none. */
function partsIn(
  { metadata = {} }: Entry,
  { source }: Pick<Exportable, 'source'>,
): { images?: readonly unknown[]; attachments?: readonly unknown[] } {
  const { images, attachments } = metadata
  const isPart = source === 'cycod' ? isNoText : isTypedPart
  return {
    ...(Array.isArray(images) && images.every(isImage) ? { images } : {}),
    ...(Array.isArray(attachments) && attachments.every(isPart) ? { attachments } : {}),
  }
}

function isImage(value: unknown): value is Json {
  return isRecord(value) && typeof value.url === 'string'
}

/** cycod's reader keeps parts as they stood; only a text would be taken for words. */
function isNoText(value: unknown): boolean {
  return typeof value !== 'string' && !(isRecord(value) && typeof value.text === 'string')
}

function isTypedPart(value: unknown): boolean {
  return isRecord(value) && typeof value.type === 'string' && isNoText(value)
}
