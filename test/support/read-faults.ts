import { aThird, atEveryCall } from './every-call'
import type { FaultPlan, FaultyDisk } from './faulty-disk'

/** What a system says of a file that is there: EIO, EACCES, and EMFILE, which only calls for a descriptor meet. */
export const readFaults: readonly ReadFault[] = [
  { errno: 'EIO', fault: 'io', only: 'read' },
  { errno: 'EACCES', fault: 'denied', only: 'read' },
  { errno: 'EMFILE', fault: 'io', only: 'open' },
]

interface ReadFault extends FaultPlan {
  readonly errno: string
}

/** What came of an attempt: a result, or the words of the refusal. */
type Outcome<T> = { readonly made: T } | { readonly refused: Error }

async function outcomeOf<T>(work: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { made: await work() }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return { refused: error }
  }
}

/**
 * Tries the work with a fault at its nth reading call, for each n until none is left, and tells what came of each. Long
 * work may take a third of the calls, for each errno another one (`sampled`); `npm run test:faults` takes every call.
 *
 * @returns the number of the last call that was tried, and at how many the work was refused
 */
export async function atEveryReading<T>(
  plan: ReadFault,
  work: (disk: FaultyDisk) => Promise<T>,
  check: (outcome: Outcome<T>, at: number) => void | Promise<void>,
  takes: 'every call' | 'sampled' = 'every call',
): Promise<{ readonly tried: number; readonly refused: number }> {
  let refused = 0
  const tried = await atEveryCall(
    plan,
    async (disk) => {
      const outcome = await outcomeOf(() => work(disk))
      // One behind the last call has met no fault.
      if ('refused' in outcome) refused += 1
      await check(outcome, disk.calls())
    },
    takes === 'sampled' ? aThird(readFaults.indexOf(plan)) : undefined,
  )
  return { tried, refused }
}
