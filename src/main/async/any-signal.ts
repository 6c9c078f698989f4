import { setMaxListeners } from 'node:events'

/** Returns a signal that aborts with the first of several. (AbortSignal.any is missing in the older runtime.) */
export function anySignal(signals: readonly (AbortSignal | undefined)[]): {
  readonly signal: AbortSignal
  /** Aborts it as well: work that still runs when its caller has left is of no use. */
  release(): void
} {
  const controller = new AbortController()
  // Each of any number of calls at once listens to it, and to those; that is no leak to warn of.
  setMaxListeners(0, controller.signal)
  const halt = () => controller.abort()
  for (const signal of signals) {
    if (signal === undefined) continue
    if (signal.aborted) halt()
    setMaxListeners(0, signal)
    signal.addEventListener('abort', halt)
  }
  return {
    signal: controller.signal,
    release() {
      for (const signal of signals) signal?.removeEventListener('abort', halt)
      halt()
    },
  }
}
