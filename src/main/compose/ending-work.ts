/** Work that writes outside of a home, and is ended before the program is. */
export interface WorkToEnd {
  /** Runs work with a signal that aborts at the end of the program. */
  run<T>(work: (ending: AbortSignal) => Promise<T>): Promise<T>
  /** Aborts the signals, and resolves when all work has ended, whichever way. */
  end(): Promise<void>
}

/** Makes what ends work: nothing that is half written stays behind. */
export function openWorkToEnd(): WorkToEnd {
  const running = new Map<Promise<unknown>, AbortController>()
  return {
    async run(work) {
      const ending = new AbortController()
      const done = work(ending.signal)
      running.set(done, ending)
      try {
        return await done
      } finally {
        running.delete(done)
      }
    },
    async end() {
      for (const ending of running.values()) ending.abort()
      await Promise.allSettled(running.keys())
    },
  }
}
