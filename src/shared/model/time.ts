/** Unix seconds as ISO 8601 in UTC; null for none, and for a number that is no time of this calendar. */
export function isoTime(seconds: number | undefined): string | null {
  if (seconds === undefined) return null
  const date = new Date(seconds * 1000)
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}

// A day less than JavaScript's calendar holds, so that the beginning of that day is a time as well.
const lastSeconds = 8.64e12 - 86_400

/** An entry's time in Unix milliseconds; undefined for none, and for a number that no calendar holds: files are hostile. */
export function momentOf(timestamp: number | null | undefined): number | undefined {
  if (timestamp == null || !(Math.abs(timestamp) <= lastSeconds)) return undefined
  return timestamp * 1000
}
