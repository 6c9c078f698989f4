/** Unix seconds as ISO 8601 in UTC; null for none, and for a number that is no time of this calendar. */
export function isoTime(seconds: number | undefined): string | null {
  if (seconds === undefined) return null
  const date = new Date(seconds * 1000)
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}
