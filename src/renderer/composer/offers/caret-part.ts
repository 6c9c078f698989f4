/** Part of a message that asks for a list: a sign, and what was typed after it. */
export interface CaretPart {
  readonly sign: '/' | '@'
  readonly query: string
  /** Where the sign is, and where what was typed after it ends, in UTF-16 units of the message. */
  readonly start: number
  readonly end: number
}

/** Longest text that is compared with names; what is longer is a message. */
const longestQuery = 60

/**
 * Finds the part that asks for a list at the caret: `/` at the start of the message, or `@` at its start or behind white space, with no space
 * before the caret and no letter behind it. Undefined where there is none.
 */
export function caretPartAt(text: string, caret: number): CaretPart | undefined {
  const behind = text.charAt(caret)
  if (behind !== '' && !/\s/.test(behind)) return undefined
  const [, sign, query = ''] =
    /(?:^|\s)([/@])(\S*)$/u.exec(text.slice(Math.max(0, caret - longestQuery - 2), caret)) ?? []
  const start = caret - query.length - 1
  if (sign === undefined || query.length > longestQuery) return undefined
  if (sign === '/' && start !== 0) return undefined
  return { sign: sign === '/' ? '/' : '@', query, start, end: caret }
}
