import { z } from 'zod'
import { EntryId } from '../conversation/entry'

/** A text to find in one conversation, as it is typed, or a regular expression. */
export const WantedText = z.object({
  text: z.string().min(1).max(10_000),
  matchesCase: z.boolean(),
  wantsWholeWords: z.boolean(),
  isRegex: z.boolean(),
})
export type WantedText = z.infer<typeof WantedText>

/** Text of a row that is searched: what an entry says, what was thought, sent to a tool or answered by it, a damaged line. */
export const FoundPart = z.enum([
  'content',
  'reasoning',
  'arguments',
  'result',
  'response',
  'damaged',
])
export type FoundPart = z.infer<typeof FoundPart>

/** Number of matches in each row of a conversation. */
export const FindAnswer = z.object({
  total: z.int().nonnegative(),
  /** Rows with matches, in the order in which they are shown; row 0 is the conversation's first. */
  rows: z.array(z.int().nonnegative()),
  /** Matches in each of these rows. */
  counts: z.array(z.int().positive()),
  /** Rows that were searched. */
  size: z.int().nonnegative(),
  /** Index in `rows` of the first at or after the place that was asked for; null where there is none. */
  near: z.int().nonnegative().nullable(),
  /** Texts that were not searched, and why: a sentence each. */
  notices: z.array(z.string()),
  /** Why the regular expression is none, in a sentence; null where it is one, or none was asked for. */
  fault: z.string().nullable(),
})
export type FindAnswer = z.infer<typeof FindAnswer>

/** One match: its line, and where it is in the texts of the row. */
export const FoundPlace = z.object({
  file: z.string(),
  offset: z.int().nonnegative(),
  /** Absent for a damaged line. */
  entry: EntryId.optional(),
  part: FoundPart,
  /** Matches before it in this part. */
  nth: z.int().nonnegative(),
  /** Beginning and end of the match in the part's text, in UTF-16 units. */
  start: z.int().nonnegative(),
  end: z.int().nonnegative(),
  /** What matches; of a long match the first 1,000 characters. */
  text: z.string(),
  /** How often `text` stands in the part before the match. */
  before: z.int().nonnegative(),
})
export type FoundPlace = z.infer<typeof FoundPlace>

/** Most matches of a turn that are marked in it, the one that the reader is at aside. */
export const mostHighlights = 500

/** A line of a conversation, or one of the entries that it gives. */
export const FindLine = z.object({
  file: z.string(),
  offset: z.int().nonnegative(),
  entry: EntryId.optional(),
})
export type FindLine = z.infer<typeof FindLine>

/** Texts that match in one part of a line, in order: the first 500, each at most 1,000 characters. */
export const FoundTexts = FindLine.extend({ part: FoundPart, texts: z.array(z.string()) })
export type FoundTexts = z.infer<typeof FoundTexts>
