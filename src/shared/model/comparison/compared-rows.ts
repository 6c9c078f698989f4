import { type Entry, shownText } from '../conversation/entry'
import type { EntryChange } from './compare-entries'
import type { ComparedRow } from './comparison-view'
import { compareTexts, type DiffPiece, type TextChange } from './text-diff'

/** Most characters of a row's marked text that go to the window. */
const mostCharacters = 200_000
/** Longest arguments that are formatted, in characters; longer ones are compared as they came. */
const formattedCharacters = 200_000

/** Rows of a comparison by number: equal entries are a row each. */
export interface ComparedRows {
  readonly count: number
  /** Makes some rows; compares the texts of changed ones anew, which may take a second for long ones. */
  slice(from: number, limit: number): readonly ComparedRow[]
}

/** Makes the rows of changes. Holds a number for each change; linear in the changes. */
export function comparedRows(changes: readonly EntryChange[]): ComparedRows {
  const starts: number[] = []
  let count = 0
  for (const change of changes) {
    starts.push(count)
    count += change.type === 'same' ? change.before.length : 1
  }
  return {
    count,
    slice(from, limit) {
      const rows: ComparedRow[] = []
      let at = changeAt(starts, from)
      for (let row = from; row < Math.min(count, from + limit); row++) {
        while (at + 1 < starts.length && (starts[at + 1] ?? 0) <= row) at += 1
        const change = changes[at]
        if (change !== undefined) rows.push(...rowOf(change, row - (starts[at] ?? 0)))
      }
      return rows
    },
  }
}

/** Finds the change that a row is of. */
function changeAt(starts: readonly number[], row: number): number {
  let [low, high] = [0, starts.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((starts[middle] ?? 0) <= row) low = middle
    else high = middle - 1
  }
  return low
}

function rowOf(change: EntryChange, at: number): readonly ComparedRow[] {
  switch (change.type) {
    case 'same': {
      const [left, right] = [change.before[at], change.after[at]]
      return left === undefined || right === undefined ? [] : [{ kind: 'same', left, right }]
    }
    case 'changed':
      return [changedRow(change.before, change.after)]
    case 'removed':
      return [{ kind: 'removed', left: change.entry }]
    case 'added':
      return [{ kind: 'added', right: change.entry }]
  }
}

function changedRow(left: Entry, right: Entry): ComparedRow {
  const thoughts = [thoughtsOf(left), thoughtsOf(right)] as const
  const text = shortened(compared(readableText(left), readableText(right)))
  const before = thoughts[0] === thoughts[1] ? undefined : shortened(compared(...thoughts))
  const cut = text.cut + (before?.cut ?? 0)
  return {
    kind: 'changed',
    left,
    right,
    text: text.change,
    ...(before === undefined ? {} : { thoughts: before.change }),
    ...(cut === 0 ? {} : { cut }),
  }
}

function compared(before: string, after: string): TextChange {
  return compareTexts(before, after, Number.POSITIVE_INFINITY)
}

/** Returns an entry's text as people read it: arguments of a call with a line for each, where they are JSON. */
export function readableText(entry: Entry): string {
  const text = shownText(entry)
  if (entry.entry_type !== 'tool_call' || text.length > formattedCharacters) return text
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? JSON.stringify(value, null, 2) : text
  } catch {
    // Arguments as a model streamed them.
    return text
  }
}

/** Returns what the model thought before it spoke; empty where nothing is known of it. */
export function thoughtsOf({ metadata }: Pick<Entry, 'metadata'>): string {
  return typeof metadata?.reasoning === 'string' ? metadata.reasoning : ''
}

/** Keeps the first pieces of a change, and counts the characters of the others. */
function shortened(change: TextChange): { readonly change: TextChange; readonly cut: number } {
  const pieces: DiffPiece[] = []
  let left = mostCharacters
  let cut = 0
  for (const piece of change.pieces) {
    const text = piece.text.slice(0, left).replace(/[\ud800-\udbff]$/, '')
    cut += piece.text.length - text.length
    left -= text.length
    if (text !== '') pieces.push({ type: piece.type, text })
  }
  return cut === 0 ? { change, cut } : { change: { ...change, pieces }, cut }
}
