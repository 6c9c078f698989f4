import { nodeDisk } from '../../src/main/disk/node/node-disk'
import { drawnOf, numbersBetween, sayingWhere, triesAll } from './drawn'
import { type FaultPlan, type FaultyDisk, faultyDisk } from './faulty-disk'

/** Some of what is tried waits for a lock that nobody gives back; meanwhile others are tried. */
const sideBySide = 8

/** So many calls of a sample are drawn from all, besides the first, the last and one of each kind. */
const others = 4

/**
 * Tries with 1, 2, 3 and so on, several side by side, until one says that nothing was left to try; gives the greatest
 * number tried before it. Each has to stand alone; some after the last are tried too.
 *
 * @throws what was thrown at the least number, when those beside it have ended
 */
export async function untilNoneIsLeft(isOver: (at: number) => Promise<boolean>): Promise<number> {
  let end = Number.POSITIVE_INFINITY
  let next = 0
  await allOf(
    () => {
      next += 1
      return next < end ? next : undefined
    },
    async (at) => {
      if (await isOver(at)) end = Math.min(end, at)
    },
  )
  return Math.max(0, end - 1)
}

/**
 * Makes an attempt at each call that it makes, or at a drawn sample of them (`drawnOf`) unless everything is tried. Each
 * attempt has to stand alone.
 *
 * @param attempt of which the call with a number fails, if it comes to that; tells the kinds of its calls, in order
 * @returns how many calls there are
 * @throws what was thrown at the least number, when those beside it have ended
 */
export async function atDrawnCalls(
  attempt: (at: number) => Promise<readonly unknown[]>,
  more: number = others,
): Promise<number> {
  if (triesAll) return untilNoneIsLeft(async (at) => (await attempt(at)).length < at)
  const kinds = await attempt(Number.POSITIVE_INFINITY)
  const due = [...drawnOf(numbersBetween(1, kinds.length), more, (at) => kinds[at - 1])]
  await allOf(
    () => due.shift(),
    async (at) => void (await attempt(at)),
  )
  return kinds.length
}

/**
 * Runs the work with a fault at its nth change of the disk, for every n or a drawn sample (`atDrawnCalls`); gives how many
 * changes there are.
 */
export function atEveryCall(
  plan: FaultPlan,
  run: (disk: FaultyDisk) => Promise<void>,
): Promise<number> {
  return atDrawnCalls(async (at) => {
    const disk = faultyDisk(nodeDisk, { ...plan, at })
    await run(disk)
    return disk.kinds()
  })
}

/** Does the same with each number, several side by side, until there is no next one, or one has failed. */
async function allOf(
  next: () => number | undefined,
  work: (at: number) => Promise<void>,
): Promise<void> {
  const failures = new Map<number, unknown>()
  const worker = async () => {
    while (failures.size === 0) {
      const at = next()
      if (at === undefined) return
      try {
        await work(at)
      } catch (error) {
        failures.set(at, error)
      }
    }
  }
  await Promise.all(Array.from({ length: sideBySide }, worker))
  const least = Math.min(...failures.keys())
  if (failures.size > 0) throw sayingWhere(failures.get(least), `call ${least}`)
}
