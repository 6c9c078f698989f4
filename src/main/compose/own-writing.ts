/** Which contexts are written by us though no run is going on there: a window is compacted or cleared. */
export interface OwnWriting {
  isWritten(key: string): boolean
  /** Does some work that writes in a context. What grew by it is told before it counts as ended, so it is nobody else's. */
  during<T>(key: string, work: () => Promise<T>): Promise<T>
  /** As `during`, for work that tells how far it is. */
  through<Step, End>(
    key: string,
    work: AsyncGenerator<Step, End, void>,
  ): AsyncGenerator<Step, End, void>
}

/** @param refresh has a conversation's row read and told. Never rejects. */
export function openOwnWriting(refresh: (key: string) => Promise<void>): OwnWriting {
  const counts = new Map<string, number>()

  function begin(key: string): void {
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }

  async function end(key: string): Promise<void> {
    // The window takes a growth for somebody else's unless the row says that it is ours, before or with it.
    await refresh(key)
    const left = (counts.get(key) ?? 1) - 1
    if (left > 0) counts.set(key, left)
    else counts.delete(key)
    await refresh(key)
  }

  return {
    isWritten: (key) => counts.has(key),
    async during(key, work) {
      begin(key)
      try {
        return await work()
      } finally {
        await end(key)
      }
    },
    async *through(key, work) {
      begin(key)
      try {
        return yield* work
      } finally {
        await end(key)
      }
    },
  }
}
