import type { QueryFieldName } from './query-fields'

/** A field that compares a word; `before`, `after` and `during` compare times, `case` and `words` are about the whole query. */
export type TextField = Exclude<QueryFieldName, 'before' | 'after' | 'during' | 'case' | 'words'>

/** A condition on entries and their conversations. */
export type QueryNode =
  | {
      readonly type: 'text'
      readonly text: string
      /** What stands between the quotes of a phrase, where that is another text: escapes are looked for as they are typed, too. */
      readonly typed?: string
    }
  | { readonly type: 'field'; readonly field: TextField; readonly value: string }
  | {
      readonly type: 'time'
      readonly field: 'before' | 'after'
      /** Unix seconds: `after` holds from there on, `before` until there, exclusive. */
      readonly seconds: number
    }
  /** A regular expression of JavaScript that compiles; `flags` are those that were written, of `i` and `s`. */
  | { readonly type: 'regex'; readonly source: string; readonly flags: string }
  | { readonly type: 'not'; readonly of: QueryNode }
  | { readonly type: 'all'; readonly of: readonly QueryNode[] }
  | { readonly type: 'any'; readonly of: readonly QueryNode[] }

/** A piece of a query's text: a condition, or what joins conditions. */
export interface QueryPiece {
  readonly start: number
  readonly end: number
  /** It begins with a minus, or a bracket around it does. */
  readonly negated: boolean
  /** `word` is also any piece that does not parse as another type; an operator is `OR` or a bracket. */
  readonly type: 'word' | 'phrase' | 'field' | 'regex' | 'operator'
  readonly field: QueryFieldName | undefined
  /** The word, the text in the quotes, the field's value, the pattern between the slashes, or the operator. */
  readonly value: string
}

/** A query as a condition and as pieces, with hints about what was not understood. */
export interface Query {
  /** All must hold; it has no parts where the query is blank. */
  readonly root: Extract<QueryNode, { type: 'all' }>
  readonly pieces: readonly QueryPiece[]
  /** Words and phrases are compared as they are written: `case:yes`. */
  readonly matchesCase: boolean
  /** Words and phrases begin and end where words do: `words:whole`. */
  readonly wantsWholeWords: boolean
  /** For people, a sentence each: which field has a value that it does not take, and what it takes; why a pattern is none. */
  readonly hints: readonly string[]
}
