import { z } from 'zod'
import { ErrorReport } from './basics/errors'

/** State of a list whose rows are shown before all of them are known. */
export const ListingState = z.discriminatedUnion('state', [
  /** Not all conversations are found: more rows will come. */
  z.object({ state: z.literal('finding') }),
  /** All conversations have their rows, and some are provisional. */
  z.object({ state: z.literal('reading') }),
  z.object({ state: z.literal('done') }),
  /** It ended before all were found. */
  z.object({ state: z.literal('failed'), failure: ErrorReport }),
])
export type ListingState = z.infer<typeof ListingState>
