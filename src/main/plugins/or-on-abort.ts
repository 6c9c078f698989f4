/** Resolves to `work`, or to `instead` once the signal aborts; `work` is not cancelled. */
export async function orOnAbort<T>(
  work: Promise<T>,
  instead: T,
  signal: AbortSignal | undefined,
): Promise<T> {
  if (signal === undefined) return work
  if (signal.aborted) return instead
  let stop = () => {}
  const stopped = new Promise<T>((resolve) => {
    stop = () => resolve(instead)
    signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([work, stopped])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
