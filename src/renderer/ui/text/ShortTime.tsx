import { exactTime, shortTime } from '../format/format'

/** A date with its time of day, short, with the exact time in its tooltip. @param ms Unix; from a file, so it may be any number */
export function ShortTime({ ms }: { readonly ms: number }) {
  // A number that is no time on any calendar is shown as it is.
  if (Number.isNaN(new Date(ms).getTime())) return String(ms / 1000)
  return (
    <time dateTime={new Date(ms).toISOString()} title={exactTime(ms)}>
      {shortTime(ms)}
    </time>
  )
}
