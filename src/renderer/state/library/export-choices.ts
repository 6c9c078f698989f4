import { z } from 'zod'
import { ExportBranches, ExportInto } from '../../../shared/model/export'
import {
  allParts,
  type ExportChoices,
  ExportParts,
  type ExportRange,
  leavesOut,
} from '../../../shared/model/export-choices'
import { Redaction, RedactionGroup } from '../../../shared/model/redaction'

/** Choices of the export dialog that are kept for the next time. */
export const KeptChoices = z.object({
  parts: ExportParts,
  /** `usual` is the format's own. */
  branches: z.union([ExportBranches, z.literal('usual')]),
  redacts: z.boolean(),
  groups: z.array(RedactionGroup),
  patterns: z.array(z.string()),
  /** Where several go. */
  into: ExportInto.default('folder'),
})
export type KeptChoices = z.infer<typeof KeptChoices>

/** Choices of somebody who has made none. */
const usualChoices: KeptChoices = {
  parts: allParts,
  branches: 'usual',
  redacts: false,
  groups: RedactionGroup.options,
  patterns: [],
  into: 'folder',
}

/** Reads choices as they were stored; those of nobody where that is damaged. */
export function parseKeptChoices(text: string | undefined): KeptChoices {
  if (text === undefined) return usualChoices
  try {
    return KeptChoices.parse(JSON.parse(text))
  } catch {
    return usualChoices
  }
}

/**
 * Makes what main is asked for; undefined where nothing but the usual is chosen.
 *
 * @param kept ids of findings that stay
 */
export function chosenExport(
  { parts, branches, redacts, groups, patterns }: KeptChoices,
  range: ExportRange | undefined,
  kept: readonly string[],
): ExportChoices | undefined {
  const redaction = Redaction.safeParse({ groups, patterns, kept })
  const chosen = {
    ...(leavesOut(parts, undefined) ? { parts } : {}),
    ...(branches === 'usual' ? {} : { branches }),
    ...(range === undefined ? {} : { range }),
    ...(redacts && redaction.success ? { redaction: redaction.data } : {}),
  }
  return Object.keys(chosen).length === 0 ? undefined : chosen
}
