import { fold } from '../basics/fold'
import { conditionOfField } from './field-values'
import { parseQuery } from './parse-query'
import type { QueryPiece } from './query'
import type { QueryFieldName } from './query-fields'

/** Facets of a search, in the order of the window, each with the field of a query that its choice is written with. */
export const facetFields = {
  source: 'source',
  project: 'project',
  type: 'type',
  role: 'role',
  tool: 'tool',
  model: 'model',
  month: 'during',
  branch: 'branch',
} as const satisfies Readonly<Record<string, QueryFieldName>>
/** Name of a facet. */
export type FacetName = keyof typeof facetFields
/** The names of all facets. */
export const facetNames = [
  'source',
  'project',
  'type',
  'role',
  'tool',
  'model',
  'month',
  'branch',
] as const satisfies readonly FacetName[]

/** Parts of a query that have no brackets around: a condition, or a group with its brackets. */
type Clause = readonly QueryPiece[]

/**
 * Returns the values of a facet that a query asks for: of the last condition on its field alone, or of brackets in which nothing
 * else is asked for, such as `(role:user OR role:agent)`. Each once, as entries have it: of `role:Assistant` it is `agent`.
 */
export function facetChoice(text: string, facet: FacetName): readonly string[] {
  const { choice } = split(text, facet)
  const values = choice.flatMap(({ type, value }) =>
    type === 'field' ? [factValue(facet, value)] : [],
  )
  // One value may be typed in several ways.
  return [...new Map(values.map((value) => [fold(value), value])).values()]
}

/** Returns a value as entries have it: systems and speakers have other words for the same, in any case. */
function factValue(facet: FacetName, value: string): string {
  const { node } = conditionOfField(facetFields[facet], value)
  if (node?.type !== 'field') return value
  return facet === 'source' ? node.value.toLowerCase() : node.value
}

/** Returns a query with these values of a facet asked for at its end, instead of those before; without the facet where there are none. */
export function withFacetChoice(text: string, facet: FacetName, values: readonly string[]): string {
  const { rest, choice } = split(text, facet)
  if (choice.length === 0 && values.length === 0) return text
  const isAnyOf = rest.some(isTopOr)
  const conditions = values.map((value) => `${facetFields[facet]}:${quoted(value)}`)
  const chosen = conditions.length > 1 ? `(${conditions.join(' OR ')})` : (conditions[0] ?? '')
  const hasOr = conditions.length > 1 || rest.flat().some(isOr)
  const kept = written(text, rest, hasOr)
  const base = isAnyOf && chosen !== '' ? `(${kept})` : kept
  return [base, chosen].filter((part) => part !== '').join(' ')
}

/** Returns a query without the choices of all facets. */
export function withoutFacets(text: string): string {
  return facetNames.reduce((rest, facet) => withFacetChoice(rest, facet, []), text)
}

function split(
  text: string,
  facet: FacetName,
): { readonly rest: readonly Clause[]; readonly choice: Clause } {
  const clauses = clausesOf(parseQuery(text).pieces)
  // An `OR` beside it has it as one of its sides.
  const at = clauses.some(isTopOr) ? -1 : clauses.findLastIndex((one) => isChoice(one, facet))
  return { rest: clauses.filter((_, index) => index !== at), choice: clauses[at] ?? [] }
}

function clausesOf(pieces: readonly QueryPiece[]): readonly Clause[] {
  const clauses: Clause[] = []
  let clause: QueryPiece[] = []
  let depth = 0
  for (const piece of pieces) {
    clause.push(piece)
    if (opens(piece)) depth += 1
    else if (closes(piece)) depth -= 1
    if (depth > 0) continue
    clauses.push(clause)
    clause = []
  }
  return clauses
}

function isChoice(clause: Clause, facet: FacetName): boolean {
  const [first] = clause
  if (first === undefined || clause.some(({ negated }) => negated)) return false
  const isWanted = (piece: QueryPiece) =>
    piece.type === 'field' &&
    piece.field === facetFields[facet] &&
    (facet !== 'month' || /^\d{4}-\d{2}$/.test(piece.value))
  if (clause.length === 1) return isWanted(first)
  return clause.every((piece, index) =>
    index === 0 || index === clause.length - 1 ? !isOr(piece) : isOr(piece) || isWanted(piece),
  )
}

function isOr({ type, value }: QueryPiece): boolean {
  return type === 'operator' && value === 'OR'
}

function isTopOr(clause: Clause): boolean {
  return clause.length === 1 && clause.every(isOr)
}

function opens({ type, value }: QueryPiece): boolean {
  return type === 'operator' && value.endsWith('(')
}

function closes({ type, value }: QueryPiece): boolean {
  return type === 'operator' && value === ')'
}

/**
 * Writes clauses as a query that means the same. In a query with an `OR` brackets are no text, and in one without they change
 * nothing: so texts get quotes there, and brackets go here.
 */
function written(text: string, clauses: readonly Clause[], hasOr: boolean): string {
  return clauses
    .map((clause) => {
      const needless = !hasOr && clause.length > 1 && clause[0]?.value === '('
      return (needless ? clause.filter((piece) => !opens(piece) && !closes(piece)) : clause)
        .map((piece) => withQuotes(text, piece, hasOr))
        .join(' ')
        .replace(/^(-?\() /, '$1')
        .replace(/ \)$/, ')')
    })
    .join(' ')
}

/** Writes a piece in quotes where it would be read otherwise with something behind it: a quote or slash that nothing closes, an `OR` without a side. */
function withQuotes(text: string, piece: QueryPiece, hasOr: boolean): string {
  const { type, value, field } = piece
  const as = text.slice(piece.start, piece.end)
  if (type === 'field' && field !== undefined) {
    const name = as.slice(0, as.indexOf(':') + 1)
    return /["()]/.test(value) ? `${name}"${escaped(value)}"` : as
  }
  if (type !== 'word') return as
  const isAtRisk = /"|^\/|^OR$/.test(value) || (hasOr && /[()]/.test(value))
  if (!isAtRisk) return as
  return `${as !== value && as.startsWith('-') ? '-' : ''}"${escaped(value)}"`
}

function quoted(value: string): string {
  return /^[^\s"()]+$/.test(value) ? value : `"${escaped(value)}"`
}

function escaped(value: string): string {
  return value.replace(/[\\"]/g, '\\$&')
}
