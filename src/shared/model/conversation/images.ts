import { z } from 'zod'
import { pixelSizeOf } from '../basics/pixels'
import { replaceControls } from '../basics/visible'

/** Types that every provider takes, and the endings that their files have. */
const types = [
  { mime: 'image/png', ending: 'png' },
  { mime: 'image/jpeg', ending: 'jpg' },
  { mime: 'image/gif', ending: 'gif' },
  { mime: 'image/webp', ending: 'webp' },
] as const
/** Type of an image that a message may have: its MIME type and its file extension. */
export type ImageType = (typeof types)[number]

/**
 * Limits of one message's images: providers refuse more, or it costs more than anybody meant to spend. Sizes in
 * bytes.
 */
export const imageLimits = {
  count: 10,
  /** Of one image. */
  bytes: 10 * 1024 * 1024,
  /** Of all images of a message. */
  totalBytes: 30 * 1024 * 1024,
  /** Of one image: four bytes each while it is drawn. */
  pixels: 100_000_000,
} as const

/** An image as a person gives it. The name is shown to people and decides nothing. */
export interface GivenImage {
  readonly name: string
  readonly bytes: Uint8Array
}

/** An image of a message, kept in the context's folder: an element of `metadata.images`. */
export const KeptImage = z.object({
  /** Below the context's folder, with slashes: `attachments/<sha256>.png`. */
  file: z.string(),
  mime: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
  bytes: z.int().nonnegative(),
  name: z.string(),
  /** In hex. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
})
export type KeptImage = z.infer<typeof KeptImage>

/** Reads the kept images that an entry names; values of another shape are left out. */
export function keptImages(
  metadata: Readonly<Record<string, unknown>> | undefined,
): readonly KeptImage[] {
  const told = metadata?.images
  if (!Array.isArray(told)) return []
  return told.flatMap((one) => {
    const { data } = KeptImage.safeParse(one)
    return data === undefined ? [] : [data]
  })
}

/** Detects the type of an image by its first bytes. Undefined for everything else, whatever its name. */
export function imageTypeOf(bytes: Uint8Array): ImageType | undefined {
  const text = String.fromCharCode(...bytes.subarray(0, 12))
  const [png, jpeg, gif, webp] = types
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return png
  if (text.startsWith('\xff\xd8\xff')) return jpeg
  if (/^GIF8[79]a/.test(text)) return gif
  return /^RIFF[\s\S]{4}WEBP/.test(text) ? webp : undefined
}

/** Says in a sentence why images cannot go with one message; undefined where they can. */
export function imagesFault(images: readonly GivenImage[]): string | undefined {
  if (images.length > imageLimits.count)
    return `A message takes ${imageLimits.count} images at most, and these are ${images.length}.`
  for (const { name, bytes } of images) {
    const called = shownImageName(name)
    if (bytes.length > imageLimits.bytes)
      return `"${called}" is larger than ${megabytes(imageLimits.bytes)} MB.`
    if (imageTypeOf(bytes) === undefined) return `"${called}" is no PNG, JPEG, GIF or WebP image.`
    const undrawn = drawingFault(pixelSizeOf(bytes))
    if (undrawn !== undefined) return `"${called}" ${undrawn}.`
  }
  const total = images.reduce((sum, { bytes }) => sum + bytes.length, 0)
  return total > imageLimits.totalBytes
    ? `Together the images are larger than ${megabytes(imageLimits.totalBytes)} MB.`
    : undefined
}

/** Says after an image's name why drawing it is dangerous; undefined where it is not, and where its size is not known. */
export function drawingFault(size: ReturnType<typeof pixelSizeOf>): string | undefined {
  if (size === undefined) return undefined
  if (size === 'too-many-parts') return 'is cut into more parts than are looked through'
  return size.width * size.height > imageLimits.pixels
    ? `has more than ${imageLimits.pixels / 1_000_000} million pixels`
    : undefined
}

/** Longer names help nobody. In UTF-16 units. */
const longestName = 120

/** Returns an image's name for people: the part after the last slash, on one line, cut where it is too long. */
export function shownImageName(name: string): string {
  const base = name.slice(-4096).split(/[\\/]/).at(-1) ?? ''
  const line = replaceControls(base, ' ').trim()
  if (line === '') return 'image'
  return line.length > longestName ? `${line.slice(0, longestName - 1)}…` : line
}

/** Of a limit: a whole number. */
function megabytes(bytes: number): string {
  return String(bytes / 1024 / 1024)
}

/**
 * Image of an entry as the window has it, where its bytes are in the conversation itself or in the export that it came with: an element
 * of `metadata.images` without them.
 */
export const EntryImage = z.object({
  /** Its number among the entry's images, from 0. */
  at: z.int().nonnegative(),
  name: z.string(),
})
export type EntryImage = z.infer<typeof EntryImage>

/** Reads the images of an entry in the window whose bytes main has; all others are left out. */
export function entryImages(
  metadata: Readonly<Record<string, unknown>> | undefined,
): readonly EntryImage[] {
  const told = metadata?.images
  if (!Array.isArray(told)) return []
  return told.flatMap((one) => EntryImage.safeParse(one).data ?? [])
}

/** Image as a source tells it: with its bytes in its address, or with the id of its file in an export. */
const SourceImage = z.object({
  url: z.string().optional(),
  asset: z.string().optional(),
  filename: z.string().optional(),
  name: z.string().optional(),
})
type SourceImage = z.infer<typeof SourceImage>

/** Reads an element of `metadata.images` as sources have it. cycod has the address alone. */
export function sourceImage(value: unknown): SourceImage {
  return typeof value === 'string' ? { url: value } : (SourceImage.safeParse(value).data ?? {})
}

/** Returns the image's name for people; its kind where it has none. */
export function sourceImageName({ filename, name }: SourceImage): string {
  return shownImageName(filename ?? name ?? 'image')
}

/** Returns metadata whose images have no bytes, for the window; the metadata itself where none has. */
export function withoutImageBytes(
  metadata: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const { images } = metadata
  if (!Array.isArray(images)) return metadata
  const shown = images.map((one: unknown, at) => {
    const image = sourceImage(one)
    const hasBytes = image.asset !== undefined || image.url?.startsWith('data:') === true
    return hasBytes ? { at, name: sourceImageName(image) } : one
  })
  return { ...metadata, images: shown }
}

/** Longest address of an image that is decoded, in characters: that of the largest image, as Base64. */
const longestUrl = Math.ceil((imageLimits.totalBytes * 4) / 3) + 100

/** Returns the Base64 of an image that is in its own address, whatever kind that names; undefined where it has none, or too much. */
export function base64InUrl(url: string | undefined): string | undefined {
  if (url === undefined || url.length > longestUrl) return undefined
  const head = /^data:[^,]{0,200};base64,/i.exec(url.slice(0, 256))?.[0]
  return head === undefined ? undefined : url.slice(head.length)
}

const base64Letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Detects the type of an image by the first characters of its Base64; undefined for everything else. */
export function imageTypeInBase64(base64: string): ImageType | undefined {
  const sixes = [...base64.slice(0, 40).replace(/\s/g, '').slice(0, 24)].map((letter) =>
    base64Letters.indexOf(letter),
  )
  const bytes: number[] = []
  for (let at = 0; at + 3 < sixes.length; at += 4) {
    const [a = -1, b = -1, c = -1, d = -1] = sixes.slice(at, at + 4)
    if (Math.min(a, b, c, d) < 0) break
    bytes.push((a << 2) | (b >> 4), ((b & 15) << 4) | (c >> 2), ((c & 3) << 6) | d)
  }
  return imageTypeOf(Uint8Array.from(bytes))
}
