import { z } from 'zod'
import { LabelColor } from './conversation/label'
import { ForkRuleName } from './family/tree'

/** The form of an export that can be imported again; a greater one is a newer Skein's. */
export const skeinExportForm = 1

/** First line of a conversation as JSONL: all that is known of it besides its entries. Members of another type count as absent. */
export const SkeinExportHead = z.looseObject({
  skeinExport: z.int().positive(),
  source: z.string().min(1).max(100),
  key: z.string().min(1).max(1000),
  title: z.string().optional().catch(undefined),
  project: z.string().nullish().catch(undefined),
  tags: z.array(z.string()).optional().catch(undefined),
  pinned: z.literal(true).optional().catch(undefined),
  color: LabelColor.optional().catch(undefined),
  hidden: z.literal(true).optional().catch(undefined),
  /** ISO 8601. */
  created: z.string().nullish().catch(undefined),
  /** Absent where entries have no parents. */
  forkRule: ForkRuleName.optional().catch(undefined),
})
export type SkeinExportHead = z.infer<typeof SkeinExportHead>

const Count = z.int().nonnegative().optional().catch(undefined)

/** Last line of a conversation as JSONL: how many entries it has, and what of the conversation is not among them. */
export const SkeinExportEnd = z.looseObject({
  skeinExportEnd: z.int().positive(),
  entries: z.int().nonnegative(),
  /** Damaged lines: they are no entries. */
  damaged: Count,
  /** Entries that a person left out. */
  leftOut: Count,
  /** Entries on other branches, where the current one alone was written. */
  otherBranches: Count,
  /** Parts of the conversation that could not be read. */
  unread: Count,
  /** Entries have no times, by choice. */
  withoutTimes: z.literal(true).optional().catch(undefined),
  /** Entries have nothing of what the model reasoned, by choice. */
  withoutReasoning: z.literal(true).optional().catch(undefined),
  /** What looked like a secret was replaced. */
  redacted: z.literal(true).optional().catch(undefined),
  /** It was written from an export that broke off. */
  brokeOff: z.literal(true).optional().catch(undefined),
  /** The last entry of the branch that the conversation is on. */
  leaf: z.string().optional().catch(undefined),
})
export type SkeinExportEnd = z.infer<typeof SkeinExportEnd>

/** Place that an entry had in the files it was exported from, and what else is needed to write the same line again. */
export const ExportedPlace = z.object({
  file: z.string(),
  line: z.int().optional(),
  offset: z.int(),
  length: z.int(),
  inherited: z.literal(true).optional(),
  /** The entry had no metadata. */
  isBare: z.literal(true).optional(),
  /** The members that stood behind its place, in their order. */
  behind: z.array(z.string()).optional(),
  /** What stood there under the name of this very member. */
  exported: z.unknown().optional(),
})
export type ExportedPlace = z.infer<typeof ExportedPlace>

/** Lists in words what an export says is not in it; empty where nothing is missing. */
export function missingFromExport(end: SkeinExportEnd): readonly string[] {
  const { damaged = 0, leftOut = 0, otherBranches = 0, unread = 0 } = end
  const all: readonly (readonly [number, string, string])[] = [
    [leftOut, 'entry that was left out', 'entries that were left out'],
    [otherBranches, 'entry of another branch', 'entries of other branches'],
    [damaged, 'damaged line', 'damaged lines'],
    [unread, 'part that could not be read', 'parts that could not be read'],
  ]
  return all.flatMap(([count, one, many]) =>
    count === 0 ? [] : [`${count} ${count === 1 ? one : many}`],
  )
}
