import type { EntryDraft } from '../../shared/model/entry'

/** An entry of a format without ids: it gets `L<line>`, further ones of one line `L<line>#2`, `L<line>#3`. */
export type NamelessEntry = Omit<EntryDraft, 'id'>

/** What a format makes of one JSON value. */
export type Meaning =
  /** In the line's own order; at least one. */
  | { readonly type: 'entries'; readonly entries: readonly NamelessEntry[] }
  /** Belongs to the format, and nobody said it. */
  | { readonly type: 'control' }
