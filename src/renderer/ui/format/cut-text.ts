/** Text that may be too long to be shown at once. */
export interface CutText {
  readonly shown: string
  /** Lines of the whole text. */
  readonly lines: number
  readonly shownLines: number
  readonly isCut: boolean
}

/** Cuts a text after a number of lines or of UTF-16 units, whichever comes first; never within a surrogate pair. */
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

/** Counts the lines of a text; a final line feed begins no new one. */
export function countTextLines(text: string): number {
  if (text === '') return 0
  let lines = 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++
  return text.endsWith('\n') ? lines - 1 : lines
}

/**
 * Splits a text into pieces of whole lines, for layout piece by piece; the line feed between two pieces is left out.
 */
export function linePieces(text: string, linesEach: number): readonly string[] {
  const parts: string[] = []
  let start = 0
  while (start < text.length) {
    const rest = indexOfLine(text, linesEach, start)
    // Pieces are blocks, which draw the line feed between them.
    parts.push(text.slice(start, rest === text.length ? rest : rest - 1))
    start = rest
  }
  return parts
}

/** Returns the start of the line after `lines` lines; the text's end without one. */
function indexOfLine(text: string, lines: number, from = 0): number {
  let at = from
  for (let line = 0; line < lines; line++) {
    const next = text.indexOf('\n', at)
    if (next < 0) return text.length
    at = next + 1
  }
  return at
}
