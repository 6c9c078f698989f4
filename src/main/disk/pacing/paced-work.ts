/** Quiet time after a piece of work, in times of what the work took: at most a fifth of the time is worked. */
const quietTimes = 4

/**
 * Runs the work on request, never twice at once, and after it only once it was quiet for a while: requests in between
 * are answered by one run. Keeps no process alive.
 */
export function pacedWork(work: () => Promise<void>): { ask(): void; stop(): void } {
  let timer: NodeJS.Timeout | undefined
  let isWorking = false
  let isAsked = false
  let isStopped = false

  async function run(): Promise<void> {
    isAsked = false
    isWorking = true
    const startedAt = performance.now()
    await work()
    isWorking = false
    const took = performance.now() - startedAt
    timer = setTimeout(() => {
      timer = undefined
      if (isAsked && !isStopped) void run()
    }, took * quietTimes).unref()
  }

  return {
    ask() {
      isAsked = true
      if (!isStopped && !isWorking && timer === undefined) void run()
    },
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
