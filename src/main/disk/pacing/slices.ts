/** Work in slices: it yields the number of bytes since its last yield, about `sliceBytes` of them. */
export type Sliced<T> = Generator<number, T, void>

/** Bytes of one slice: some milliseconds of work, also on a slow machine. */
export const sliceBytes = 256 * 1024

/** A pause that lets other work of the thread run; it takes the bytes processed since the last one. */
export type YieldToOthers = (bytes: number) => Promise<void>

// Taken at load: a test that replaces the timers does not stop reading.
const atNextTurn = setImmediate

/** Lets the event loop go around once. */
const goAround: YieldToOthers = () => new Promise((resolve) => atNextTurn(resolve))

/** Length of a turn that other work hardly notices, in milliseconds. */
const shortTurnMs = 8

/**
 * Returns a pause that yields only once a turn has lasted some milliseconds: in a process with windows each way around
 * the event loop takes two threads, and on a busy machine longer than many slices. A line of 64 MB has 1,500 of them.
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
    const bytesSince = gone
    gone = 0
    await giveWay(bytesSince)
    began = now()
  }
}

/** The pause of this thread; all readers share it, so that several at once do not add up to a long turn. */
export const yieldToOthers: YieldToOthers = yieldWhenDue()

/** Runs work to its end and yields to other work between its slices. */
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

/** Runs work to its end without yielding, for worker threads and short work. */
export function runAtOnce<T>(work: Sliced<T>): T {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}
