/** A line for work that must not overlap, inside one process: two that read the same and then write would lose one change. */
export class Mutex {
  private last: Promise<unknown> = Promise.resolve()

  /** Begins `work` once all that was given before has ended, well or not; resolves or rejects as it does. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.last.then(work)
    this.last = result.catch(() => undefined) // Who gave it is told.
    return result
  }

  /** Resolves once all that was given so far has ended. Never rejects. */
  async idle(): Promise<void> {
    await this.last
  }
}

/**
 * Makes calls of `work` run one at a time. Calls that come while one waits for its turn share it, so that each call is
 * followed by a whole run that began after it: two runs at most for any number of calls at once.
 */
export function joinCalls<T>(work: () => Promise<T>): () => Promise<T> {
  const turns = new Mutex()
  let waiting: Promise<T> | undefined
  return () => {
    waiting ??= turns.run(() => {
      waiting = undefined
      return work()
    })
    return waiting
  }
}
