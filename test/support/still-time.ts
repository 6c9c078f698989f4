import { afterEach, beforeEach, vi } from 'vitest'

/**
 * In every test of a file no time passes by `performance.now()`: what is done for as long as a moment lasts is done to its
 * end, however busy the machine is. Timers run as ever.
 */
export function stillTime(): void {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })
}
