import { pixelSizeOf } from '../../../shared/model/basics/pixels'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type { Entry } from '../../../shared/model/conversation/entry'
import {
  base64InUrl,
  drawingFault,
  type ImageType,
  imageLimits,
  imageTypeOf,
  KeptImage,
  sourceImage,
} from '../../../shared/model/conversation/images'
import type { Disk } from '../../disk/interface/disk'
import type { HistoryReader, SourceRef } from '../../readers/common/reader'
import { findImage, type ImageOwner } from '../../store/texts/attachments'
import type { Histories } from '../sources/histories'
import type { Transcripts } from '../sources/library-transcripts'

/** An image that may be shown: of a kind without scripts, and of a size that can be drawn. */
interface SafeImage {
  readonly type: ImageType
  readonly bytes: Uint8Array
}

/** Place of an image in a conversation. */
export interface ImagePlace {
  /** The file and byte of the entry's line. */
  readonly file: string
  readonly offset: number
  readonly entry: string
  /** Its number among the entry's images, from 0. */
  readonly at: number
}

/** Rows of a line's neighbourhood in which the entry is. */
const rowsAround = 40

/**
 * Reads an image of an entry: from the conversation itself, or from the export that it came with, never from anywhere else. Undefined
 * where it is not there, is of another kind than PNG, JPEG, GIF and WebP, or too large.
 *
 * @throws AppError `not-found`, `unreadable` the conversation
 */
export async function findEntryImage(
  deps: {
    readonly disk: Disk
    readonly transcripts: Pick<Transcripts, 'page'>
    readonly histories: Pick<Histories, 'now'>
  },
  key: LibraryKey,
  { file, offset, entry: id, at }: ImagePlace,
): Promise<SafeImage | undefined> {
  const { rows } = await deps.transcripts.page(key, { around: { file, offset } }, rowsAround)
  const row = rows.find((one) => one.type === 'entry' && one.entry.id === id)
  const image = row?.type === 'entry' ? imagesOf(row.entry)[at] : undefined
  if (image === undefined) return undefined
  const { asset, url } = sourceImage(image)
  if (asset === undefined) return inUrl(url)
  const history = await deps.histories.now(key)
  return history === undefined ? undefined : readAsset(deps.disk, history, asset)
}

/**
 * Returns an entry whose images have their bytes in their addresses, as far as they can be shown; those of an export are read from it.
 */
export async function withImageBytes(
  disk: Disk,
  of: { readonly reader: HistoryReader; readonly ref: SourceRef },
  entry: Entry,
): Promise<Entry> {
  const images = imagesOf(entry)
  if (images.length === 0) return entry
  const read: unknown[] = []
  for (const image of images) {
    const { asset } = sourceImage(image)
    const found = asset === undefined ? undefined : await readAsset(disk, of, asset)
    const fields = typeof image === 'object' && image !== null ? image : {}
    read.push(found === undefined ? image : { ...fields, url: urlOf(found) })
  }
  return { ...entry, metadata: { ...entry.metadata, images: read } }
}

/**
 * Makes a function that returns an entry whose images have their bytes in their addresses, as far as these lie in the context's
 * folder, or in another one of its home. They keep everything else that is told of them.
 *
 * @throws DiskError; of the function
 */
export function withKeptImages(owner: ImageOwner): (entry: Entry) => Promise<Entry> {
  return async (entry) => {
    const images = imagesOf(entry)
    if (images.length === 0) return entry
    const read: unknown[] = []
    for (const image of images) {
      const { data } = KeptImage.safeParse(image)
      const bytes = data === undefined ? undefined : await findImage(owner, data.file)
      const found = bytes === undefined ? undefined : safeImage(bytes.bytes)
      read.push(found === undefined ? image : { ...(image as object), url: urlOf(found) })
    }
    return { ...entry, metadata: { ...entry.metadata, images: read } }
  }
}

function imagesOf({ metadata }: Entry): readonly unknown[] {
  return Array.isArray(metadata?.images) ? metadata.images : []
}

function urlOf({ type, bytes }: SafeImage): string {
  return `data:${type.mime};base64,${Buffer.from(bytes).toString('base64')}`
}

async function readAsset(
  disk: Disk,
  { reader, ref }: { readonly reader: HistoryReader; readonly ref: SourceRef },
  asset: string,
): Promise<SafeImage | undefined> {
  const bytes = await reader.readAsset?.(ref, asset, disk, imageLimits.totalBytes)
  return bytes === undefined ? undefined : safeImage(bytes)
}

function inUrl(url: string | undefined): SafeImage | undefined {
  const base64 = base64InUrl(url)
  return base64 === undefined ? undefined : safeImage(Buffer.from(base64, 'base64'))
}

/** Returns bytes as an image that may be shown; undefined for everything else, also where its size cannot be read. */
export function safeImage(bytes: Uint8Array): SafeImage | undefined {
  const type = imageTypeOf(bytes)
  const size = type === undefined ? undefined : pixelSizeOf(bytes)
  if (type === undefined || size === undefined) return undefined
  return drawingFault(size) === undefined ? { type, bytes } : undefined
}
