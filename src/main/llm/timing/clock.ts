import { sleep } from '../../async/sleep'
/** Time and chance, so that tests need neither. */
export interface Clock {
  /** Unix milliseconds. */
  now(): number
  /** Resolves after `ms`, or as soon as the signal aborts. Never rejects. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
  /** From 0 up to 1. */
  random(): number
}

/** The system's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep,
  random: () => Math.random(),
}
