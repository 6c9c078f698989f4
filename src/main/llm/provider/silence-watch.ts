import { type Clock, systemClock } from '../timing/clock'

/** A watch that breaks a connection after too long a silence, and lets nothing wait for a broken one. */
export interface SilenceWatch {
  /**
   * Waits for `what`, at most `ms`; then the connection is broken, and `brokenAfterMs` is set. Rejects as soon as the
   * connection is broken, by this or by anybody else.
   *
   * Only waiting counts: while the reader of a stream is busy elsewhere, no time runs.
   */
  limit<T>(ms: number, what: () => Promise<T>): Promise<T>
  /** After how many milliseconds of silence it was broken; undefined where it was not. */
  readonly brokenAfterMs: number | undefined
}

/** Why a wait is aborted, which nobody asks: without a reason an error is made, with its stack, for each piece of an answer. */
const over = 'over'

/** Returns the silence watch of a connection, which it breaks by aborting the controller. */
export function silenceWatch(
  connection: AbortController,
  clock: Pick<Clock, 'sleep'> = systemClock,
): SilenceWatch {
  let brokenAfterMs: number | undefined
  return {
    async limit(ms, what) {
      const { signal } = connection
      const waiting = new AbortController()
      void clock.sleep(ms, waiting.signal).then(() => {
        if (waiting.signal.aborted || signal.aborted) return
        brokenAfterMs = ms
        connection.abort()
      })
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
        waiting.abort(over)
        signal.removeEventListener('abort', refuse)
      }
    },
    get brokenAfterMs() {
      return brokenAfterMs
    },
  }
}
