import { rfc3339Seconds } from '../../../../shared/model/basics/time'

/** Reads a time as Cursor writes it, milliseconds or ISO 8601, in Unix seconds; undefined for anything else. */
export function secondsFrom(time: unknown): number | undefined {
  if (typeof time === 'number') return Number.isFinite(time) && time > 0 ? time / 1000 : undefined
  return typeof time === 'string' ? rfc3339Seconds(time) : undefined
}
