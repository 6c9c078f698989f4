/** A text that is too long to be shown at once. */
export interface CutText {
  readonly shown: string
  /** Lines of the whole text. */
  readonly lines: number
  readonly shownLines: number
  readonly isCut: boolean
}

/** The first lines of a text, within bounds of lines and of characters; a cut never splits a surrogate pair. */
export function cutText(text: string, maxLines: number, maxCharacters: number): CutText {
  const lines = countTextLines(text)
  let end = lines <= maxLines ? text.length : indexOfLine(text, maxLines)
  if (end > maxCharacters) {
    end = maxCharacters
    const code = text.charCodeAt(end - 1)
    if (code >= 0xd800 && code <= 0xdbff) end--
  }
  const shown = text.slice(0, end)
  return { shown, lines, shownLines: countTextLines(shown), isCut: end < text.length }
}

/** Lines of a text; a final line feed ends the last one. */
export function countTextLines(text: string): number {
  if (text === '') return 0
  let lines = 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++
  return text.endsWith('\n') ? lines - 1 : lines
}

/** Pieces of whole lines, for texts that are laid out piece by piece; a single long line is one piece. */
export function linePieces(text: string, linesEach: number): readonly string[] {
  const parts: string[] = []
  let start = 0
  while (start < text.length) {
    const rest = indexOfLine(text, linesEach, start)
    // The line feed between two pieces is drawn by their being blocks.
    parts.push(text.slice(start, rest === text.length ? rest : rest - 1))
    start = rest
  }
  return parts
}

/** Where the line after `lines` lines begins; the text's end when there is none. */
function indexOfLine(text: string, lines: number, from = 0): number {
  let at = from
  for (let line = 0; line < lines; line++) {
    const next = text.indexOf('\n', at)
    if (next < 0) return text.length
    at = next + 1
  }
  return at
}
