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

/** Returns the query without one of its pieces, and without an `OR` or brackets that have nothing left to join. */
export function withoutPiece(text: string, piece: QueryPiece): string {
  const before = text.slice(0, piece.start).trimEnd()
  const after = text.slice(piece.end).trimStart()
  let rest = `${before}${before.endsWith('(') || after.startsWith(')') ? '' : ' '}${after}`
  if (!queryPieces(text).some(({ type }) => type === 'operator')) return rest.trim()
  for (let last = ''; rest !== last; ) {
    last = rest
    rest = rest
      .replace(/(^|\s)-?\(\s*\)(?=\s|$)/, '$1')
      .replace(/^\s*OR\s|\sOR\s*$/, ' ')
      .replace(/\(\s*OR\s/, '(')
      .replace(/\sOR\s*\)/, ')')
      .replace(/\sOR\s+OR\s/, ' OR ')
  }
  return rest.trim()
}
