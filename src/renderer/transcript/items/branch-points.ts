import type { Entry } from '../../../shared/model/conversation/entry'
import type { EntryRef } from '../../../shared/model/family/branching'
import { runTracesOf } from '../entries/run-traces'
import type { ListItem } from './use-items'

/** Point of an item where a branch can begin, and the ways to begin it. */
export interface BranchPoint {
  /** The last entry of the item: a branch inherits it. */
  readonly end: EntryRef
  /** The entry that is edited, or regenerated. */
  readonly start: EntryRef
  /** A user's message can be edited, an agent's answer regenerated; every item can be branched from. */
  readonly speaker: 'user' | 'agent' | 'other'
  /** The text of a user message. */
  readonly text: string
  /** The part that the person typed, where Skein's run sent more or another text. */
  readonly typed?: string | undefined
}

/** Returns the point where a branch can begin at an item; undefined for items without an entry of a path. */
export function branchPointOf(item: ListItem): BranchPoint | undefined {
  switch (item.type) {
    case 'user':
      return ofPerson(item.entry, item.text)
    case 'agent':
      return between(item.entry, item.result ?? item.entry, 'agent')
    case 'tool': {
      const first = item.call ?? item.result
      const last = item.result ?? item.call
      return first === undefined || last === undefined ? undefined : between(first, last, 'other')
    }
    case 'error':
    case 'reaction':
    case 'reasoning':
    case 'document':
    case 'other':
      return between(item.entry, item.entry, 'other')
    default:
      return undefined
  }
}

/** Makes the point of a user message. A message that the model wrote to itself cannot be edited. */
function ofPerson(entry: Entry, text: string): BranchPoint {
  const { typed, continuedBy } = runTracesOf(entry)
  // An edited copy of a message that is loaded in part would lose the rest.
  const mayEdit = continuedBy === undefined && entry.wholeLength === undefined
  const speaker = mayEdit ? 'user' : 'other'
  return { ...between(entry, entry, speaker, text), typed }
}

function between(
  first: Entry,
  last: Entry,
  speaker: BranchPoint['speaker'],
  text = '',
): BranchPoint {
  return { start: atOf(first), end: atOf(last), speaker, text }
}

function atOf({ id, file, offset }: Entry): EntryRef {
  return { entry: id, file, offset }
}
