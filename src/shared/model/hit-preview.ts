import { z } from 'zod'
import { TranscriptRow } from './conversation/transcript'

/** Part of a text: some of its lines, which count from 1. */
export const PreviewedPart = z.object({
  firstLine: z.int().positive(),
  lastLine: z.int().positive(),
  /** Lines of the whole text. */
  lines: z.int(),
  /** Length of the whole text in UTF-16 units. */
  characters: z.int(),
})
export type PreviewedPart = z.infer<typeof PreviewedPart>

/** Entry of a hit with its neighbours, each cut to what a preview shows. */
export const HitPreview = z.object({
  /** Rows of the way through the hit, oldest first. */
  rows: z.array(TranscriptRow),
  /** Index of the row that has the hit; null for a hit in a title, and where the line is gone. */
  hit: z.int().nonnegative().nullable(),
  /** For each row, which part of its text it has; null where it has all. */
  parts: z.array(PreviewedPart.nullable()),
  /** The hit's words are in the part of its text, or it has none; false where they are elsewhere, such as in a saved output. */
  hasMatch: z.boolean(),
  /** The rows are of a branch that was left. */
  isLeft: z.boolean(),
})
export type HitPreview = z.infer<typeof HitPreview>
