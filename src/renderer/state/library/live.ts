import { isoMs } from '../../../shared/model/basics/time'
import type { ConversationSummary } from '../../../shared/model/conversation/conversation'
import type { StoreClock } from '../base/clock'

/** Time for which a conversation counts as live after it grew. */
const liveMs = 10_000
/** Growth older than this was found late, as at a start, after a sleep or on a slow disk, and is not live. */
const freshMs = 60_000

/** Keys of conversations that another program writes to now. */
export interface LiveKeys {
  /** Finds growth in changed rows. */
  fold(
    before: ReadonlyMap<string, ConversationSummary>,
    changed: readonly ConversationSummary[],
    gone: readonly string[],
  ): void
  clear(): void
}

/**
 * Makes the set of live keys. A key is live for ten seconds after its conversation grew, unless Skein's own run
 * wrote it.
 *
 * @param onChange gets all live keys whenever one is added or removed
 */
export function createLiveKeys(
  clock: StoreClock,
  onChange: (live: ReadonlySet<string>) => void,
): LiveKeys {
  /** Functions that cancel the end of each key. */
  const ends = new Map<string, () => void>()
  const tell = () => onChange(new Set(ends.keys()))

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

/** Returns true where another program wrote to a conversation just now. */
function hasGrownElsewhere(
  before: ConversationSummary,
  now: ConversationSummary,
  nowMs: number,
): boolean {
  // The end of a run brings its last growth as well.
  if (isOurs(before) || isOurs(now) || before.gone) return false
  const isNewer = now.updated !== null && before.updated !== null && now.updated > before.updated
  if (now.bytes <= before.bytes && !isNewer) return false
  const updatedMs = isoMs(now.updated)
  return updatedMs === undefined || nowMs - updatedMs <= freshMs
}

function isOurs({ running, lock }: ConversationSummary): boolean {
  return running || lock.state === 'ours'
}
