import { entryTimeMs, isoTime } from '../../shared/model/basics/time'
import type { Entry } from '../../shared/model/conversation/entry'
import { isFailedResult } from '../../shared/model/conversation/tool-results'
import { addCount, type CountByName, sortedByCount } from '../../shared/model/statistics/counts'
import type { Statistics } from '../../shared/model/statistics/statistics-shape'
import { statisticsOf } from '../statistics/statistics'
import { type ChangedFile, changedFiles } from './changed-files'
import type { ForkedSide } from './sides'

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
  const { entries, tokens, cost } = statisticsOf([
    { ...conversation, entries: after, parent: null },
  ])
  const { total, byType, byRole, byModel, byTool } = entries
  return {
    entries: { total, byType, byRole, byModel },
    tokens,
    cost,
    time: timeOf(after),
    tools: { called: byTool, failed: failedTools(shared, after) },
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

/** Results after the fork that are failures. The call may stand before it. */
function failedTools(shared: readonly Entry[], after: readonly Entry[]): CountByName {
  const called = new Map<string, string>()
  const failed = new Map<string, number>()
  const count = (entry: Entry, isAfter: boolean) => {
    const { entry_type: type, tool_call_id: id } = entry
    if (type === 'tool_call' && id !== undefined) called.set(id, entry.to)
    if (isAfter && type === 'tool_result' && isFailedResult(entry))
      addCount(failed, (id === undefined ? undefined : called.get(id)) ?? entry.from)
  }
  for (const entry of shared) count(entry, false)
  for (const entry of after) count(entry, true)
  return sortedByCount(failed)
}
