import type { Entry, EntryId } from '../../../shared/model/conversation/entry'
import { entryModel, entryUsage } from '../../../shared/model/run/usage'
import type { ListItem } from './use-items'

/**
 * Returns the id of the answer that an item belongs to: a message of the model, or the first of the calls made at
 * once. Undefined where the item is no part of an answer.
 *
 * Skein writes the model into the first entry of an answer only, and all calls until another speaker belong to it.
 * chibi writes none: there every run of calls is an answer.
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
    // The earlier call had its result before this one was made: there was a request between them.
    isFirstKnown ||= isBefore(resultOf(before), first)
    if (!isFirstKnown) first = earlier
  }
  return first.id
}

/** Returns the call of an item, also one that is shown as a message. */
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

/** Returns true where an entry has metadata that only the first entry of an answer has. */
function isMarked(entry: Entry): boolean {
  return (
    entryModel(entry) !== undefined ||
    entryUsage(entry) !== undefined ||
    entry.metadata?.request !== undefined
  )
}
