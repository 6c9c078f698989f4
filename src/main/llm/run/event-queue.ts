/** A queue of events that callbacks add and a generator yields. */
export interface EventQueue<T> {
  tell(event: T): void
  /** Yields the events until the promise, which must not reject, has settled. */
  until(promise: Promise<unknown>): AsyncGenerator<T, void, void>
}

/** Returns an empty queue. */
export function eventQueue<T>(): EventQueue<T> {
  const waiting: T[] = []
  let wake: () => void = () => undefined
  return {
    tell(event) {
      waiting.push(event)
      wake()
    },
    async *until(promise) {
      let isSettled = false
      void promise.then(() => {
        isSettled = true
        wake()
      })
      for (;;) {
        for (let event = waiting.shift(); event !== undefined; event = waiting.shift()) yield event
        if (isSettled) return
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
  }
}
