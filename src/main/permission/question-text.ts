import { escapeCharacter, escapeControls } from '../../shared/model/basics/visible'

/** Characters that are not seen either: a dialog has no room for a joiner that makes one path look like another. */
const unseen = /[\p{Cf}\p{Cs}]/gu

/** Escapes another party's text for a dialog: one line, with every deceptive character visible. */
export function escapeInvisible(text: string): string {
  return escapeControls(text).replace(unseen, escapeCharacter)
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
