/** Work that writes outside of a home, and is ended before the program is. */
export interface WorkToEnd {
  /** Runs work with a signal that aborts at the end of the program; behind that, with one that is aborted. */
  run<T>(work: (ending: AbortSignal) => Promise<T>): Promise<T>
  /** Aborts the signals of what runs now; what begins later runs. */
  stop(): void
  /** Aborts the signals, and resolves when all work has ended, whichever way, also what begins meanwhile. */
  end(): Promise<void>
}

/** Makes what ends work: nothing that is half written stays behind. */
export function openWorkToEnd(): WorkToEnd {
  const running = new Map<Promise<unknown>, AbortController>()
  let isEnded = false

  function stop(): void {
    for (const ending of running.values()) ending.abort()
  }

  return {
    async run(work) {
      const ending = new AbortController()
      if (isEnded) ending.abort()
      const done = work(ending.signal)
      running.set(done, ending)
      try {
        return await done
      } finally {
        running.delete(done)
      }
    },
    stop,
    async end() {
      isEnded = true
      stop()
      while (running.size > 0) {
        const now = [...running.keys()]
        await Promise.allSettled(now)
        for (const done of now) running.delete(done)
      }
    },
  }
}
