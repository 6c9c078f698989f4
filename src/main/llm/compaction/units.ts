import { type Entry, isAnchor, speakerOf } from '../../../shared/model/conversation/entry'
import type { ChatMessage } from '../chat/provider'
import { toChatMessages } from '../prompt/messages'
import { keptImageCount, tokensOf } from '../tokens/estimate'

/** Entries of a window that are kept or dropped together. */
export interface Unit {
  readonly entries: readonly Entry[]
  /** The messages that the model is sent; none for entries that are not for it. */
  readonly messages: readonly ChatMessage[]
  /** It has a user message. */
  readonly isAsked: boolean
  /** Estimated. */
  readonly tokens: number
}

const callTypes: ReadonlySet<string> = new Set(['tool_call', 'flow_control_call'])
const resultTypes: ReadonlySet<string> = new Set(['tool_result', 'flow_control_result'])

/**
 * Cuts a window into the smallest units that can be dropped alone. Calls, their results and the model's text right
 * before them are one unit, and so is everything between a call and its result. An entry that the model is not sent
 * belongs to the unit before it; anchors belong to none. Takes time linear in the entries.
 */
export function unitsOf(window: readonly Entry[]): readonly Unit[] {
  const entries = window.filter((entry) => !isAnchor(entry))
  const starts = startsOf(entries)
  return starts.map((start, at) => unit(entries.slice(start, starts[at + 1])))
}

/** Counts the messages of units. */
export function countMessages(units: readonly Unit[]): number {
  return units.reduce((sum, { messages }) => sum + messages.length, 0)
}

/** Sums the tokens of units, which are estimated. */
export function sumTokens(units: readonly Unit[]): number {
  return units.reduce((sum, { tokens }) => sum + tokens, 0)
}

/** Finds where each unit begins, in time linear in the entries. */
function startsOf(entries: readonly Entry[]): readonly number[] {
  const starts: number[] = []
  /** Index of the last call of each id. */
  const callAt = new Map<string | undefined, number>()
  let lastCall = -1
  for (const [at, entry] of entries.entries()) {
    const { entry_type: type, tool_call_id: id } = entry
    if (resultTypes.has(type)) {
      const call = id === undefined ? lastCall : (callAt.get(id) ?? -1)
      // Without its call it is alone; behind calls it may belong to one of them all the same.
      if (call === -1 && lastCall < (starts.at(-1) ?? 0)) starts.push(at)
      // Everything between a call and its result belongs to them.
      else while (call !== -1 && (starts.at(-1) ?? 0) > call) starts.pop()
    } else if (!joins(entries[at - 1], entry)) starts.push(at)
    if (!callTypes.has(type)) continue
    lastCall = at
    callAt.set(id, at)
  }
  return starts
}

/** Returns true where an entry belongs to the unit of the one before it. */
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
