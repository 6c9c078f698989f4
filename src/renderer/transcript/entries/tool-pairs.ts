import type { Entry } from '../../../shared/model/conversation/entry'
import { rowKey, type TranscriptRow } from '../../../shared/model/conversation/transcript'

/** Pairs of calls and results, by row keys. */
export interface ToolPairs {
  readonly resultOf: ReadonlyMap<string, Entry>
  /** Results that have a call. */
  readonly paired: ReadonlySet<string>
}

interface OpenCall {
  readonly key: string
  readonly id: string | undefined
}

/**
 * Pairs calls and results as chibi does: by `tool_call_id`, else by position.
 * By position: a run of consecutive calls, then up to as many results, in the same order.
 */
export function pairTools(rows: readonly TranscriptRow[]): ToolPairs {
  const resultOf = new Map<string, Entry>()
  const paired = new Set<string>()
  const byId = new Map<string, string>()
  let batch: OpenCall[] = []
  let isBatchOpen = false

  for (const row of rows) {
    if (row.type !== 'entry') continue
    const { entry } = row
    const key = rowKey(row)
    if (isToolCallEntry(entry)) {
      if (!isBatchOpen) batch = []
      isBatchOpen = true
      batch.push({ key, id: entry.tool_call_id })
      if (entry.tool_call_id !== undefined) byId.set(entry.tool_call_id, key)
      continue
    }
    isBatchOpen = false
    if (!isToolResultEntry(entry)) continue
    const call = callOf(entry, byId, batch)
    if (call === undefined) continue
    resultOf.set(call, entry)
    paired.add(key)
    batch = batch.filter((open) => open.key !== call)
    if (entry.tool_call_id !== undefined) byId.delete(entry.tool_call_id)
  }
  return { resultOf, paired }
}

/** Returns true for a call of a tool; flow control of chibi 0.9 is one. */
export function isToolCallEntry(entry: Pick<Entry, 'entry_type'>): boolean {
  return entry.entry_type === 'tool_call' || entry.entry_type === 'flow_control_call'
}

/** Returns true for a result of a tool; flow control of chibi 0.9 has one. */
export function isToolResultEntry(entry: Pick<Entry, 'entry_type'>): boolean {
  return entry.entry_type === 'tool_result' || entry.entry_type === 'flow_control_result'
}

function callOf(
  result: Entry,
  byId: ReadonlyMap<string, string>,
  batch: readonly OpenCall[],
): string | undefined {
  if (result.tool_call_id !== undefined) {
    const call = byId.get(result.tool_call_id)
    if (call !== undefined) return call
  }
  // Two different ids are never a pair, wherever they are.
  return batch.find(({ id }) => id === undefined || result.tool_call_id === undefined)?.key
}
