import type { EntryDraft } from '../../shared/model/entry'

/** An entry of a format without ids: it gets `L<line>`, further ones of one line `L<line>#2`, `L<line>#3`. */
export type NamelessEntry = Omit<EntryDraft, 'id'>

/** What a format makes of one JSON value. */
export type Meaning =
  | {
      readonly type: 'entries'
      /** In the line's own order; at least one. */
      readonly entries: readonly NamelessEntry[]
      /** Whose line it is, where a file holds lines of several conversations. */
      readonly key?: string
    }
  /** Belongs to the format, and nobody said it. */
  | { readonly type: 'control' }
