import { branchTitle, type TreeRow } from './tree-rows'

/** Longest pause between two letters of one beginning of a title, in ms. */
const typingPauseMs = 800

/** Finds the row that a key of the tree leads to; undefined for any other key, and where there is none. */
export function treeRowForKey(
  key: string,
  rows: readonly TreeRow[],
  cursor: number,
): number | undefined {
  const row = rows[cursor]
  switch (key) {
    case 'ArrowDown':
      return Math.min(cursor + 1, rows.length - 1)
    case 'ArrowUp':
      return Math.max(cursor - 1, 0)
    case 'ArrowLeft':
      return row?.parentRow
    case 'ArrowRight':
      return row?.firstChild
    case 'Home':
      return 0
    case 'End':
      return rows.length - 1
    case ']':
      return branchEnd(rows, cursor, 1)
    case '[':
      return branchEnd(rows, cursor, -1)
    default:
      return undefined
  }
}

/** Finds the next or previous row with which a branch ends; past the last one, the first. */
function branchEnd(rows: readonly TreeRow[], cursor: number, step: 1 | -1): number | undefined {
  const { length } = rows
  for (let steps = 1; steps <= length; steps++) {
    const at = (cursor + step * steps + steps * length) % length
    if (rows[at]?.isLeaf) return at
  }
  return undefined
}

/** Letters that were typed one after the other, and when the last one came. */
export interface TypedLetters {
  readonly letters: string
  readonly atMs: number
}

/** Adds a letter to those before it, or begins anew after a pause. */
export function typed(
  before: TypedLetters | undefined,
  letter: string,
  atMs: number,
): TypedLetters {
  const letters = isTyping(before, atMs) ? before.letters : ''
  return { letters: letters + letter.toLowerCase(), atMs }
}

/** Tells whether a title is being typed: then Space is one of its letters. */
export function isTyping(before: TypedLetters | undefined, atMs: number): before is TypedLetters {
  return before !== undefined && atMs - before.atMs <= typingPauseMs
}

/** Finds the next row whose title begins with what was typed; one letter goes on from the row under the cursor. */
export function rowStartingWith(
  rows: readonly TreeRow[],
  cursor: number,
  letters: string,
): number | undefined {
  const first = letters.length === 1 ? cursor + 1 : cursor
  for (let step = 0; step < rows.length; step++) {
    const at = (first + step) % rows.length
    const node = rows[at]?.node
    if (node !== undefined && branchTitle(node).toLowerCase().startsWith(letters)) return at
  }
  return undefined
}
