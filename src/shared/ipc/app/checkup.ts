import { z } from 'zod'
import { Checkup, HomeFinding } from '../../model/checkup'
import { call, event } from '../wire/primitives'

/** The progress of a checkup: conversations that were looked at, and all. */
export const CheckupStep = z.object({ done: z.int(), all: z.int() })
export type CheckupStep = z.infer<typeof CheckupStep>

/** A home that was repaired, and what is left. */
export const CheckupRepair = z.object({
  /** The snapshot that was taken before, as people write it. */
  copy: z.string(),
  repaired: z.array(HomeFinding),
  failed: z.array(z.object({ place: z.string(), why: z.string() })),
  /** Why it ended before all was done, such as `stop`; null where it did not. */
  stopped: z.string().nullable(),
  after: Checkup,
})
export type CheckupRepair = z.infer<typeof CheckupRepair>

/** Calls and events of checkups of the open home. One is going on at a time. */
export const checkupContract = {
  /** Looks for everything that is wrong, and changes nothing. Throws `busy`, `not-found`, `unreadable`, and `cancelled` after `stop`. */
  check: call(z.void(), Checkup),
  /**
   * Asks for a folder by the system's dialog, writes a snapshot there, and repairs what is certain; null when it was cancelled, or there
   * is nothing to repair. Throws as `check` and `snapshots.take`; once there is a snapshot nothing: it says what was done until then.
   */
  repair: call(z.void(), CheckupRepair.nullable()),
  /** Ends what is going on. Does nothing when nothing is. */
  stop: call(z.void(), z.void()),
  /** At most ten a second. */
  progress: event(CheckupStep),
}
