import type { ReadConversation } from '../../main/readers/read-root'
import { entryTimeMs, isoMs } from '../../shared/model/basics/time'
import {
  isInTimeRange,
  type LocalClock,
  machineClock,
  type TimeRange,
} from '../../shared/model/basics/time-spec'
import type { Entry } from '../../shared/model/conversation/entry'
import type { StatisticsFacts } from '../../shared/model/statistics/conversation-facts'
import { EntriesFold } from '../../shared/model/statistics/entries-fold'
import { selectFacts } from '../../shared/model/statistics/selection'
import { sumStatistics } from '../../shared/model/statistics/statistics'
import type { Statistics } from '../../shared/model/statistics/statistics-shape'
import { entriesOnce } from '../conversations/entries-once'

/**
 * Counts the entries of conversations; those that several share count at the oldest.
 *
 * @param times counts only entries of this time; one without a time has that of its conversation's begin
 */
export function statisticsOf(
  conversations: readonly ReadConversation[],
  times?: TimeRange,
  clock: LocalClock = machineClock(0),
): Statistics {
  const once = entriesOnce(conversations)
  const isChosen = ({ entries, created }: ReadConversation) =>
    times === undefined || entries.some((entry) => isAt(entry, created, times))
  const chosen = conversations.filter(isChosen)
  const facts = conversations.flatMap((one, at) =>
    isChosen(one)
      ? [factsOf(one, new Set(once.own[at]), once.leaves[at] ?? 0, { times, clock })]
      : [],
  )
  const families = times === undefined ? once.families : entriesOnce(chosen).families
  return sumStatistics(selectFacts(facts), families, 'day')
}

function factsOf(
  { source, key, title, storedTitle, project, created, entries }: ReadConversation,
  own: ReadonlySet<Entry>,
  leaves: number,
  { times, clock }: { readonly times: TimeRange | undefined; readonly clock: LocalClock },
): StatisticsFacts {
  const fold = new EntriesFold(clock)
  for (const entry of entries) {
    const isCounted = isAt(entry, created, times)
    fold.add(entry, !isCounted ? 'outside' : own.has(entry) ? 'own' : 'shared')
  }
  const isTitled = storedTitle !== undefined
  return fold.end({ source, key, title, project, created, leaves, isTitled })
}

function isAt(entry: Entry, created: string | null, times: TimeRange | undefined): boolean {
  if (times === undefined) return true
  const ms = entryTimeMs(entry.timestamp) ?? isoMs(created)
  return ms !== undefined && isInTimeRange(ms / 1000, times)
}
