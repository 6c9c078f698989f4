/** Returns Unix seconds; undefined for what is no time. Some messages have milliseconds, and the clock of a timer nanoseconds. */
export function secondsOf(time: unknown): number | undefined {
  if (typeof time !== 'number' || !Number.isFinite(time) || time <= 0) return undefined
  return time < 1e11 ? time : time < 1e14 ? time / 1e3 : time / 1e9
}
