import { z } from 'zod'
import { Entry, EntryId, LineSpan } from './entry'

/** Line of a file that is no entry: the reason in words, and its first bytes. */
export const DamagedLine = LineSpan.extend({
  /** Such as "text ends inside a string". */
  reason: z.string(),
  /** Base64 of the first 4 KB. */
  bytes: z.string(),
  /** The file's last line, without its line feed: it may still be growing. */
  torn: z.boolean().optional(),
})
export type DamagedLine = z.infer<typeof DamagedLine>

/** One row of a transcript, in file order: only blank lines of the file are left out. */
export const TranscriptRow = z.discriminatedUnion('type', [
  z.object({ type: z.literal('entry'), entry: Entry }),
  z.object({ type: z.literal('damaged'), damaged: DamagedLine }),
])
export type TranscriptRow = z.infer<typeof TranscriptRow>

/** Makes a key of a row that stays the same as long as its file does: for React keys and for finding a row again. */
export function rowKey(row: TranscriptRow): string {
  const place = row.type === 'entry' ? row.entry : row.damaged
  // Recovered values share a line, so the id is needed as well; ids alone are no key: real files repeat them.
  return row.type === 'entry'
    ? `${place.file}:${place.offset}:${row.entry.id}`
    : `${place.file}:${place.offset}`
}

/** A position between two rows. Opaque outside of the store, which makes and reads it. */
export const Cursor = z.string().brand<'Cursor'>()
export type Cursor = z.infer<typeof Cursor>

/** Names a way through a conversation with branches inside. Opaque outside of main. */
export const WayName = z.string().brand<'WayName'>()
export type WayName = z.infer<typeof WayName>

/** Position at which a page of rows begins or ends. */
export const PageFrom = z.union([
  z.literal('start'),
  z.literal('end'),
  z.object({ before: Cursor }),
  z.object({ after: Cursor }),
  /**
   * Rows on both sides of a line; the page begins or ends earlier where the transcript does. In a conversation with
   * branches inside they are of a way through the line, or through this entry of it.
   */
  z.object({
    around: z.object({
      file: z.string(),
      offset: z.int().nonnegative(),
      entry: EntryId.optional(),
    }),
  }),
  /** Rows on both sides of the one that is at so many bytes of `totalBytes`, or that follows them. */
  z.object({ near: z.int().nonnegative() }),
])
export type PageFrom = z.infer<typeof PageFrom>

/** A run of rows, oldest first. */
export const TranscriptPage = z.object({
  rows: z.array(TranscriptRow),
  /** Where the page before begins; absent at the transcript's start. */
  before: Cursor.optional(),
  /** Where the page after begins; always present: the transcript may grow there. */
  after: Cursor,
  /** No row follows this page now. */
  atEnd: z.boolean(),
  /** Bytes of all files of this transcript, and bytes before this page: for "214 MB, read from its end". */
  totalBytes: z.int(),
  bytesBefore: z.int(),
  /** A notice for everybody who reads it, in a sentence or two: that it is read from context.jsonl. */
  notice: z.string().optional(),
  /** Where a conversation has branches inside: a page is of one way through it. */
  branches: z
    .object({
      /** Rows that are not on this way. */
      elsewhere: z.int().nonnegative(),
      /** Absent for the way to where the conversation is now. */
      way: WayName.optional(),
      /** The last entry of the way. */
      leaf: EntryId.optional(),
    })
    .optional(),
})
export type TranscriptPage = z.infer<typeof TranscriptPage>

/** Returns the rows with which lines begin: of the entries that one line gives, in a row, the first. */
export function firstRowsOfLines(rows: readonly TranscriptRow[]): readonly TranscriptRow[] {
  return rows.filter((row, index) => {
    const before = rows[index - 1]
    if (before === undefined) return true
    const { file, offset } = placeOf(row)
    const last = placeOf(before)
    return last.file !== file || last.offset !== offset
  })
}

function placeOf(row: TranscriptRow) {
  return row.type === 'entry' ? row.entry : row.damaged
}

/** Start of a context's context window. Entries above it are not sent any more, but for `kept`. */
export const WindowStart = z.object({
  /** A `context_created`, `compaction` or `archival` entry, the last one. */
  anchor: EntryId,
  /** Bytes of the transcript before the anchor's line; as in `TranscriptPage`. */
  bytesBefore: z.int(),
  /** Entries above that are in the window all the same. */
  kept: z.array(EntryId),
})
export type WindowStart = z.infer<typeof WindowStart>

/** The ledger of one file: `lines = entryLines + control + blank + damaged.length`, always. */
export const FileLedger = z.object({
  file: z.string(),
  unit: z.enum(['line', 'message']),
  lines: z.int(),
  entryLines: z.int(),
  control: z.int(),
  blank: z.int(),
  damaged: z.array(
    z.object({
      line: z.int(),
      offset: z.int(),
      length: z.int(),
      reason: z.string(),
      bytes: z.string(),
    }),
  ),
  torn: z.boolean(),
})
export type FileLedger = z.infer<typeof FileLedger>
