/**
 * Reads how long a provider asks to wait, in ms from `nowMs` and never negative: `retry-after-ms`, else
 * `Retry-After` in seconds or as an HTTP date (RFC 9110). Undefined where neither can be read.
 */
export function retryAfterMs(headers: Pick<Headers, 'get'>, nowMs: number): number | undefined {
  const inMs = number(headers.get('retry-after-ms'))
  if (inMs !== undefined) return inMs
  const header = headers.get('retry-after')
  const seconds = number(header)
  if (seconds !== undefined) return seconds * 1000
  // Date.parse makes a date of any digits; an HTTP date names its month.
  const at = header !== null && /[a-z]{3}/i.test(header) ? Date.parse(header) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs)
}

function number(text: string | null): number | undefined {
  if (text === null || !/^\s*\d+(\.\d+)?\s*$/.test(text)) return undefined
  return Number(text)
}
