/** Breaks a connection that says nothing for too long, and lets nobody wait for one that was broken. */
export interface SilenceWatch {
  /**
   * Waits for `what`, at most `ms`; then the connection is broken, and `broken` is set. Rejects as soon as the
   * connection is broken, by this or by anybody else.
   *
   * Only waiting counts: while the reader of a stream is busy elsewhere, no time runs.
   */
  limit<T>(ms: number, what: () => Promise<T>): Promise<T>
  readonly broken: boolean
}

export function silenceWatch(connection: AbortController): SilenceWatch {
  let broken = false
  return {
    async limit(ms, what) {
      const timer = setTimeout(() => {
        broken = true
        connection.abort()
      }, ms)
      const { signal } = connection
      let refuse: () => void = () => undefined
      // The older runtime's fetch holds its signal weakly: after a garbage collection an abort does not reach it.
      const ended = new Promise<never>((_, reject) => {
        refuse = () => reject(new Error('the connection was broken'))
        if (signal.aborted) refuse()
        else signal.addEventListener('abort', refuse, { once: true })
      })
      try {
        return await Promise.race([what(), ended])
      } finally {
        clearTimeout(timer)
        signal.removeEventListener('abort', refuse)
      }
    },
    get broken() {
      return broken
    },
  }
}
