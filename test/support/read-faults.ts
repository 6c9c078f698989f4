import { nodeDisk } from '../../src/main/disk/node/node-disk'
import { atDrawnCalls } from './every-call'
import { type FaultPlan, type FaultyDisk, faultyDisk } from './faulty-disk'

/** What a system says of a file that is there: EIO, EACCES, and EMFILE, which only calls for a descriptor meet. */
export const readFaults: readonly ReadFault[] = [
  { errno: 'EIO', fault: 'io', only: 'read' },
  { errno: 'EACCES', fault: 'denied', only: 'read' },
  { errno: 'EMFILE', fault: 'io', only: 'open' },
]

interface ReadFault extends FaultPlan {
  readonly errno: string
}

/** Outcome of an attempt: a result, or the words of the refusal. */
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
 * Tries the work with a fault at its nth reading call, for a drawn sample of its calls (`drawnOf`), and tells what came of
 * each; `npm run test:faults` takes every call.
 *
 * @param others so many calls are tried besides the first, the last and one of each kind
 * @returns how many calls there are, and at how many the work was refused
 */
export async function atEveryReading<T>(
  plan: ReadFault,
  work: (disk: FaultyDisk) => Promise<T>,
  check: (outcome: Outcome<T>, at: number) => void | Promise<void>,
  others?: number,
): Promise<{ readonly calls: number; readonly refused: number }> {
  let refused = 0
  const calls = await atDrawnCalls(async (at) => {
    const disk = faultyDisk(nodeDisk, { ...plan, at })
    const outcome = await outcomeOf(() => work(disk))
    // One behind the last call has met no fault.
    if ('refused' in outcome) refused += 1
    await check(outcome, disk.calls())
    return disk.kinds()
  }, others)
  return { calls, refused }
}
