import type { Entry } from '../../shared/model/conversation/entry'
import { roleOf } from '../conversations/entry-filter'
import { type CountByName, sortedByCount } from '../terminal/counts'

/** Amounts of text in entries, in bytes of UTF-8. */
export interface ByteNumbers {
  readonly total: number
  /** `tool` has both what tools were called with and what they answered. */
  readonly byRole: CountByName
  /** Answers of tools. */
  readonly toolOutput: number
  /** The same by the tool's name; `unknown` where an answer belongs to no call. */
  readonly outputByTool: CountByName
}

/** A conversation, and which of its entries count: the others count in a conversation that it shares them with. */
export interface MeasuredConversation {
  readonly entries: readonly Entry[]
  readonly own: readonly Entry[]
}

/** Adds up the text of the entries that count. */
export function byteNumbers(conversations: readonly MeasuredConversation[]): ByteNumbers {
  const byRole = new Map<string, number>()
  const outputByTool = new Map<string, number>()
  let [total, toolOutput] = [0, 0]
  for (const { entries, own } of conversations) {
    const isOwn = new Set(own)
    // A branch may begin between a call and its answer: the name is looked for in all of it.
    const called = new Map<string, string>()
    for (const entry of entries) {
      const { entry_type: type, tool_call_id: id } = entry
      if (type === 'tool_call' && id !== undefined) called.set(id, entry.to)
      if (!isOwn.has(entry)) continue
      const bytes = Buffer.byteLength(entry.content)
      total += bytes
      add(byRole, roleOf(entry), bytes)
      if (type !== 'tool_result') continue
      toolOutput += bytes
      add(outputByTool, (id === undefined ? undefined : called.get(id)) ?? 'unknown', bytes)
    }
  }
  return {
    total,
    byRole: sortedByCount(byRole),
    toolOutput,
    outputByTool: sortedByCount(outputByTool),
  }
}

function add(counts: Map<string, number>, name: string, bytes: number): void {
  counts.set(name, (counts.get(name) ?? 0) + bytes)
}
