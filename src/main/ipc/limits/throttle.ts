/** Between two events of what goes on for long, in milliseconds: at most ten a second. */
const toldEveryMs = 100

/** Passes the first value on at once, and of those that come soon after it only the last, a while later. */
export function throttled<T>(say: (value: T) => void): { ask(value: T): void; stop(): void } {
  let timer: NodeJS.Timeout | undefined
  let next: { readonly value: T } | undefined
  const wait = () => {
    timer = setTimeout(() => {
      timer = undefined
      if (next === undefined) return
      const { value } = next
      next = undefined
      say(value)
      wait()
    }, toldEveryMs)
  }
  return {
    ask(value) {
      if (timer !== undefined) {
        next = { value }
        return
      }
      say(value)
      wait()
    },
    stop: () => clearTimeout(timer),
  }
}
