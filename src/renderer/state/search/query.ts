import { parseQuery } from '../../../shared/model/query/parse-query'
import type { QueryPiece } from '../../../shared/model/query/query'
import { withoutPiece } from '../../../shared/model/query/without-piece'

/** Splits a query into pieces for display. */
export function queryPieces(text: string): readonly QueryPiece[] {
  return parseQuery(text).pieces
}

/** A switch about all words of a query. */
export type QuerySwitch = 'case' | 'words'

const switchValues = { case: 'case:yes', words: 'words:whole' } as const

/** Returns whether a switch is on in a query. */
export function hasSwitch(text: string, name: QuerySwitch): boolean {
  const { matchesCase, wantsWholeWords } = parseQuery(text)
  return name === 'case' ? matchesCase : wantsWholeWords
}

/** Returns the query with a switch turned on, or off. */
export function withSwitch(text: string, name: QuerySwitch): string {
  if (!hasSwitch(text, name)) return `${text.trimEnd()} ${switchValues[name]}`.trimStart()
  const piece = queryPieces(text).find(({ field, negated }) => field === name && !negated)
  const rest = piece === undefined ? text : withoutPiece(text, piece)
  return piece !== undefined && hasSwitch(rest, name) ? withSwitch(rest, name) : rest
}
