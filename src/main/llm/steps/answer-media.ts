import { AppError } from '../../../shared/model/basics/errors'
import { wellFormed } from '../../../shared/model/basics/well-formed'
import type { GivenImage, KeptImage } from '../../../shared/model/conversation/images'
import type { AnswerMedia } from '../chat/provider'
import type { KeepFile } from './keep-file'
import type { KeepImages } from './user-message'

/** The metadata that an entry keeps of an answer's images, sounds and files; {} where there are none. */
export interface MediaFacts {
  readonly images?: readonly KeptImage[]
  readonly attachments?: readonly Attached[]
}

/** A file of an answer that is no image, in the form of `metadata.attachments`. */
interface Attached {
  readonly filename: string
  readonly mime_type: string
  /** "926KB"; absent where nothing came but an address. */
  readonly size?: string
  /** Below the context's folder; absent where it could not be kept. */
  readonly file?: string
  /** The address of a file that came as one: it is not fetched. */
  readonly url?: string
}

/**
 * Keeps the media of an answer in the context's folder: images as those of a user message, anything else as a file.
 * Media that cannot be kept are named all the same. Never rejects for an AppError: an answer's text is not lost
 * because of its picture.
 */
export async function keepAnswerMedia(
  media: readonly AnswerMedia[],
  keepImages: KeepImages | undefined,
  keepFile: KeepFile | undefined,
): Promise<MediaFacts> {
  const images: KeptImage[] = []
  const attachments: Attached[] = []
  for (const [index, one] of media.entries()) {
    const image = one.kind === 'image' ? await keptImage(one, index, keepImages) : undefined
    if (image === undefined) attachments.push(await attached(one, index, keepFile))
    else images.push(image)
  }
  return {
    ...(images.length === 0 ? {} : { images }),
    ...(attachments.length === 0 ? {} : { attachments }),
  }
}

async function keptImage(
  one: AnswerMedia,
  index: number,
  keepImages: KeepImages | undefined,
): Promise<KeptImage | undefined> {
  const data = bytesOf(one.url)
  if (data === undefined || keepImages === undefined) return undefined
  const given: GivenImage = { name: one.name ?? `image ${index + 1}`, bytes: data.bytes }
  return orNothing(async () => (await keepImages([given]))[0])
}

async function attached(
  one: AnswerMedia,
  index: number,
  keepFile: KeepFile | undefined,
): Promise<Attached> {
  const filename = wellFormed(one.name ?? `${one.kind} ${index + 1}`)
  const data = bytesOf(one.url)
  if (data === undefined) return { filename, mime_type: 'unknown', url: one.url.slice(0, 4000) }
  const { mime, bytes } = data
  const kept = keepFile && (await orNothing(() => keepFile(bytes, endingOf(mime))))
  return {
    filename,
    mime_type: mime,
    size: `${Math.ceil(bytes.length / 1024)}KB`,
    ...(kept === undefined ? {} : { file: kept.file }),
  }
}

async function orNothing<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}

/** Decodes a data URL; undefined for an address. */
function bytesOf(url: string): { readonly mime: string; readonly bytes: Uint8Array } | undefined {
  const head = /^data:([a-z0-9.+/-]*)(?:;[^;,]*)*?;base64,/i.exec(url.slice(0, 300))
  if (head === null) return undefined
  const mime = (head[1] ?? '').toLowerCase() || 'application/octet-stream'
  return { mime, bytes: Buffer.from(url.slice(head[0].length), 'base64') }
}

const endings: Readonly<Record<string, string>> = {
  'audio/wav': 'wav',
  'audio/mp3': 'mp3',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'ogg',
  'audio/opus': 'opus',
  'audio/flac': 'flac',
  'audio/aac': 'aac',
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'application/pdf': 'pdf',
  'text/plain': 'txt',
  'video/mp4': 'mp4',
}

/** By the type that the server names; anything that could run by itself gets an ending that nothing opens. */
function endingOf(mime: string): string {
  return endings[mime] ?? 'bin'
}
