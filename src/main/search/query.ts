import { Role } from '../../shared/model/entry'
import { startOfPeriod } from './dates'

/** Fields that compare a word; `before` and `after` compare times. */
export type TextField = 'source' | 'context' | 'title' | 'role' | 'type' | 'tool'

/**
 * One condition; all of them must hold. Closed: `OR` and `/regex/` will be further variants, with their own `type`.
 */
export type Clause =
  | { readonly type: 'text'; readonly text: string; readonly negated: boolean }
  | {
      readonly type: 'field'
      readonly field: TextField
      readonly value: string
      readonly negated: boolean
    }
  | {
      readonly type: 'time'
      readonly field: 'before' | 'after'
      /** Unix seconds: `after` holds from there on, `before` until there, exclusive. */
      readonly seconds: number
      readonly negated: boolean
    }

export interface Query {
  readonly clauses: readonly Clause[]
}

const textFields: ReadonlySet<string> = new Set([
  'source',
  'context',
  'title',
  'role',
  'type',
  'tool',
])

/**
 * Reads a query: `word word` (and), `"phrase"` (with `\"` and `\\`), `-not`, `field:value`, `field:"value"`.
 *
 * Never fails. What does not parse is a word as it stands: an unknown field, a date that is none, a quote that does not
 * close, and for now `OR`, `/regex/` and the fields `from: to: project: model: has:`. A minus leaves something out only
 * before a letter, a digit or a quote: `--force` and `->` are words, since people search for them.
 */
export function parseQuery(text: string): Query {
  const clauses: Clause[] = []
  for (let at = skipBlank(text, 0); at < text.length; at = skipBlank(text, at)) {
    const negated = text[at] === '-' && /^[\p{L}\p{N}"]/u.test(text.slice(at + 1, at + 3))
    const start = negated ? at + 1 : at
    const { clause, end } = clauseAt(text, start, negated)
    clauses.push(clause)
    at = end
  }
  return { clauses }
}

function clauseAt(
  text: string,
  start: number,
  negated: boolean,
): { readonly clause: Clause; readonly end: number } {
  const phrase = phraseAt(text, start)
  if (phrase !== undefined && phrase.text !== '')
    return { clause: { type: 'text', text: phrase.text, negated }, end: phrase.end }
  const colon = /^([a-z]+):(?=\S)/i.exec(text.slice(start, start + 16))
  if (colon?.[1] !== undefined) {
    const valueStart = start + colon[0].length
    const value = phraseAt(text, valueStart) ?? wordAt(text, valueStart)
    const clause = fieldClause(colon[1].toLowerCase(), value.text, negated)
    if (clause !== undefined) return { clause, end: value.end }
  }
  const word = wordAt(text, start)
  return { clause: { type: 'text', text: word.text, negated }, end: word.end }
}

function fieldClause(field: string, value: string, negated: boolean): Clause | undefined {
  if (value === '') return undefined
  if (field === 'before' || field === 'after') {
    const seconds = startOfPeriod(value)
    return seconds === undefined ? undefined : { type: 'time', field, seconds, negated }
  }
  if (!textFields.has(field)) return undefined
  if (field !== 'role') return { type: 'field', field: field as TextField, value, negated }
  // Other systems say assistant; chibi's word is agent.
  const role = Role.safeParse(value.toLowerCase().replace(/^assistant$/, 'agent'))
  return role.success ? { type: 'field', field, value: role.data, negated } : undefined
}

interface Piece {
  readonly text: string
  readonly end: number
}

/** The phrase whose quote opens at `start`; undefined where none opens, or it does not close. */
function phraseAt(text: string, start: number): Piece | undefined {
  if (text[start] !== '"') return undefined
  let phrase = ''
  for (let at = start + 1; at < text.length; at++) {
    const char = text[at]
    if (char === '"') return { text: phrase, end: at + 1 }
    const next = text[at + 1]
    if (char === '\\' && (next === '"' || next === '\\')) at++
    phrase += text[at]
  }
  return undefined
}

function wordAt(text: string, start: number): Piece {
  const end = start + (/\s/.exec(text.slice(start))?.index ?? text.length - start)
  return { text: text.slice(start, end), end }
}

function skipBlank(text: string, at: number): number {
  let next = at
  while (next < text.length && /\s/.test(text[next] ?? '')) next++
  return next
}
