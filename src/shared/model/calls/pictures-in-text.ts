import { formatByteSize } from '../basics/byte-size'
import { type ImageType, imageTypeInBase64 } from '../conversation/images'

/** Picture that stands in a text as Base64. */
export interface PictureInText {
  /** As its bytes say, whatever the text calls it. */
  readonly type: ImageType
  readonly base64: string
  /** Its size in bytes. */
  readonly bytes: number
  /** Its name for people: what Markdown says of it, else its number in the text. */
  readonly name: string
}

/** Text in which the Base64 of pictures is left out. */
export interface TextWithPictures {
  readonly text: string
  readonly pictures: readonly PictureInText[]
}

/** How pictures of each type begin, as Base64. */
const beginnings = ['iVBORw0KGgo', '/9j/', 'R0lGOD', 'UklGR'] as const
/** Shortest Base64 that is taken for a picture, in characters: the smallest there are have 90. */
const shortest = 80

/**
 * Takes pictures out of a text: Base64 that begins as PNG, JPEG, GIF or WebP, by itself, in a data address, in an image of
 * Markdown or in JSON. In its place stands a note such as `[picture 1: PNG, 212 KB]`. Undefined for a text without any. One
 * pass; a text without such a beginning is only searched for it.
 */
export function takePictures(text: string): TextWithPictures | undefined {
  if (!beginnings.some((beginning) => text.includes(beginning))) return undefined
  const finder = /iVBORw0KGgo|\/9j\/|R0lGOD|UklGR/g
  const pictures: PictureInText[] = []
  const kept: string[] = []
  let from = 0
  for (let match = finder.exec(text); match !== null; match = finder.exec(text)) {
    const start = match.index
    const end = endOfBase64(text, start)
    // What is inside of other Base64 begins nothing.
    finder.lastIndex = Math.max(end, start + 1)
    if (end - start < shortest || (start > from && isBase64(text.charCodeAt(start - 1)))) continue
    const base64 = text.slice(start, end).replaceAll('\\', '')
    const type = imageTypeInBase64(base64)
    if (type === undefined) continue
    const around = surroundings(text, from, start, end)
    const bytes = Math.floor((base64.replace(/=+$/, '').length * 3) / 4)
    const number = pictures.length + 1
    const name = around.alt === '' ? `picture ${number}` : around.alt
    pictures.push({ type, base64, bytes, name })
    const note = `${type.ending.toUpperCase()}, ${formatByteSize(bytes)}`
    kept.push(text.slice(from, around.start), `[picture ${number}: ${note}]`)
    from = around.end
    finder.lastIndex = Math.max(finder.lastIndex, from)
  }
  if (pictures.length === 0) return undefined
  return { text: [...kept, text.slice(from)].join(''), pictures }
}

/** Returns where Base64 ends, with its padding; JSON may escape its slashes. */
function endOfBase64(text: string, start: number): number {
  let end = start
  for (;;) {
    const code = text.charCodeAt(end)
    if (isBase64(code)) end += 1
    else if (code === backslash && text.charCodeAt(end + 1) === slash) end += 2
    else break
  }
  while (text.charCodeAt(end) === equals) end += 1
  return end
}

const backslash = 0x5c
const slash = 0x2f
const plus = 0x2b
const equals = 0x3d

function isBase64(code: number): boolean {
  const letter = code | 0x20
  return (
    (letter >= 0x61 && letter <= 0x7a) ||
    (code >= 0x30 && code <= 0x39) ||
    code === slash ||
    code === plus
  )
}

/** Finds the head of a data address before Base64, and the image of Markdown around it. */
function surroundings(
  text: string,
  from: number,
  start: number,
  end: number,
): { readonly start: number; readonly end: number; readonly alt: string } {
  const before = text.slice(Math.max(from, start - 400), start)
  const head = /data:image\/[\w.+-]{1,40};base64,$/i.exec(before)?.[0]
  if (head === undefined) return { start, end, alt: '' }
  const image = /!\[([^[\]\n]{0,200})\]\(\s{0,9}$/.exec(before.slice(0, -head.length))
  const close = /^(?:\s{1,9}"[^"\n]{0,200}")?\s{0,9}\)/.exec(text.slice(end, end + 250))
  if (image === null || close === null) return { start: start - head.length, end, alt: '' }
  return {
    start: start - head.length - image[0].length,
    end: end + close[0].length,
    alt: (image[1] ?? '').trim(),
  }
}
