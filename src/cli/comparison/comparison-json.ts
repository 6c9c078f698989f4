import {
  comparableEntryText,
  type EntryChange,
} from '../../shared/model/comparison/compare-entries'
import type { ComparedSides } from '../../shared/model/comparison/compare-sides'
import type { DiffPiece, TextChange } from '../../shared/model/comparison/text-diff'
import type { Entry, EntryId } from '../../shared/model/conversation/entry'

/** Output of `compare --json`, without the parts that could not be read. */
interface PrintedComparison extends Pick<ComparedSides, 'left' | 'right' | 'forked' | 'aligned'> {
  readonly changes: readonly PrintedChange[]
}

/** A change by the ids of its entries. */
interface PrintedChange {
  readonly type: EntryChange['type']
  readonly left: readonly EntryId[]
  readonly right: readonly EntryId[]
  /** Of a changed entry: what its text was compared by. */
  readonly by?: TextChange['by']
  /** Texts of what is not equal. */
  readonly pieces?: readonly DiffPiece[]
}

/** Makes the output of `compare --json`, without the parts that could not be read. */
export function printedComparison({
  left,
  right,
  forked,
  aligned,
  changes,
}: ComparedSides): PrintedComparison {
  return { left, right, forked, aligned, changes: changes.map(printedChange) }
}

function printedChange(one: EntryChange): PrintedChange {
  const ids = (entries: readonly Entry[]) => entries.map(({ id }) => id)
  switch (one.type) {
    case 'same':
      return { type: one.type, left: ids(one.before), right: ids(one.after) }
    case 'changed': {
      const { by, pieces } = one.change
      return { type: one.type, left: [one.before.id], right: [one.after.id], by, pieces }
    }
    case 'removed':
      return { type: one.type, left: [one.entry.id], right: [], pieces: [wholePiece(one)] }
    case 'added':
      return { type: one.type, left: [], right: [one.entry.id], pieces: [wholePiece(one)] }
  }
}

/** Gives the text of an entry that one side alone has, as a piece. */
export function wholePiece({
  type,
  entry,
}: Extract<EntryChange, { readonly type: 'removed' | 'added' }>): DiffPiece {
  return { type, text: comparableEntryText(entry) }
}
