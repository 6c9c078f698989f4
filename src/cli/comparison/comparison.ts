import type { ReadConversation } from '../../main/readers/read-root'
import {
  comparableEntryText,
  compareEntries,
  type EntryChange,
} from '../../shared/model/comparison/compare-entries'
import type { DiffPiece, TextChange } from '../../shared/model/comparison/text-diff'
import type { Entry, EntryId } from '../../shared/model/conversation/entry'
import { type SideNumbers, sideNumbers } from './side-numbers'
import { type ForkedSide, lastOf } from './sides'

/** Output of `compare --json`, without the parts that could not be read. */
export interface ConversationComparison {
  readonly left: ComparedSide
  readonly right: ComparedSide
  /** False where they share nothing: then all entries are compared. */
  readonly forked: boolean
  /** False where they differ too much to find equal entries. */
  readonly aligned: boolean
  /** Of the entries after the fork, in order. */
  readonly changes: readonly PrintedChange[]
}

/** One side: which it is, where it parts from the other, and its numbers after that. */
export interface ComparedSide extends SideNumbers {
  readonly source: string
  readonly key: string
  readonly title: string
  /** The last entry; null where there is none. */
  readonly entry: EntryId | null
  /** Entries that the other side has too. */
  readonly shared: number
  /** The last of those; null where there is none. */
  readonly fork: EntryId | null
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

/** Compares what two sides have after their fork. */
export function compareSides(left: ForkedSide, right: ForkedSide) {
  const { changes, isComplete } = compareEntries(left.after, right.after)
  const comparison: ConversationComparison = {
    left: comparedSide(left),
    right: comparedSide(right),
    forked: left.shared.length > 0 || right.shared.length > 0,
    aligned: isComplete,
    changes: changes.map(printedChange),
  }
  return { comparison, changes }
}

function comparedSide(side: ForkedSide): ComparedSide {
  const { source, key, title }: ReadConversation = side.conversation
  return {
    source,
    key,
    title,
    entry: lastOf(side)?.id ?? null,
    shared: side.shared.length,
    fork: side.shared.at(-1)?.id ?? null,
    ...sideNumbers(side),
  }
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
