/** Part of a message that asks for a list: a sign, and what was typed after it. */
export interface CaretPart {
  readonly sign: '/'
  readonly query: string
  /** Where the sign is, and where what was typed after it ends, in UTF-16 units of the message. */
  readonly start: number
  readonly end: number
}

/** Longest text that is compared with names; what is longer is a message. */
const longestQuery = 60

/**
 * Finds the part that asks for a list at the caret: `/` at the start of the message, with no space before the caret and no letter
 * behind it. Undefined where there is none.
 */
export function caretPartAt(text: string, caret: number): CaretPart | undefined {
  if (!text.startsWith('/') || caret < 1 || caret > longestQuery) return undefined
  const query = text.slice(1, caret)
  const behind = text.charAt(caret)
  if (/\s/.test(query) || (behind !== '' && !/\s/.test(behind))) return undefined
  return { sign: '/', query, start: 0, end: caret }
}
