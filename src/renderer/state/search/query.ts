import { type QueryFieldName, queryFields } from '../../../shared/model/search'

/** Piece of a query, with its offsets in the text. */
export interface QueryPiece {
  readonly start: number
  readonly end: number
  readonly negated: boolean
  /** `word` is also any piece that does not parse as another type. */
  readonly type: 'word' | 'phrase' | 'field'
  readonly field: QueryFieldName | undefined
  /** The word, the text in the quotes, or the field's value. */
  readonly value: string
}

/**
 * Splits a query into pieces for display; main parses it for the search. As there, an unclosed quote and an invalid
 * date are words.
 */
export function queryPieces(text: string): readonly QueryPiece[] {
  const pieces: QueryPiece[] = []
  const blank = /\S/g
  for (let at = 0; at < text.length; ) {
    blank.lastIndex = at
    const start = blank.exec(text)?.index
    if (start === undefined) break
    const piece = pieceAt(text, start)
    pieces.push(piece)
    at = piece.end
  }
  return pieces
}

/** Returns the words and phrases that hits contain, to highlight them; fields and negated pieces are left out. */
export function searchedWords(text: string): readonly string[] {
  const words = queryPieces(text)
    .filter(({ type, negated }) => type !== 'field' && !negated)
    .map(({ value }) => value)
  return [...new Set(words)]
}

/** Returns the query without one of its pieces. */
export function withoutPiece(text: string, piece: QueryPiece): string {
  return `${text.slice(0, piece.start).trimEnd()} ${text.slice(piece.end).trimStart()}`.trim()
}

function pieceAt(text: string, start: number): QueryPiece {
  const negated = text[start] === '-' && /[^\s-]/.test(text[start + 1] ?? ' ')
  const from = negated ? start + 1 : start
  const phrase = phraseAt(text, from)
  if (phrase !== undefined && phrase.value !== '')
    return {
      start,
      end: phrase.end,
      negated,
      type: 'phrase',
      field: undefined,
      value: phrase.value,
    }
  const colon = /^([a-z]+):(?=\S)/i.exec(text.slice(from, from + 16))
  const field = queryFields.find((name) => name === colon?.[1]?.toLowerCase())
  if (colon !== null && field !== undefined) {
    const value = phraseAt(text, from + colon[0].length) ?? wordAt(text, from + colon[0].length)
    if (isValue(field, value.value))
      return { start, end: value.end, negated, type: 'field', field, value: value.value }
  }
  const word = wordAt(text, from)
  return { start, end: word.end, negated, type: 'word', field: undefined, value: word.value }
}

function isValue(field: QueryFieldName, value: string): boolean {
  if (value === '') return false
  if (field === 'before' || field === 'after')
    return (
      /^\d{4}(-\d{2}(-\d{2}(T\d{2}:\d{2}.*)?)?)?$/.test(value) && !Number.isNaN(Date.parse(value))
    )
  return field !== 'role' || /^(user|agent|assistant|system)$/i.test(value)
}

function phraseAt(text: string, start: number): { value: string; end: number } | undefined {
  if (text[start] !== '"') return undefined
  let value = ''
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '"') return { value, end: at + 1 }
    if (text[at] === '\\' && (text[at + 1] === '"' || text[at + 1] === '\\')) at++
    value += text[at]
  }
  return undefined
}

function wordAt(text: string, start: number): { value: string; end: number } {
  const length = /\s/.exec(text.slice(start))?.index ?? text.length - start
  return { value: text.slice(start, start + length), end: start + length }
}
