import { Role } from '../../shared/model/conversation/entry'
import { SourceId } from '../../shared/model/conversation/sources'
import { type QueryFieldName, queryFields } from '../../shared/model/search'
import { startOfPeriod } from './dates'

/** A field that compares a word; `before` and `after` compare times. */
export type TextField = Exclude<QueryFieldName, 'before' | 'after'>

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

/** A query as clauses, with hints about values that a field does not take. */
export interface Query {
  readonly clauses: readonly Clause[]
  /** For people: which field has a value that it does not take, and what it takes; a sentence each. */
  readonly hints: readonly string[]
}

/**
 * Parses a query: `word word` (and), `"phrase"` (with `\"` and `\\`), `-not`, `field:value`, `field:"value"`.
 *
 * Never fails. What does not parse is searched as a word: an unknown field, an invalid date, a quote that does not
 * close, and for now `OR`, `/regex/` and the fields `to: has:`. Where a field does not take its value, `hints` say
 * what it takes. A minus excludes only before a letter, a digit or a quote: `--force` and `->` are words, since people
 * search for them.
 */
export function parseQuery(text: string): Query {
  const clauses: Clause[] = []
  const hints = new Set<string>()
  for (let at = skipBlank(text, 0); at < text.length; at = skipBlank(text, at)) {
    const negated = text[at] === '-' && /^[\p{L}\p{N}"]/u.test(text.slice(at + 1, at + 3))
    const start = negated ? at + 1 : at
    const { clause, end, hint } = clauseAt(text, start, negated)
    clauses.push(clause)
    if (hint !== undefined) hints.add(hint)
    at = end
  }
  return { clauses, hints: [...hints] }
}

interface ReadClause {
  readonly clause: Clause
  readonly hint?: string
}

function clauseAt(
  text: string,
  start: number,
  negated: boolean,
): ReadClause & { readonly end: number } {
  const phrase = phraseAt(text, start)
  if (phrase !== undefined && phrase.text !== '')
    return { clause: { type: 'text', text: phrase.text, negated }, end: phrase.end }
  const colon = /^([a-z]+):(?=\S)/i.exec(text.slice(start, start + 16))
  if (colon?.[1] !== undefined) {
    const valueStart = start + colon[0].length
    const value = phraseAt(text, valueStart) ?? wordAt(text, valueStart)
    const found = fieldClause(colon[1].toLowerCase(), value.text, negated)
    if (typeof found === 'object') return { ...found, end: value.end }
    const word = wordAt(text, start)
    const clause = { type: 'text', text: word.text, negated } as const
    return found === undefined
      ? { clause, end: word.end }
      : { clause, end: word.end, hint: `${found} It is searched as a word.` }
  }
  const word = wordAt(text, start)
  return { clause: { type: 'text', text: word.text, negated }, end: word.end }
}

/** The clause of a field; a sentence where it does not take the value; undefined where there is no such field, or no value. */
function fieldClause(
  field: string,
  value: string,
  negated: boolean,
): ReadClause | string | undefined {
  if (value === '') return undefined
  const shown = `“${shortened(value)}”`
  if (field === 'before' || field === 'after') {
    const seconds = startOfPeriod(value)
    if (seconds !== undefined) return { clause: { type: 'time', field, seconds, negated } }
    return `${field}: takes a year, a month, a day or a time, such as 2026, 2026-03, 2026-03-09 or 2026-03-09T12:30, not ${shown}.`
  }
  const textField = queryFields.find((known) => known === field)
  if (textField === undefined || textField === 'before' || textField === 'after') return undefined
  if (textField === 'role') {
    // Other systems have assistant; chibi's word is agent.
    const role = Role.safeParse(value.toLowerCase().replace(/^assistant$/, 'agent'))
    if (role.success)
      return { clause: { type: 'field', field: textField, value: role.data, negated } }
    return `role: takes ${Role.options.join(', ')}, not ${shown}; type:tool_call and type:tool_result find tools.`
  }
  const clause = { type: 'field', field: textField, value, negated } as const
  if (textField === 'source' && !SourceId.safeParse(value.toLowerCase()).success)
    return { clause, hint: `source: takes ${SourceId.options.join(', ')}, not ${shown}.` }
  return { clause }
}

function shortened(value: string): string {
  const characters = Array.from(value.slice(0, 100))
  return characters.length <= 40 ? value : `${characters.slice(0, 39).join('')}…`
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
