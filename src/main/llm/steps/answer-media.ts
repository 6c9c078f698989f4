import { AppError } from '../../../shared/model/basics/errors'
import { wellFormed } from '../../../shared/model/basics/well-formed'
import type { GivenImage, KeptImage } from '../../../shared/model/conversation/images'
import type { KeptFile } from '../../store/texts/attachments'
import type { AnswerMedia } from '../chat/provider'
import type { KeepImages } from './user-message'

/** Keeps a file of an answer. @throws AppError */
export type KeepFile = (bytes: Uint8Array, ending: string) => Promise<KeptFile>

/** What an entry keeps of an answer's images, sounds and files, as metadata; {} where there were none. */
export interface MediaFacts {
  readonly images?: readonly KeptImage[]
  readonly attachments?: readonly Attached[]
}

/** A file of an answer that is no image, in the words of `metadata.attachments`. */
interface Attached {
  readonly filename: string
  readonly mime_type: string
  /** "926KB"; absent where nothing came but an address. */
  readonly size?: string
  /** Below the context's folder; absent where it could not be kept. */
  readonly file?: string
  /** Where it can be had, for what came as an address: nobody asked for it to be fetched. */
  readonly url?: string
}

/**
 * Keeps what came with an answer beside the conversation: images as those of a person, anything else as a file. What cannot
 * be kept is named all the same. Never rejects: an answer's words are not lost for its picture's sake.
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

/** What a data URL holds; undefined for an address. */
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
