import { type QueryFieldName, queryFields } from '../../../shared/model/search'

/** A part of a query, where it stands in its text. */
export interface QueryPiece {
  readonly start: number
  readonly end: number
  readonly negated: boolean
  /** `word` is also what does not parse as anything else. */
  readonly type: 'word' | 'phrase' | 'field'
  readonly field: QueryFieldName | undefined
  /** The word, what stands in the quotes, or the field's value. */
  readonly value: string
}

/**
 * The parts of a query, for the eye: what is a field, what is taken away, which words to mark. Main decides what they find.
 *
 * Takes no more for a field than main does: a quote that does not close and a date that is none are words as they stand.
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

/** The words and phrases that a hit has: what is marked where it stands. */
export function searchedWords(text: string): readonly string[] {
  const words = queryPieces(text)
    .filter(({ type, negated }) => type !== 'field' && !negated)
    .map(({ value }) => value)
  return [...new Set(words)]
}

/** The query without one of its parts. */
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
