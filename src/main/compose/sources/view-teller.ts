const toldEveryMs = 100

/** A caller of a function that changes ask for: at most ten times a second, until it is closed. */
export interface ViewTeller {
  soon(): void
  now(): void
  close(): void
}

/** Makes the caller of `tell`. */
export function viewTeller(tell: () => void): ViewTeller {
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  function now(): void {
    clearTimeout(timer)
    timer = undefined
    if (!isClosed) tell()
  }
  return {
    soon() {
      if (!isClosed) timer ??= setTimeout(now, toldEveryMs)
    },
    now,
    close() {
      isClosed = true
      clearTimeout(timer)
    },
  }
}
