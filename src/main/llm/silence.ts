/** Breaks a connection that says nothing for too long. */
export interface SilenceWatch {
  /**
   * Waits for `what`, at most `ms`; then the connection is broken, `what` fails by that, and `broken` is set.
   *
   * Only waiting counts: while the reader of a stream is busy elsewhere, no time runs.
   */
  limit<T>(ms: number, what: () => Promise<T>): Promise<T>
  readonly broken: boolean
}

export function silenceWatch(breakConnection: () => void): SilenceWatch {
  let broken = false
  return {
    async limit(ms, what) {
      const timer = setTimeout(() => {
        broken = true
        breakConnection()
      }, ms)
      try {
        return await what()
      } finally {
        clearTimeout(timer)
      }
    },
    get broken() {
      return broken
    },
  }
}
