/** Part of a preview. */
export interface PreviewPart {
  /** Where it begins, in UTF-16 units. */
  readonly at: number
  readonly words: string
  /** It stands in the place of a secret. */
  readonly isRedacted: boolean
}

/** What replaces secrets, also as Markdown escapes it. */
const redacted = /\\?\[redacted: [^\]\\#]{1,60}\\?#\d+\\?\]/g

/** Splits a text at the words that stand in the place of secrets. */
export function redactedParts(text: string): readonly PreviewPart[] {
  const parts: PreviewPart[] = []
  let done = 0
  for (const { 0: words, index } of text.matchAll(redacted)) {
    if (index > done) parts.push({ at: done, words: text.slice(done, index), isRedacted: false })
    parts.push({ at: index, words, isRedacted: true })
    done = index + words.length
  }
  if (done < text.length) parts.push({ at: done, words: text.slice(done), isRedacted: false })
  return parts
}
