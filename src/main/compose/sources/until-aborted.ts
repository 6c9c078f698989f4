/**
 * Yields the items of an iterable until the signal aborts: then it ends at once, without an error, and does not wait
 * for the item that is still to come. So a disk that does not answer keeps nobody who wants to stop.
 */
export async function* untilAborted<T>(
  items: AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T> {
  const iterator = items[Symbol.asyncIterator]()
  let end = () => {}
  const ended = new Promise<undefined>((resolve) => {
    end = () => resolve(undefined)
  })
  signal.addEventListener('abort', end)
  if (signal.aborted) end()
  try {
    for (;;) {
      const next = await Promise.race([ended, iterator.next()])
      if (next === undefined || next.done === true) return
      yield next.value
    }
  } finally {
    signal.removeEventListener('abort', end)
    // Not awaited: an iterator that hangs does not answer this either.
    void Promise.resolve(iterator.return?.()).catch(() => undefined)
  }
}
