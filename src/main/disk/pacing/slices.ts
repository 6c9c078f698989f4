/** Work in slices: it yields the bytes that it has gone through since it last did, about `sliceBytes` of them. */
export type Sliced<T> = Generator<number, T, void>

/** Gone through at once: some milliseconds, also on a slow machine. */
export const sliceBytes = 256 * 1024

/** Lets others have their turn; resolves when they had it. Is told what was gone through since the last time, in bytes. */
export type YieldToOthers = (bytes: number) => Promise<void>

// The one that was there first: a test that stands in for the clock does not stop reading.
const atNextTurn = setImmediate

/** Lets the event loop go around once. */
const goAround: YieldToOthers = () => new Promise((resolve) => atNextTurn(resolve))

/** What others hardly notice, in milliseconds. */
const shortTurnMs = 8

/**
 * Gives way only once a turn has lasted long enough to be noticed: in a process with windows each way around the event loop
 * takes two threads, and on a busy machine longer than many slices. A line of 64 MB has 1,500 of them.
 *
 * @param now milliseconds of a clock that never goes back
 */
export function yieldWhenDue(
  now: () => number = () => performance.now(),
  giveWay: YieldToOthers = goAround,
): YieldToOthers {
  let began = Number.NEGATIVE_INFINITY
  let gone = 0
  return async (bytes) => {
    gone += bytes
    if (now() - began < shortTurnMs) return
    const told = gone
    gone = 0
    await giveWay(told)
    began = now()
  }
}

/** One for the whole thread: who reads beside others has part of the same turn. */
export const yieldToOthers: YieldToOthers = yieldWhenDue()

/** Does work that gives way to others between its slices. */
export async function runInSlices<T>(
  work: Sliced<T>,
  giveWay: YieldToOthers = yieldToOthers,
): Promise<T> {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
    await giveWay(step.value)
  }
}

/** Does work to its end, in a thread that nobody waits for. */
export function runAtOnce<T>(work: Sliced<T>): T {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}
