import { z } from 'zod'

/** A format that a conversation can be written in; also the name of `skein export --format`. */
export const ExportFormat = z.enum(['md', 'html', 'json', 'jsonl'])
export type ExportFormat = z.infer<typeof ExportFormat>

/** `active` is the path to the current leaf; `all` every branch, and the family's other conversations where they are given. */
export const ExportBranches = z.enum(['active', 'all'])
export type ExportBranches = z.infer<typeof ExportBranches>
