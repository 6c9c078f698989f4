import { z } from 'zod'

/** One file of a context's transcript, in reading order. */
export const PartitionRow = z.object({
  /** Relative to the context's folder. */
  file: z.string(),
  /** Where entries are appended; else it is archived. */
  isActive: z.boolean(),
  /** Unix seconds of its first and last entry; null where nobody knows. */
  start: z.number().nullable(),
  end: z.number().nullable(),
  /** Null where nobody counted. */
  entries: z.number().nullable(),
  /** As chibi estimates them for rotations. */
  tokens: z.number().nullable(),
  bytes: z.int(),
  /** `unproven`: it has a seal that cannot be read. */
  seal: z.enum(['sealed', 'none', 'unproven']),
  hasFilter: z.boolean(),
  /** The manifest does not list it. */
  isStray: z.boolean(),
})
export type PartitionRow = z.infer<typeof PartitionRow>

/** A context's transcript by files, and when the active one is archived. */
export const Partitions = z.object({
  rows: z.array(PartitionRow),
  thresholds: z.object({
    entries: z.number(),
    /** Null where there is no limit. */
    tokens: z.number().nullable(),
    ageSeconds: z.number(),
  }),
})
export type Partitions = z.infer<typeof Partitions>

/** Result of a check of one file. */
export const CheckedFile = z.object({
  file: z.string(),
  lines: z.int(),
  damaged: z.int(),
  sealed: z.boolean(),
  /** False where it is not what was sealed, or nobody can tell. */
  ok: z.boolean(),
  firstChangedByte: z.int().optional(),
  withinBytes: z.int().optional(),
  addedBytes: z.int().optional(),
})
export type CheckedFile = z.infer<typeof CheckedFile>

/** A context's `transcript.md`: its end, where it is long. */
export const PageText = z.object({
  text: z.string(),
  bytes: z.int(),
  /** Number of bytes before `text` that are left out. */
  leftOut: z.int(),
})
export type PageText = z.infer<typeof PageText>
