import { z } from 'zod'

/**
 * Names a text of a home that people write: `AGENTS.md`, `models.toml`, or a file of `prompts`. Of other letters than English ones a
 * name has fewer: disks count bytes. A deleted prompt has `.deleted` behind its name, and a number where that is taken.
 */
export const HomeTextName = z.union([
  z.enum(['AGENTS.md', 'models.toml']),
  z.string().regex(/^prompts\/[A-Za-z0-9_][A-Za-z0-9_.-]{0,100}(?:\.deleted(?:-\d{1,4})?)?\.md$/),
  z
    .string()
    .regex(/^prompts\/[\p{L}\p{N}_][\p{L}\p{M}\p{N}_.-]{0,39}(?:\.deleted(?:-\d{1,4})?)?\.md$/u),
])
export type HomeTextName = z.infer<typeof HomeTextName>

/** A text of a home, without its words. */
export const HomeText = z.object({
  name: HomeTextName,
  /** Null where the file is not there. */
  bytes: z.int().nullable(),
  /** Why it cannot be read or changed here, in a sentence. */
  fault: z.string().optional(),
})
export type HomeText = z.infer<typeof HomeText>

/** The texts that have a meaning of their own, in the order in which they are shown; the home may have more prompts. */
export const knownHomeTexts: readonly HomeTextName[] = [
  'prompts/chibi.md',
  'prompts/reflection.md',
  'AGENTS.md',
  'prompts/compaction.md',
  'prompts/continuation.md',
  'prompts/title.md',
  'models.toml',
]
