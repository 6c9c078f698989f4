import { z } from 'zod'
import { call, event } from '../wire/primitives'

/** Something that was put off or failed with nobody waiting for it: a title, a compaction, the index, a plugin's hook. */
export const BackgroundNotice = z.object({
  id: z.int(),
  /** Unix milliseconds, of the last time. */
  atMs: z.number(),
  words: z.string(),
  /** Number of times that it happened. */
  times: z.int(),
})
export type BackgroundNotice = z.infer<typeof BackgroundNotice>

/** Calls and events of background notices. */
export const backgroundContract = {
  /** Since Skein was started, the newest first; at most a few hundred. */
  list: call(z.void(), z.array(BackgroundNotice)),
  /** Drops those up to this one from the list; nothing else changes. */
  dismiss: call(z.object({ upTo: z.int() }), z.array(BackgroundNotice)),
  changed: event(z.array(BackgroundNotice)),
}
