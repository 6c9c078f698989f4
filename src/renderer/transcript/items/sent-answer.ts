import type { Entry, EntryId } from '../../../shared/model/conversation/entry'
import { entryModel, entryUsage } from '../../../shared/model/run/usage'
import type { ListItem } from './use-items'

/**
 * The answer that an item is, or is a part of: a message of the model, or the first of the calls that it made at once.
 *
 * Where Skein wrote it, the first entry of an answer alone tells the model, and all calls until somebody else speaks are a
 * part of it. chibi tells none: there every run of calls is an answer. Undefined where the model did not answer.
 */
export function sentAnswerIdOf(items: readonly ListItem[], item: ListItem): EntryId | undefined {
  if (item.type === 'agent' && !isCall(item.entry)) return item.entry.id
  const call = callOf(item)
  if (call === undefined) return undefined
  if (isMarked(call)) return call.id
  let first = call
  let isFirstKnown = false
  for (let index = items.indexOf(item) - 1; index >= 0; index--) {
    const before = items[index]
    if (before === undefined) break
    if (before.type === 'agent' && isMarked(before.entry)) return before.entry.id
    const earlier = callOf(before)
    if (earlier === undefined) break
    if (isMarked(earlier)) return earlier.id
    // It was known what that one came to when this one was made: the model was asked again between them.
    isFirstKnown ||= isBefore(resultOf(before), first)
    if (!isFirstKnown) first = earlier
  }
  return first.id
}

/** The call of an item, also one that is shown as what it says. */
function callOf(item: ListItem): Entry | undefined {
  if (item.type === 'tool') return item.call
  return item.type === 'agent' && isCall(item.entry) ? item.entry : undefined
}

function resultOf(item: ListItem): Entry | undefined {
  return item.type === 'tool' || item.type === 'agent' ? item.result : undefined
}

function isBefore(one: Entry | undefined, other: Entry): boolean {
  return one !== undefined && one.file === other.file && one.offset < other.offset
}

function isCall({ entry_type: type }: Entry): boolean {
  return type === 'tool_call' || type === 'flow_control_call'
}

/** Whether an entry tells what only the first one of an answer tells. */
function isMarked(entry: Entry): boolean {
  return (
    entryModel(entry) !== undefined ||
    entryUsage(entry) !== undefined ||
    entry.metadata?.request !== undefined
  )
}
