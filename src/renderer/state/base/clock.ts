/** Time as the stores need it: tests move it by hand. */
export interface StoreClock {
  /** Unix milliseconds. */
  now(): number
  /** Does something once, after so many milliseconds; the returned function calls it off. */
  after(ms: number, act: () => void): () => void
}

/** The time of the system. */
export const browserClock: StoreClock = {
  now: () => Date.now(),
  after(ms, act) {
    const timer = setTimeout(act, ms)
    return () => clearTimeout(timer)
  },
}
