import { z } from 'zod'
import { EntryId } from '../conversation/entry'

/** Kind of an entry by which people find their way: what a person asked, what failed, where the model began from a summary or anew. */
export const LandmarkKind = z.enum(['prompt', 'error', 'compaction'])
export type LandmarkKind = z.infer<typeof LandmarkKind>

/** Place of an entry among all of a way through a conversation. */
export const NumberedPlace = z.object({
  /** Its number, from 1 on; damaged lines count, too. */
  number: z.int().positive(),
  file: z.string(),
  offset: z.int().nonnegative(),
  /** Where its line gives several entries. */
  entry: EntryId.optional(),
  /** Bytes of the conversation before its line, as pages count them. */
  bytes: z.int().nonnegative(),
  /** When it was written, in Unix seconds; null where the source has no time. */
  at: z.number().nullable(),
})
export type NumberedPlace = z.infer<typeof NumberedPlace>

/** An entry that the outline of a conversation lists. */
export const Landmark = NumberedPlace.extend({
  kind: LandmarkKind,
  /** Its first words on one line; empty where it has none. */
  words: z.string(),
})
export type Landmark = z.infer<typeof Landmark>

/** Most landmarks of one slice. */
export const mostLandmarks = 2000

/** A part of the landmarks of a conversation, in their order. */
export const LandmarkSlice = z.object({
  /** Names the reading that they are of; another one where the files were replaced, or were read anew. */
  reading: z.string(),
  /** Number of landmarks before the first of these. */
  from: z.int().nonnegative(),
  landmarks: z.array(Landmark),
  /** Entries that were read. */
  entries: z.int().nonnegative(),
  /** Part of the conversation that was read, from 0 to 1. */
  part: z.number(),
  /** No landmark follows these now. */
  isLast: z.boolean(),
})
export type LandmarkSlice = z.infer<typeof LandmarkSlice>

/** A place that is asked for: by an entry's number, by the first entry at or after a time in Unix seconds, by a line, or by an entry's id. */
export const PlaceWanted = z.union([
  z.object({ number: z.int().positive() }),
  z.object({ time: z.number() }),
  z.object({ file: z.string(), offset: z.int().nonnegative(), entry: EntryId.optional() }),
  z.object({ entry: EntryId }),
])
export type PlaceWanted = z.infer<typeof PlaceWanted>
