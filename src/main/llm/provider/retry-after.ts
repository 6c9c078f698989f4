/**
 * How long a provider asks to be left alone, in milliseconds from `nowMs`: `retry-after-ms`, else `Retry-After` in
 * seconds or as an HTTP date. Undefined where it asks nothing that can be read. Never negative.
 */
export function retryAfterMs(headers: Pick<Headers, 'get'>, nowMs: number): number | undefined {
  const inMs = number(headers.get('retry-after-ms'))
  if (inMs !== undefined) return inMs
  const told = headers.get('retry-after')
  const seconds = number(told)
  if (seconds !== undefined) return seconds * 1000
  // Date.parse makes a date of any digits; an HTTP date names its month.
  const at = told !== null && /[a-z]{3}/i.test(told) ? Date.parse(told) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs)
}

function number(text: string | null): number | undefined {
  if (text === null || !/^\s*\d+(\.\d+)?\s*$/.test(text)) return undefined
  return Number(text)
}
