import { useNow } from '../../ui/behaviour/hooks'
import { clockTime, dayName } from '../../ui/format/format'

const dayTickMs = 60_000

/** Returns the words of the border: since when entries are new, with the day where it is another one. */
export function useNewsWords(sinceMs: number): string {
  const now = useNow(dayTickMs)
  const isToday = new Date(sinceMs).toDateString() === new Date(now).toDateString()
  const time = clockTime(sinceMs)
  return isToday ? `New since ${time}` : `New since ${dayName(sinceMs, now)}, ${time}`
}
