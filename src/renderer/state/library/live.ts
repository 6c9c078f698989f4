import type { ConversationSummary } from '../../../shared/model/conversation/conversation'
import type { StoreClock } from '../base/clock'

/** A conversation counts as live for so long after it was told to have grown. */
const liveMs = 10_000
/** What was written longer ago than this is found late, not written now: at a start, after a sleep, on a slow disk. */
const freshMs = 60_000

/** Which conversations are being written by somebody else. */
export interface LiveKeys {
  /** Looks for growth in what changed. */
  fold(
    before: ReadonlyMap<string, ConversationSummary>,
    changed: readonly ConversationSummary[],
    gone: readonly string[],
  ): void
  clear(): void
}

/** @param told gets all keys that are live, whenever one comes or goes */
export function createLiveKeys(
  clock: StoreClock,
  told: (live: ReadonlySet<string>) => void,
): LiveKeys {
  /** What calls off the end of each. */
  const ends = new Map<string, () => void>()
  const tell = () => told(new Set(ends.keys()))

  function end(key: string): boolean {
    ends.get(key)?.()
    return ends.delete(key)
  }

  function begin(key: string): boolean {
    const isNew = !end(key)
    ends.set(
      key,
      clock.after(liveMs, () => {
        if (end(key)) tell()
      }),
    )
    return isNew
  }

  return {
    fold(before, changed, gone) {
      let isDifferent = false
      for (const row of changed) {
        const old = before.get(row.key)
        if (row.gone) isDifferent = end(row.key) || isDifferent
        else if (old !== undefined && hasGrownElsewhere(old, row, clock.now()))
          isDifferent = begin(row.key) || isDifferent
      }
      for (const key of gone) isDifferent = end(key) || isDifferent
      if (isDifferent) tell()
    },
    clear() {
      if (ends.size === 0) return
      for (const key of [...ends.keys()]) end(key)
      tell()
    },
  }
}

/** Whether a conversation was written to just now, and not by us. */
function hasGrownElsewhere(
  before: ConversationSummary,
  now: ConversationSummary,
  nowMs: number,
): boolean {
  // A run that has just ended tells its last growth as well.
  if (isOurs(before) || isOurs(now) || before.gone) return false
  const isNewer = now.updated !== null && before.updated !== null && now.updated > before.updated
  if (now.bytes <= before.bytes && !isNewer) return false
  return now.updated === null || nowMs - Date.parse(now.updated) <= freshMs
}

function isOurs({ running, lock }: ConversationSummary): boolean {
  return running || lock.state === 'ours'
}
