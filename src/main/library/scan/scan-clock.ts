import { sleep } from '../../async/sleep'

/** The time of scans, so that tests need none. */
export interface ScanClock {
  /** Milliseconds since whenever it began; never goes back. */
  now(): number
  /** Resolves after `ms`, or as soon as the signal aborts. Never rejects. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
  /** Calls after `ms`, unless the returned function was called before; keeps no process alive. */
  after(ms: number, call: () => void): () => void
}

/** The system's clock. */
export const systemScanClock: ScanClock = {
  now: () => performance.now(),
  sleep,
  after(ms, call) {
    const timer = setTimeout(call, ms)
    timer.unref()
    return () => clearTimeout(timer)
  },
}
