import { z } from 'zod'

/** An own pattern of redaction: a text as it is, in any case, or a regular expression between slashes, with flags. */
export const OwnPattern = z.string().min(1).max(1000)
export type OwnPattern = z.infer<typeof OwnPattern>

/** Number of own patterns of one export, or that are kept. */
export const mostOwnPatterns = 100
