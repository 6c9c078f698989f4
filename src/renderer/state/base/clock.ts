/** Clock of the stores, which tests move by hand. */
export interface StoreClock {
  /** Unix milliseconds. */
  now(): number
  /** Calls `act` once after so many ms; the returned function cancels it. */
  after(ms: number, act: () => void): () => void
}

/** Clock of the browser. */
export const browserClock: StoreClock = {
  now: () => Date.now(),
  after(ms, act) {
    const timer = setTimeout(act, ms)
    return () => clearTimeout(timer)
  },
}
