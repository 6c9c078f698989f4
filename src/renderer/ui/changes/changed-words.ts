import type { DiffLine } from '../../../shared/model/calls/diff-lines'
import { compareTexts, type DiffPiece } from '../../../shared/model/comparison/text-diff'

/** Longest line whose words are compared, in characters. */
const longest = 300
/** Most pairs of lines of one diff whose words are compared: it is done while the window draws. */
const mostPairs = 100

/**
 * Returns the pieces of changed lines by their index: where as many lines were added as were removed before them, each is
 * compared with its counterpart. Lines that have little in common have no pieces.
 */
export function changedWords(
  lines: readonly DiffLine[],
): ReadonlyMap<number, readonly DiffPiece[]> {
  const pieces = new Map<number, readonly DiffPiece[]>()
  let at = 0
  let pairs = 0
  while (at < lines.length && pairs < mostPairs) {
    const removed = runOf(lines, at, 'removed')
    const added = runOf(lines, at + removed, 'added')
    if (removed > 0 && removed === added)
      for (let line = at; line < at + removed && pairs < mostPairs; line++, pairs++)
        compareLines(lines, line, line + removed, pieces)
    at += Math.max(1, removed + added)
  }
  return pieces
}

function runOf(lines: readonly DiffLine[], from: number, type: DiffLine['type']): number {
  let length = 0
  while (lines[from + length]?.type === type) length++
  return length
}

function compareLines(
  lines: readonly DiffLine[],
  old: number,
  now: number,
  pieces: Map<number, readonly DiffPiece[]>,
): void {
  const before = lines[old]?.text ?? ''
  const after = lines[now]?.text ?? ''
  if (before.length > longest || after.length > longest) return
  const change = compareTexts(before, after)
  const shared = change.pieces
    .filter(({ type }) => type === 'same')
    .reduce((sum, { text }) => sum + text.trim().length, 0)
  // Lines that are hardly the same at all would be marked all over.
  if (shared * 3 < Math.max(before.trim().length, after.trim().length)) return
  pieces.set(
    old,
    change.pieces.filter(({ type }) => type !== 'added'),
  )
  pieces.set(
    now,
    change.pieces.filter(({ type }) => type !== 'removed'),
  )
}
