import { exactTime, shortTime } from '../format/format'

/**
 * Date and time of day, with the exact time in the tooltip.
 *
 * @param ms Unix; from a file, so it may be any number
 */
export function ShortTime({ ms }: { readonly ms: number }) {
  // A number beyond all dates is shown as it is.
  if (Number.isNaN(new Date(ms).getTime())) return String(ms / 1000)
  return (
    <time dateTime={new Date(ms).toISOString()} title={exactTime(ms)}>
      {shortTime(ms)}
    </time>
  )
}
