import {
  type PlacedPicture,
  placedPictures,
  type TextWithPictures,
  takePictures,
} from '../../../shared/model/calls/pictures-in-text'
import { type MarkdownVariant, type ParsedMarkdown, parseMarkdown } from './markdown-blocks'

/** Parse in which the code of a text was found, for the same text when it has grown. */
export interface KnownCode {
  parsed?: ParsedMarkdown
}

/**
 * Takes pictures out of a text in Markdown, as `takePictures` does; code keeps its letters. Undefined where none is taken.
 * A text with both is parsed once more, without the letters of its pictures. @param known is changed
 */
export function takeMarkdownPictures(
  text: string,
  variant: MarkdownVariant,
  known: KnownCode = {},
): TextWithPictures | undefined {
  const placed = placedPictures(text)
  if (placed.length === 0) return undefined
  if (!/`|~~~| {4}|\t/.test(text)) return takePictures(text, placed)
  const sign = freeSign(text)
  // Without a sign for them nothing is known of their places.
  if (sign === undefined) return undefined
  known.parsed = parseMarkdown(withSigns(text, placed, sign), variant, known.parsed)
  const inCode = new Set<number>()
  for (const code of codeIn(known.parsed))
    for (const piece of code.split(sign).slice(1)) inCode.add(Number.parseInt(piece, 10))
  return takePictures(
    text,
    placed.filter((_, index) => !inCode.has(index)),
  )
}

/** Writes a sign and a number in place of the Base64 of each picture, so that all around it is parsed as it stands. */
function withSigns(text: string, placed: readonly PlacedPicture[], sign: string): string {
  const parts = placed.map(
    ({ from }, index) => `${text.slice(placed[index - 1]?.to ?? 0, from)}${sign}${index};`,
  )
  return `${parts.join('')}${text.slice(placed.at(-1)?.to ?? 0)}`
}

function codeIn({ blocks }: ParsedMarkdown): readonly string[] {
  return blocks
    .flatMap(({ tokens }) => tokens.flatMap((token) => [token, ...(token.children ?? [])]))
    .filter(({ type }) => codeTokens.has(type))
    .map(({ content }) => content)
}

const codeTokens: ReadonlySet<string> = new Set(['fence', 'code_block', 'code_inline'])

/** Returns a character for private use that the text has not. */
function freeSign(text: string): string | undefined {
  for (let code = 0xe000; code <= 0xf8ff; code += 1) {
    const sign = String.fromCharCode(code)
    if (!text.includes(sign)) return sign
  }
  return undefined
}
