import { nodeDisk } from '../../src/main/disk/node-disk'
import { type FaultPlan, type FaultyDisk, faultyDisk } from './faulty-disk'

/** Some of what is tried waits for a lock that nobody gives back; meanwhile others are tried. */
const sideBySide = 8

/**
 * Tries with 1, 2, 3 and so on, several side by side, until one says that nothing was left to try; gives how many were
 * before it. Each has to stand alone; some after the last are tried too.
 *
 * @throws what was thrown at the least number, when those beside it have ended
 */
export async function untilNoneIsLeft(isOver: (at: number) => Promise<boolean>): Promise<number> {
  let next = 1
  let end = Number.POSITIVE_INFINITY
  const failures = new Map<number, unknown>()
  const work = async () => {
    while (next < end && failures.size === 0) {
      const at = next++
      try {
        if (await isOver(at)) end = Math.min(end, at)
      } catch (error) {
        failures.set(at, error)
      }
    }
  }
  await Promise.all(Array.from({ length: sideBySide }, work))
  if (failures.size > 0) throw failures.get(Math.min(...failures.keys()))
  return end - 1
}

/** Runs the work with a fault at its nth change of the disk, for each n until none is left; gives how many there were. */
export function atEveryCall(
  plan: FaultPlan,
  run: (disk: FaultyDisk) => Promise<void>,
): Promise<number> {
  return untilNoneIsLeft(async (at) => {
    const disk = faultyDisk(nodeDisk, { ...plan, at })
    await run(disk)
    return disk.calls() < at
  })
}
