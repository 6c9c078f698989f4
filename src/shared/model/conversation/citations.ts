import { z } from 'zod'

/** A page that an answer cites: an element of `metadata.citations`; `[1]` in its words is the first. */
export const Citation = z.object({
  /** Begins with http:// or https://. */
  url: z
    .string()
    .max(4000)
    .regex(/^https?:\/\/\S+$/i),
  title: z.string().optional().catch(undefined),
})
export type Citation = z.infer<typeof Citation>

/** More of one answer is a flood; the raw view has them all. */
const mostCitations = 200

/**
 * Reads the pages that an entry cites, at most 200. Values of another shape are left out, and their numbers with
 * them.
 */
export function citationsOf(
  metadata: Readonly<Record<string, unknown>> | undefined,
): readonly (Citation & { readonly number: number })[] {
  const told = metadata?.citations
  if (!Array.isArray(told)) return []
  return told.slice(0, mostCitations).flatMap((one, index) => {
    const { data } = Citation.safeParse(typeof one === 'string' ? { url: one } : one)
    return data === undefined ? [] : [{ ...data, number: index + 1 }]
  })
}
