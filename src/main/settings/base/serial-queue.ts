/**
 * Makes acts wait for each other, in the order in which they were asked for: two that read the same would lose one of
 * them.
 */
export function createSerialQueue(): <T>(act: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (act) => {
    const next = last.then(act)
    last = next.catch(() => undefined)
    return next
  }
}
