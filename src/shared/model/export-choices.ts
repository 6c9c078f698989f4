import { z } from 'zod'
import { ExportBranches } from './export'
import { Redaction, RedactionReport } from './redaction'

/** Parts of a conversation that an export may leave out. */
export const ExportParts = z.object({
  /** Tool calls with their results, without, or neither. */
  tools: z.enum(['all', 'calls', 'none']),
  reasoning: z.boolean(),
  /** The system's messages. */
  system: z.boolean(),
  /** The times of entries and of the conversation. */
  times: z.boolean(),
})
export type ExportParts = z.infer<typeof ExportParts>

/** Parts of somebody who leaves none out. */
export const allParts: ExportParts = { tools: 'all', reasoning: true, system: true, times: true }

/** Rows of a conversation in the order of its file, by ids of entries or by `rowKey`; open where an end is absent. */
export const ExportRange = z.object({
  /** The first one. */
  from: z.string().min(1).max(4096).optional(),
  /** The last one. */
  to: z.string().min(1).max(4096).optional(),
  /** The one behind the last. */
  before: z.string().min(1).max(4096).optional(),
})
export type ExportRange = z.infer<typeof ExportRange>

/** Choices of a person for an export, besides its format. */
export const ExportChoices = z.object({
  /** The format's usual where it is absent. */
  branches: ExportBranches.optional(),
  /** All where it is absent. */
  parts: ExportParts.optional(),
  range: ExportRange.optional(),
  /** Nothing is redacted where it is absent. */
  redaction: Redaction.optional(),
})
export type ExportChoices = z.infer<typeof ExportChoices>

/** Beginning of an export, exactly as it is written, with what is redacted in all of it. */
export const ExportPreview = z.object({
  text: z.string(),
  /** The text is all of it. */
  isWhole: z.boolean(),
  /** Null where nothing is redacted. */
  redacted: RedactionReport.nullable(),
})
export type ExportPreview = z.infer<typeof ExportPreview>

/** Tells whether choices of this kind leave anything out. */
export function leavesOut(parts: ExportParts | undefined, range: ExportRange | undefined): boolean {
  const { tools, reasoning, system, times } = parts ?? allParts
  const hasEnd = range !== undefined && Object.values(range).some((end) => end !== undefined)
  return hasEnd || tools !== 'all' || !reasoning || !system || !times
}
