import { escapeControls } from '../../../shared/model/basics/visible'

const longestName = 300

/**
 * Returns a name or path for one line of text: deceptive characters escaped, and one over 300 characters cut in its
 * middle.
 */
export function escapedLine(name: string): string {
  const plain = escapeControls(name)
  if (plain.length <= longestName) return plain
  return `${truncateEnd(plain, longestName / 2)}…${truncateStart(plain, longestName / 2)}`
}

/** Returns the first characters of a text, without half of a surrogate pair at the end. */
export function truncateEnd(text: string, length: number): string {
  const end = /[\ud800-\udbff]/.test(text.charAt(length - 1)) ? length - 1 : length
  return text.length <= length ? text : text.slice(0, end)
}

/** Returns the last characters of a text, without half of a surrogate pair at the beginning. */
export function truncateStart(text: string, length: number): string {
  if (text.length <= length) return text
  const begin = text.length - length
  return text.slice(/[\udc00-\udfff]/.test(text.charAt(begin)) ? begin + 1 : begin)
}
