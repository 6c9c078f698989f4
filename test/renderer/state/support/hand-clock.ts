import type { StoreClock } from '../../../../src/renderer/state/base/clock'

/** A clock that a test moves: what is due is done on the way, in order. */
export interface HandClock extends StoreClock {
  pass(ms: number): void
  /** Acts that wait. */
  readonly waiting: number
}

export function handClock(startMs = Date.parse('2026-11-28T09:00:00.000Z')): HandClock {
  const acts = new Set<{ readonly atMs: number; readonly act: () => void }>()
  let nowMs = startMs
  return {
    now: () => nowMs,
    after(ms, act) {
      const one = { atMs: nowMs + ms, act }
      acts.add(one)
      return () => void acts.delete(one)
    },
    pass(ms) {
      const endMs = nowMs + ms
      for (;;) {
        const [next] = [...acts].filter(({ atMs }) => atMs <= endMs).sort((a, b) => a.atMs - b.atMs)
        if (next === undefined) break
        acts.delete(next)
        nowMs = next.atMs
        next.act()
      }
      nowMs = endMs
    },
    get waiting() {
      return acts.size
    },
  }
}
