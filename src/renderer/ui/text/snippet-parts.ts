/** Part of a snippet: plain text, or a highlight. */
export interface SnippetPart {
  readonly text: string
  readonly isMarked: boolean
}

/**
 * Splits a snippet at its highlights, and cuts its beginning so that the first one is visible on a line.
 *
 * @param units about as many characters as fit before the first mark; wide ones count twice
 */
export function snippetParts(
  snippet: string,
  ranges: readonly (readonly [number, number])[],
  units: number,
): readonly SnippetPart[] {
  const marks = ranges.filter(([start, end]) => start < end && end <= snippet.length)
  const start = cutBefore(snippet, marks[0]?.[0] ?? 0, units)
  const parts: SnippetPart[] = []
  let at = start
  for (const [from, to] of marks) {
    if (from < at) continue
    if (from > at) parts.push({ text: snippet.slice(at, from), isMarked: false })
    parts.push({ text: snippet.slice(from, to), isMarked: true })
    at = to
  }
  if (at < snippet.length) parts.push({ text: snippet.slice(at), isMarked: false })
  const [first, ...rest] = parts
  return start === 0 || first === undefined
    ? parts
    : first.isMarked
      ? [{ text: '…', isMarked: false }, ...parts]
      : [{ ...first, text: `…${first.text}` }, ...rest]
}

/** Returns the start of the visible part: at a word, if one begins soon enough, and never within a surrogate pair. */
function cutBefore(snippet: string, mark: number, units: number): number {
  let width = 0
  let at = mark
  while (at > 0 && width < units) width += isWide(snippet.charCodeAt(--at)) ? 2 : 1
  if (at <= 1) return 0
  const code = snippet.charCodeAt(at)
  if (code >= 0xdc00 && code <= 0xdfff) at++
  // One unit earlier, so that a word that begins just here is found.
  const word = snippet.slice(at - 1, mark).search(/\s\S/)
  return word >= 0 && word < (mark - at) / 2 ? at + word : at
}

/** Han, kana, Hangul and full-width forms. */
function isWide(code: number): boolean {
  return (code >= 0x1100 && code <= 0x115f) || (code >= 0x2e80 && code <= 0xd7ff) || code >= 0xf900
}
