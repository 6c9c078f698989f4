import { labelColors } from '../conversation/label'
import { entryBranches, hasValues, type QueryFieldName, queryFields } from './query-fields'

/** A part of a query that is being typed, and could be a field or its value. */
export interface TypedPart {
  /** The field whose value is typed; undefined where the name of a field may be. */
  readonly field: QueryFieldName | undefined
  /** What is typed of the name or value, without quotes. */
  readonly typed: string
  /** Where a completion goes, in UTF-16 units of the query: from here up to the caret. */
  readonly from: number
}

/** Letters of a word after which it may be meant for the name of a field. */
const leastLetters = 2

/**
 * Finds what is being typed at the caret: the value of a field, or a word that is the beginning of a field's name. Undefined for
 * everything else, in quotes and where the caret is within a word.
 */
export function typedPartAt(query: string, caret: number): TypedPart | undefined {
  if (/^\S/.test(query.slice(caret))) return undefined
  const before = query.slice(0, caret)
  const found = /(?:^|[\s(])-?([a-z]*)(?:(:)("?)([^"]*))?$/i.exec(lastToken(before))
  if (found === null) return undefined
  const [, name = '', colon, quote = '', value = ''] = found
  const lower = name.toLowerCase()
  if (colon === undefined) {
    const isBeginning =
      name.length >= leastLetters && queryFields.some((field) => field.startsWith(lower))
    return isBeginning ? { field: undefined, typed: lower, from: caret - name.length } : undefined
  }
  const field = queryFields.find((known) => known === lower)
  // Without a quote a blank ends the value.
  if (field === undefined || (quote === '' && /\s/.test(value))) return undefined
  return { field, typed: value, from: caret - value.length - quote.length }
}

/** From the last blank that is not in the quotes of a value. */
function lastToken(before: string): string {
  const quoted = /(?:^|[\s(])-?[a-z]+:"[^"]*$/i.exec(before)
  if (quoted !== null) return quoted[0]
  // An open phrase is text.
  if ((before.match(/"/g) ?? []).length % 2 === 1) return '"'
  let from = before.length
  while (from > 0 && !/[\s(]/.test(before[from - 1] ?? '')) from -= 1
  return before.slice(Math.max(0, from - 1))
}

/** A query with something put in, and where the caret is then. */
export interface CompletedQuery {
  readonly text: string
  readonly caret: number
}

/** Puts a completion in the place of what is typed: the name of a field with its colon, or a value, in quotes where it needs them. */
export function completeQuery(
  query: string,
  caret: number,
  part: TypedPart,
  value: string,
): CompletedQuery {
  const before = query.slice(0, part.from)
  const after = query.slice(caret)
  const put = part.field === undefined ? `${value}:` : quotedValue(value)
  const gap = part.field === undefined || /^\s/.test(after) ? '' : ' '
  const text = `${before}${put}${gap}${after}`
  const isBeforeBlank = part.field !== undefined && gap === ''
  return { text, caret: before.length + put.length + gap.length + (isBeforeBlank ? 1 : 0) }
}

/** Writes a value as queries take it: in quotes where it has blanks, brackets or quotes. */
function quotedValue(value: string): string {
  return /[\s"()]/.test(value) ? `"${value.replace(/["\\]/g, '\\$&')}"` : value
}

/** A value of a field that is known, with how often it occurs, where that is known. */
export interface KnownValue {
  readonly value: string
  readonly count?: number | undefined
}

/** Most completions that are shown. */
const mostShown = 8

/**
 * Picks the completions of what is typed: those that begin with it, then those that have it elsewhere, each as often as they occur. None
 * where nothing is left to complete.
 */
export function pickCompletions(
  typed: string,
  known: readonly KnownValue[],
): readonly KnownValue[] {
  const sought = typed.toLowerCase()
  const ranked = known.flatMap((one, at) => {
    const place = one.value.toLowerCase().indexOf(sought)
    return place < 0 ? [] : [{ one, at, rank: place === 0 ? 0 : 1 }]
  })
  ranked.sort((a, b) => a.rank - b.rank || (b.one.count ?? 0) - (a.one.count ?? 0) || a.at - b.at)
  const picked = ranked.slice(0, mostShown).map(({ one }) => one)
  const isDone = picked.length === 1 && picked[0]?.value.toLowerCase() === sought
  return isDone ? [] : picked
}

/** Values of fields that the language itself has. */
export const languageValues: Partial<Readonly<Record<QueryFieldName, readonly string[]>>> = {
  role: ['user', 'agent', 'system'],
  color: labelColors,
  has: hasValues,
  branch: entryBranches,
  case: ['yes'],
  words: ['whole'],
}
