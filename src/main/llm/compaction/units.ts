import { type Entry, isAnchor, speakerOf } from '../../../shared/model/conversation/entry'
import type { ChatMessage } from '../chat/provider'
import { toChatMessages } from '../prompt/messages'
import { keptImageCount, tokensOf } from '../tokens/estimate'

/** Entries of a window that stay together or go together. */
export interface Unit {
  readonly entries: readonly Entry[]
  /** As the model is sent them; none for what nobody says to it. */
  readonly messages: readonly ChatMessage[]
  /** A person's words. */
  readonly isAsked: boolean
  /** Estimated. */
  readonly tokens: number
}

const callTypes: ReadonlySet<string> = new Set(['tool_call', 'flow_control_call'])
const resultTypes: ReadonlySet<string> = new Set(['tool_result', 'flow_control_result'])

/**
 * Cuts a window into what can be dropped by itself. Calls, their results, and the model's words right before them are one;
 * so is whatever stands between a call and its result. What nobody says to the model goes with what is before it. Anchors
 * are none.
 */
export function unitsOf(window: readonly Entry[]): readonly Unit[] {
  const entries = window.filter((entry) => !isAnchor(entry))
  const starts = startsOf(entries)
  return starts.map((start, at) => unit(entries.slice(start, starts[at + 1])))
}

/** Where each unit begins; takes time by the number of entries, however they are mixed. */
function startsOf(entries: readonly Entry[]): readonly number[] {
  const starts: number[] = []
  /** Where the last call of an id stands, and the last of any. */
  const callAt = new Map<string | undefined, number>()
  let lastCall = -1
  for (const [at, entry] of entries.entries()) {
    const { entry_type: type, tool_call_id: id } = entry
    if (resultTypes.has(type)) {
      const call = id === undefined ? lastCall : (callAt.get(id) ?? -1)
      // Without its call it is nobody's; behind calls it may be one of theirs all the same.
      if (call === -1 && lastCall < (starts.at(-1) ?? 0)) starts.push(at)
      // What stands between a call and its result goes with them.
      else while (call !== -1 && (starts.at(-1) ?? 0) > call) starts.pop()
    } else if (!joins(entries[at - 1], entry)) starts.push(at)
    if (!callTypes.has(type)) continue
    lastCall = at
    callAt.set(id, at)
  }
  return starts
}

/** Whether an entry goes with the one before it. */
function joins(before: Entry | undefined, entry: Entry): boolean {
  if (before === undefined) return false
  if (callTypes.has(entry.entry_type))
    return callTypes.has(before.entry_type) || speakerOf(before) === 'agent'
  return entry.entry_type !== 'message'
}

function unit(entries: readonly Entry[]): Unit {
  const messages = toChatMessages(entries, {})
  const images = entries.reduce((sum, entry) => sum + keptImageCount(entry), 0)
  return {
    entries,
    messages,
    isAsked: entries.some((entry) => speakerOf(entry) === 'user'),
    tokens: tokensOf(messages, images),
  }
}
