/**
 * Controls, line ends, and characters that turn the direction of a text or are not seen: with them one text passes
 * for another.
 */
const deceptive = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

/** Escapes another party's text for a dialog: one line, with every deceptive character visible. */
export function escapeInvisible(text: string): string {
  return text.replace(deceptive, (found) => `\\u{${(found.codePointAt(0) ?? 0).toString(16)}}`)
}

/** Escapes at most so many characters of a text, and adds the number of those left out. */
export function escapeInvisibleUpTo(text: string, most: number): string {
  const characters = Array.from(text)
  if (characters.length <= most) return escapeInvisible(text)
  const rest = (characters.length - most).toLocaleString('en')
  return `${escapeInvisible(characters.slice(0, most).join(''))}… and ${rest} more characters`
}

/** Quotes a name, cut to 60 characters. */
export function quoteName(name: string): string {
  const characters = Array.from(name)
  const short = characters.length <= 60 ? name : `${characters.slice(0, 59).join('')}…`
  return `“${escapeInvisible(short)}”`
}

/** Returns the first half of a SHA-256: enough to compare by eye. */
export function shortenHash(hash: string): string {
  return `${hash.slice(0, 32)}…`
}
