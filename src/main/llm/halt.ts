/** A signal that aborts with the first of several. (AbortSignal.any is missing in the older runtime.) */
export function haltOn(signals: readonly AbortSignal[]): {
  readonly signal: AbortSignal
  /** Aborts it as well: what is still going on when its caller has left goes on for nobody. */
  release(): void
} {
  const controller = new AbortController()
  const halt = () => controller.abort()
  for (const signal of signals) {
    if (signal.aborted) halt()
    signal.addEventListener('abort', halt)
  }
  return {
    signal: controller.signal,
    release() {
      for (const signal of signals) signal.removeEventListener('abort', halt)
      halt()
    },
  }
}
