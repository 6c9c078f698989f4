import { wellFormed } from '../../../shared/model/basics/well-formed'

// Controls but tab and line feed, and the characters that turn the direction of text: left as they are they hide or
// reorder what is on the disk. The window shows them in the same way.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are looked for
const unseen = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g

/**
 * Text for a document: line ends as LF, controls as pictures (␛ for escape, ⟨U+202E⟩ for a right-to-left override),
 * halves of characters as U+FFFD, which UTF-8 would make of them anyway.
 */
export function documentText(text: string): string {
  return wellFormed(text.replace(/\r\n?/g, '\n').replace(unseen, picture))
}

/** Visible text on one line: for names and titles. */
export function documentLine(text: string): string {
  return documentText(text).replace(/\s+/g, ' ').trim()
}

/** `2026-11-26 14:06 UTC`, and the same for machines; undefined where there is no time, or none that a calendar has. */
export function documentTime(
  seconds: number | null,
): { readonly shown: string; readonly iso: string } | undefined {
  if (seconds === null || !(Math.abs(seconds) <= 8.64e12)) return undefined
  const iso = new Date(seconds * 1000).toISOString()
  return { shown: formatUtcMinute(iso), iso }
}

/** An ISO time as it is shown. */
export function formatUtcMinute(iso: string): string {
  return `${iso.slice(0, -8).replace('T', ' ')} UTC`
}

function picture(character: string): string {
  const code = character.charCodeAt(0)
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  if (code === 0x7f) return '\u2421'
  return `\u27e8U+${code.toString(16).toUpperCase().padStart(4, '0')}\u27e9`
}
