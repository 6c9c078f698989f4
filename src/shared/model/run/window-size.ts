import { z } from 'zod'
import { LibraryKey } from '../conversation/conversation'
import { TokenCount, TokenParts } from './sent'

/** Size of a context's next request in the context window, before anything is written. In tokens. */
export const WindowSize = z.object({
  key: LibraryKey,
  parts: TokenParts,
  countedBy: TokenCount,
  /** All parts together. */
  total: z.int().nonnegative(),
  /** Number that the thresholds are compared with: the total, or chibi's estimate where that is larger. */
  guarded: z.int().nonnegative(),
  /** The model's window: as the settings say, else as its provider's list last had it; null where neither does. */
  limit: z.int().positive().nullable(),
  /** Percent of the window from which a run says that it is nearly full. */
  warnPercent: z.number(),
  /** Percent of the window from which room is made by itself; null where that is off. */
  compactPercent: z.number().nullable(),
})
export type WindowSize = z.infer<typeof WindowSize>
