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

/** Place of a picture in a text. Positions are in UTF-16 units; each end is behind the last one. */
export interface PlacedPicture {
  readonly type: ImageType
  readonly base64: string
  /** Where its Base64 is. */
  readonly from: number
  readonly to: number
  /** What its note stands for: its Base64 with the data address and the image of Markdown around it. */
  readonly around: { readonly from: number; readonly to: number }
  /** What Markdown says in its place, and its title; may be empty. */
  readonly alt: string
  readonly title: string
}

/** How pictures of each type begin, as Base64; JSON may escape the slashes. */
const beginnings = ['iVBORw0KGgo', '/9j/', '/9j\\/', 'R0lGOD', 'UklGR'] as const
/** Shortest Base64 that is taken for a picture, in characters: the smallest there are have 90. */
const shortest = 80

/**
 * Takes pictures out of a text: Base64 that begins as PNG, JPEG, GIF or WebP, by itself, in a data address, in an image of
 * Markdown or in JSON. In its place stands a note such as `[picture 1: A chart, PNG, 212 KB]`. Undefined for a text without
 * any. One pass; a text without such a beginning is only searched for it. @param placed those to take; else all
 */
export function takePictures(
  text: string,
  placed: readonly PlacedPicture[] = placedPictures(text),
): TextWithPictures | undefined {
  if (placed.length === 0) return undefined
  const pictures: PictureInText[] = []
  const kept: string[] = []
  let from = 0
  for (const { type, base64, around, alt, title } of placed) {
    const bytes = Math.floor((base64.replace(/=+$/, '').length * 3) / 4)
    const number = pictures.length + 1
    pictures.push({ type, base64, bytes, name: alt === '' ? `picture ${number}` : alt })
    const words = [alt, title, type.ending.toUpperCase(), formatByteSize(bytes)]
    const note = words.filter((word) => word !== '').join(', ')
    kept.push(text.slice(from, around.from), `[picture ${number}: ${note}]`)
    from = around.to
  }
  return { text: [...kept, text.slice(from)].join(''), pictures }
}

/** Finds the pictures of a text that `takePictures` takes, in their order. */
export function placedPictures(text: string): readonly PlacedPicture[] {
  if (!beginnings.some((beginning) => text.includes(beginning))) return []
  const finder = /iVBORw0KGgo|\\?\/9j\\?\/|R0lGOD|UklGR/g
  const placed: PlacedPicture[] = []
  let last = 0
  for (let match = finder.exec(text); match !== null; match = finder.exec(text)) {
    const from = match.index
    const to = endOfBase64(text, from)
    // What is inside of other Base64 begins nothing.
    finder.lastIndex = Math.max(to, from + 1)
    if (to - from < shortest || (from > last && isBase64(text.charCodeAt(from - 1)))) continue
    if (goesOn(text, to)) continue
    const base64 = text.slice(from, to).replaceAll('\\', '')
    const type = imageTypeInBase64(base64)
    if (type === undefined) continue
    const place = { type, base64, from, to, ...surroundings(text, last, from, to) }
    placed.push(place)
    last = place.around.to
    finder.lastIndex = Math.max(finder.lastIndex, last)
  }
  return placed
}

/** Returns true for Base64 that is wrapped: what is on its first line is no whole picture. */
function goesOn(text: string, end: number): boolean {
  if (text.charCodeAt(end - 1) === equals) return false
  const lineEnd = /^(?:\r?\n|\\r\\n|\\n)/.exec(text.slice(end, end + 4))?.[0]
  if (lineEnd === undefined) return false
  const next = end + lineEnd.length
  const nextEnd = endOfBase64(text, next)
  return nextEnd > next && /^(?:$|[\r\n"]|\\[rn])/.test(text.slice(nextEnd, nextEnd + 2))
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
  last: number,
  from: number,
  to: number,
): Pick<PlacedPicture, 'around' | 'alt' | 'title'> {
  const before = text.slice(Math.max(last, from - 400), from)
  const head = /data:image\\?\/[\w.+-]{1,40};base64,$/i.exec(before)?.[0]
  if (head === undefined) return { around: { from, to }, alt: '', title: '' }
  const image = /!\[([^[\]\n]{0,200})\]\(\s{0,9}$/.exec(before.slice(0, -head.length))
  const close =
    /^(?:\s{1,9}(?:"([^"\n]{0,200})"|'([^'\n]{0,200})'|\(([^()\n]{0,200})\)))?\s{0,9}\)/.exec(
      text.slice(to, to + 250),
    )
  if (image === null || close === null)
    return { around: { from: from - head.length, to }, alt: '', title: '' }
  return {
    around: { from: from - head.length - image[0].length, to: to + close[0].length },
    alt: (image[1] ?? '').trim(),
    title: (close[1] ?? close[2] ?? close[3] ?? '').trim(),
  }
}
