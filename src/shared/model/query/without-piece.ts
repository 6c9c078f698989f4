import { parseQuery } from './parse-query'
import type { QueryPiece } from './query'

/** Returns the query without one of its pieces, and without an `OR` or brackets that have nothing left to join. */
export function withoutPiece(text: string, piece: QueryPiece): string {
  const before = text.slice(0, piece.start).trimEnd()
  const after = text.slice(piece.end).trimStart()
  let rest = `${before}${before.endsWith('(') || after.startsWith(')') ? '' : ' '}${after}`
  if (!parseQuery(text).pieces.some(({ type }) => type === 'operator')) return rest.trim()
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
