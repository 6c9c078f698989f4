import { type Entry, isAnchor, speakerOf } from '../../../shared/model/entry'
import { toChatMessages } from '../messages'
import type { ChatMessage } from '../provider'
import { keptImageCount, tokensOf } from './estimate'

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
  const groups: Entry[][] = []
  for (const entry of window) {
    if (isAnchor(entry)) continue
    const last = groups.at(-1)
    if (resultTypes.has(entry.entry_type)) joinResult(groups, entry)
    else if (last !== undefined && joins(last, entry)) last.push(entry)
    else groups.push([entry])
  }
  return groups.map(unit)
}

/** Whether an entry goes with the group before it. */
function joins(group: readonly Entry[], entry: Entry): boolean {
  const last = group.at(-1)
  if (callTypes.has(entry.entry_type))
    return last !== undefined && (callTypes.has(last.entry_type) || speakerOf(last) === 'agent')
  return entry.entry_type !== 'message'
}

/** Puts a result to its call, and what stands between the two as well. */
function joinResult(groups: Entry[][], result: Entry): void {
  const { tool_call_id: id } = result
  const isCall = (one: Entry) =>
    callTypes.has(one.entry_type) && (id === undefined || one.tool_call_id === id)
  let at = groups.findLastIndex((group) => group.some(isCall))
  // Without its call it is nobody's; behind calls it may be one of theirs all the same.
  if (at === -1)
    at = groups.length - (groups.at(-1)?.some((one) => callTypes.has(one.entry_type)) ? 1 : 0)
  groups.push([...groups.splice(at).flat(), result])
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
