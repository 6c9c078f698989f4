import type { Clock } from '../../src/main/llm/timing/clock'

/** A clock that stands still but for its sleeps, which take no time. `slept` has their lengths in milliseconds. */
export function fakeClock(
  startMs = 1_700_000_000_000,
  random = 0,
): Clock & { readonly slept: readonly number[] } {
  const slept: number[] = []
  let now = startMs
  return {
    slept,
    now: () => now,
    async sleep(ms) {
      slept.push(ms)
      now += ms
    },
    random: () => random,
  }
}
