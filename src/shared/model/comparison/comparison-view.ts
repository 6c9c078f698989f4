import { z } from 'zod'
import { LibraryKey } from '../conversation/conversation'
import { Entry, EntryId } from '../conversation/entry'
import type { ComparedSide, ComparedSides } from './compare-sides'

/** One of two that are compared: a conversation up to an entry, or up to where it is now. */
export const ComparePoint = z.object({ key: LibraryKey, entry: EntryId.optional() })
export type ComparePoint = z.infer<typeof ComparePoint>

const Counts = z.record(z.string(), z.int())

const SideView = z.object({
  key: LibraryKey,
  source: z.string(),
  title: z.string(),
  /** The last entry; null where there is none. */
  entry: EntryId.nullable(),
  /** Entries that the other side has too, and the last of them. */
  shared: z.int(),
  fork: EntryId.nullable(),
  entries: z.int(),
  tokens: z.object({ sent: z.number(), answered: z.number(), total: z.number() }),
  /** As the provider told it; null where none did. */
  cost: z.number().nullable(),
  /** ISO 8601 in UTC; null where no entry has a time. */
  first: z.string().nullable(),
  last: z.string().nullable(),
  seconds: z.number().nullable(),
  models: Counts,
  called: Counts,
  failed: Counts,
  /** Paths of files that tools changed, with the number of calls. */
  files: z.array(z.object({ path: z.string(), calls: z.int() })),
})
/** One side as the window shows it: its names, and its numbers after the fork. */
export type ComparedSideView = z.infer<typeof SideView>

const Kind = z.enum(['same', 'changed', 'removed', 'added'])
/** Kind of a row of a comparison: in both alike, in both but changed, or in one alone. */
export type RowKind = z.infer<typeof Kind>

/** Comparison of two sides, without its rows. */
export const ComparisonOverview = z.object({
  left: SideView,
  right: SideView,
  /** False where they share nothing: then all entries are compared. */
  forked: z.boolean(),
  /** First words of the last message that both have; empty where there is none. */
  forkWords: z.string(),
  /** False where they differ too much to find equal entries. */
  aligned: z.boolean(),
  /** Kinds of the rows in order; neighbours of one kind together. */
  runs: z.array(z.object({ kind: Kind, rows: z.int() })),
  /** Words that only one side has. */
  words: z.int(),
  /** Parts that could not be read and are not compared, a sentence each. */
  unread: z.array(z.string()),
})
export type ComparisonOverview = z.infer<typeof ComparisonOverview>

const Piece = z.object({ type: z.enum(['same', 'removed', 'added']), text: z.string() })
const ShownChange = z.object({
  pieces: z.array(Piece).readonly(),
  by: z.enum(['words', 'lines', 'whole']),
})

/** A row of a comparison. Long entries have their beginning alone, as in a transcript. */
export const ComparedRow = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('same'), left: Entry, right: Entry }),
  z.object({
    kind: z.literal('changed'),
    left: Entry,
    right: Entry,
    /** Of the texts as people read them. */
    text: ShownChange,
    /** Of the thoughts before them, where one side has any. */
    thoughts: ShownChange.optional(),
    /** Characters of both that are not in the pieces, since there are too many. */
    cut: z.int().optional(),
  }),
  z.object({ kind: z.literal('removed'), left: Entry }),
  z.object({ kind: z.literal('added'), right: Entry }),
])
export type ComparedRow = z.infer<typeof ComparedRow>

/** Makes what the window shows of a comparison besides its rows. */
export function comparisonView(
  compared: ComparedSides,
  keys: readonly [LibraryKey, LibraryKey],
  unread: readonly string[],
): ComparisonOverview {
  const { left, right, forked, forkWords, aligned, changes } = compared
  const runs: { kind: RowKind; rows: number }[] = []
  let words = 0
  for (const change of changes) {
    const rows = change.type === 'same' ? change.before.length : 1
    const last = runs.at(-1)
    if (last?.kind === change.type) last.rows += rows
    else runs.push({ kind: change.type, rows })
    if (change.type === 'changed')
      for (const piece of change.change.pieces)
        if (piece.type !== 'same') words += countWords(piece.text)
    if (change.type === 'removed' || change.type === 'added')
      words += countWords(change.entry.content)
  }
  return {
    left: sideView(left, keys[0]),
    right: sideView(right, keys[1]),
    forked,
    forkWords,
    aligned,
    runs,
    words,
    unread: [...unread],
  }
}

function sideView(side: ComparedSide, key: LibraryKey): ComparedSideView {
  const { source, title, entry, shared, fork, entries, tokens, cost, time, tools, files } = side
  return {
    key,
    source,
    title,
    entry,
    shared,
    fork,
    entries: entries.total,
    tokens: { sent: tokens.input, answered: tokens.output, total: tokens.total },
    cost,
    ...time,
    models: entries.byModel,
    called: tools.called,
    failed: tools.failed,
    files: files.map(({ path, calls }) => ({ path, calls })),
  }
}

function countWords(text: string): number {
  let words = 0
  let isInWord = false
  for (let at = 0; at < text.length; at++) {
    const isSpace = text.charCodeAt(at) <= 32
    if (!isSpace && !isInWord) words += 1
    isInWord = !isSpace
  }
  return words
}
