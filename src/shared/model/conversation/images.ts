import { z } from 'zod'
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
/** MIME types of the images that a message may have. */
export const imageMimes: readonly ImageType['mime'][] = types.map(({ mime }) => mime)

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
  }
  const total = images.reduce((sum, { bytes }) => sum + bytes.length, 0)
  return total > imageLimits.totalBytes
    ? `Together the images are larger than ${megabytes(imageLimits.totalBytes)} MB.`
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
