import type { EntryDraft } from '../../../shared/model/conversation/entry'

/** An entry of a format without ids: it gets `L<line>`, further ones of one line `L<line>#2`, `L<line>#3`. */
export type NamelessEntry = Omit<EntryDraft, 'id'>

/** What a format makes of one JSON value. */
export type ValueMeaning =
  | {
      readonly type: 'entries'
      /** In the line's own order; at least one. */
      readonly entries: readonly NamelessEntry[]
      /** Whose line it is, where a file holds lines of several conversations. */
      readonly key?: string
    }
  /** Belongs to the format, and nobody said it. */
  | { readonly type: 'control' }

/** What counting asks of a line that is one value. */
export interface CountedValue {
  readonly kind: 'entry' | 'control'
  /** Whose line it is, where a file holds lines of several conversations. */
  readonly key?: string
  readonly entries: number
  /** Named by the entries. */
  readonly model?: string | undefined
}

/**
 * Counts what a value means without making any of it; undefined where that is not plain to see: then `meaningOf` tells.
 *
 * Both are read with each byte as a character, which takes half the time: a text in them is right where it is of ASCII
 * alone (`isAscii`); of any other one it is right only whether it is empty.
 */
export type QuickCount = (value: unknown, text: string) => CountedValue | undefined

/** Whether each byte of a text is a character, however it was read. */
export function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) return false
  return true
}
