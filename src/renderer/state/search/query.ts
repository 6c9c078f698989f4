import { parseQuery } from '../../../shared/model/query/parse-query'
import type { QueryPiece } from '../../../shared/model/query/query'

/** Splits a query into pieces for display. */
export function queryPieces(text: string): readonly QueryPiece[] {
  return parseQuery(text).pieces
}

/** Returns the words and phrases that hits contain, to highlight them; fields, patterns and negated pieces are left out. */
export function searchedWords(text: string): readonly string[] {
  const words = queryPieces(text)
    .filter(({ type, negated }) => (type === 'word' || type === 'phrase') && !negated)
    .map(({ value }) => value)
  return [...new Set(words)]
}
