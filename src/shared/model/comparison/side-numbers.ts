import { entryTimeMs, isoTime } from '../basics/time'
import { machineClock } from '../basics/time-spec'
import type { Entry } from '../conversation/entry'
import { isFailedResult } from '../conversation/tool-results'
import { addCount, type CountByName, sortedByCount } from '../statistics/counts'
import { EntriesFold } from '../statistics/entries-fold'
import { selectFacts } from '../statistics/selection'
import { sumStatistics } from '../statistics/statistics'
import type { Statistics } from '../statistics/statistics-shape'
import { type ChangedFile, changedFiles } from './changed-files'
import type { ForkedSide } from './forked-side'

/** Numbers of one side after the fork; `entries`, `tokens` and `cost` are those of `skein stats`. */
export interface SideNumbers {
  readonly entries: Pick<Statistics['entries'], 'total' | 'byType' | 'byRole' | 'byModel'>
  readonly tokens: Statistics['tokens']
  /** As the provider told it; null where none did. */
  readonly cost: number | null
  /** ISO 8601 in UTC, and the seconds between; null where no entry has a time. */
  readonly time: {
    readonly first: string | null
    readonly last: string | null
    readonly seconds: number | null
  }
  /** By the tool's name. */
  readonly tools: { readonly called: CountByName; readonly failed: CountByName }
  readonly files: readonly ChangedFile[]
}

/** Counts what one side has after the fork. */
export function sideNumbers({ conversation, shared, after }: ForkedSide): SideNumbers {
  // Days and hours are none of these numbers: any clock will do.
  const fold = new EntriesFold(machineClock(0))
  for (const entry of after) fold.add(entry, 'own')
  const { source, key, title } = conversation
  const facts = fold.end({
    source,
    key,
    title,
    project: null,
    created: null,
    leaves: 1,
    isTitled: true,
  })
  const { entries, tokens, cost } = sumStatistics(selectFacts([facts]), [], 'day')
  const { total, byType, byRole, byModel, byTool } = entries
  return {
    entries: { total, byType, byRole, byModel },
    tokens,
    cost,
    time: timeOf(after),
    tools: { called: byTool, failed: failedTools(shared.tools, after) },
    files: changedFiles(after),
  }
}

function timeOf(entries: readonly Entry[]): SideNumbers['time'] {
  const times = entries.flatMap(({ timestamp }) =>
    timestamp === null || entryTimeMs(timestamp) === undefined ? [] : [timestamp],
  )
  if (times.length === 0) return { first: null, last: null, seconds: null }
  // Not spread: a call takes some ten thousand arguments at most.
  const first = times.reduce((a, b) => Math.min(a, b))
  const last = times.reduce((a, b) => Math.max(a, b))
  const seconds = Math.round((last - first) * 1000) / 1000
  return { first: isoTime(first), last: isoTime(last), seconds }
}

/** Counts the results after the fork that are failures. The call may stand before it. */
function failedTools(before: ReadonlyMap<string, string>, after: readonly Entry[]): CountByName {
  const called = new Map(before)
  const failed = new Map<string, number>()
  for (const entry of after) {
    const { entry_type: type, tool_call_id: id } = entry
    if (type === 'tool_call' && id !== undefined) called.set(id, entry.to)
    if (type === 'tool_result' && isFailedResult(entry))
      addCount(failed, (id === undefined ? undefined : called.get(id)) ?? entry.from)
  }
  return sortedByCount(failed)
}
