/** Work in slices: it yields the bytes that it has gone through since it last did, about `sliceBytes` of them. */
export type Sliced<T> = Generator<number, T, void>

/** Gone through at once: some milliseconds, also on a slow machine. */
export const sliceBytes = 256 * 1024

/** Lets others have their turn; resolves when they had it. Is told what was gone through since the last time, in bytes. */
export type Breathe = (bytes: number) => Promise<void>

/** Lets the event loop go around once. */
const breathe: Breathe = () => new Promise((resolve) => setImmediate(resolve))

/** Does work that gives way to others between its slices. */
export async function inSlices<T>(work: Sliced<T>, giveWay: Breathe = breathe): Promise<T> {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
    await giveWay(step.value)
  }
}

/** Does work to its end, in a thread that nobody waits for. */
export function atOnce<T>(work: Sliced<T>): T {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}
