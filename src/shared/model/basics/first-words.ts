const wordsLength = 80

/** Returns a text's first words on one line, at most `length` characters, with an ellipsis where they are cut. */
export function firstWords(text: string, length = wordsLength): string {
  // Enough for `length` characters also when many are white space; the rest is not read.
  const spaced = text.slice(0, length * 8).replace(/\s+/g, ' ')
  const line = withoutLoneSurrogates(spaced).trim()
  if (line.length <= length && text.length <= length * 2) return line
  // Joined anew: a slice would keep the whole text in memory.
  // Two units a character at most, and one more character shows that there are more.
  const characters = Array.from(line.slice(0, 2 * (length + 1)))
  if (characters.length <= length) return characters.join('')
  return `${characters
    .slice(0, length - 1)
    .join('')
    .trimEnd()}…`
}

/** Few texts have surrogates at all, and looking for lone ones takes longer than all the rest. */
function withoutLoneSurrogates(text: string): string {
  return /[\ud800-\udfff]/.test(text) ? text.replace(/\p{Surrogate}/gu, '') : text
}
