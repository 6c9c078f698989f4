import type { EntryDraft } from '../../../shared/model/conversation/entry'

/**
 * An entry before it has an id: that of its record where it has one, else `L<line>`; further ones of one line get `#2`, `#3`.
 */
export type NamelessEntry = Omit<EntryDraft, 'id'>

/** Position of a record in the tree of its file, for formats with parents. */
export interface RecordLink {
  /** The record's own id. Without one it follows the record before it in the file, and is named by its line. */
  readonly id?: string
  /** The id of the record that it goes on from; null for a root. One with an id and without it follows the record before it. */
  readonly parent?: string | null
  /** The id of the record where the conversation is now, as this one tells; records after it in the file are newer. */
  readonly leaf?: string
  /** In a format without ids in which turns can be taken back: it goes on from the last record that counts. */
  readonly follows?: true
  /** In such a format: how many turns of a person count no more. What comes next goes on from the record before them. */
  readonly takesBack?: number
}

/** The meaning of one JSON value in a format. */
export type ValueMeaning =
  | {
      readonly type: 'entries'
      /** In the line's own order; at least one. */
      readonly entries: readonly NamelessEntry[]
      /** The conversation of the line, where a file holds lines of several. */
      readonly key?: string
      /** For formats with parents. */
      readonly link?: RecordLink
    }
  /**
   * Belongs to the format, and is no entry; `model` where it names the one that answers from here on. What goes on from
   * one with a link goes on from that one's parent.
   */
  | { readonly type: 'control'; readonly model?: string; readonly link?: RecordLink }

/** The counts of a line that is one value. */
export interface CountedValue {
  readonly kind: 'entry' | 'control'
  /** The conversation of the line, where a file holds lines of several. */
  readonly key?: string
  readonly entries: number
  /** Named by the entries, or by a control line. */
  readonly model?: string | undefined
}

/**
 * A count of a value's entries that makes none of them; undefined where that is not plain to see: then `meaningOf`
 * decides.
 *
 * Value and text were decoded as Latin-1, which takes half the time: a text in them is right only where it is ASCII
 * (`isAscii`); of any other one only its emptiness is right.
 */
export type QuickCount = (value: unknown, text: string) => CountedValue | undefined

/** Returns true for a text of ASCII characters only, which is the same in every decoding. */
export function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) return false
  return true
}
