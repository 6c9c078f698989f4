import { rfc3339Seconds } from '../../../shared/model/basics/time'

/** Returns Unix seconds of a time in UTC, with its zone or without; undefined for what is no time. @param laterMs added to it */
export function secondsOfUtc(time: unknown, laterMs?: unknown): number | undefined {
  if (typeof time !== 'string') return undefined
  const text = time.trim().replace(' ', 'T')
  const seconds = rfc3339Seconds(text) ?? rfc3339Seconds(`${text}Z`)
  const later = typeof laterMs === 'number' && laterMs > 0 ? laterMs / 1000 : 0
  return seconds === undefined ? undefined : Math.round((seconds + later) * 1000) / 1000
}
