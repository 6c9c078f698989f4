import { nodeDisk } from '../../src/main/disk/node/node-disk'
import { type FaultPlan, type FaultyDisk, faultyDisk } from './faulty-disk'

/** Some of what is tried waits for a lock that nobody gives back; meanwhile others are tried. */
const sideBySide = 8

/** Set where each call of the disk is tried, as `npm run test:faults` asks; else long tests try some, the same each time. */
export const triesAll = process.env.SKEIN_FAULTS === 'all'

/** Numbers that are tried: from the first on, each so many. */
export interface Steps {
  readonly first: number
  readonly step: number
}

const each: Steps = { first: 1, step: 1 }

/** Picks a third of the numbers, unless all are to be tried; three phases, 0 to 2, make the whole. */
export const aThird = (phase = 0): Steps => (triesAll ? each : { first: 1 + (phase % 3), step: 3 })

/**
 * Tries with 1, 2, 3 and so on, several side by side, until one says that nothing was left to try; gives the greatest
 * number tried before it. Each has to stand alone; some after the last are tried too.
 *
 * @throws what was thrown at the least number, when those beside it have ended
 */
export async function untilNoneIsLeft(
  isOver: (at: number) => Promise<boolean>,
  { first, step }: Steps = each,
): Promise<number> {
  let next = first
  let end = Number.POSITIVE_INFINITY
  const failures = new Map<number, unknown>()
  const work = async () => {
    while (next < end && failures.size === 0) {
      const at = next
      next += step
      try {
        if (await isOver(at)) end = Math.min(end, at)
      } catch (error) {
        failures.set(at, error)
      }
    }
  }
  await Promise.all(Array.from({ length: sideBySide }, work))
  if (failures.size > 0) throw failures.get(Math.min(...failures.keys()))
  return Math.max(0, end - step)
}

/** Runs the work with a fault at its nth change of the disk, for each n until none is left; gives the last one's number. */
export function atEveryCall(
  plan: FaultPlan,
  run: (disk: FaultyDisk) => Promise<void>,
  steps: Steps = each,
): Promise<number> {
  return untilNoneIsLeft(async (at) => {
    const disk = faultyDisk(nodeDisk, { ...plan, at })
    await run(disk)
    return disk.calls() < at
  }, steps)
}
