import type { Entry } from '../../../shared/model/conversation/entry'
import type { EntryRef } from '../../../shared/model/family/branching'
import { runTracesOf } from '../entries/run-traces'
import type { ListItem } from './use-items'

/** Where a new context can go on from an item, and in which ways. */
export interface BranchPoint {
  /** The last entry of the item: a branch takes it over. */
  readonly end: EntryRef
  /** The entry that is changed, or asked for again. */
  readonly start: EntryRef
  /** A person's message can be changed, an answer asked for again; anything can be branched from. */
  readonly speaker: 'user' | 'agent' | 'other'
  /** The words of a person's message. */
  readonly text: string
  /** What they wrote of it, where a run of ours sent more or something else. */
  readonly typed?: string | undefined
}

/** Where a branch can begin at an item; undefined where no entry of a conversation's way stands. */
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
    case 'document':
    case 'other':
      return between(item.entry, item.entry, 'other')
    default:
      return undefined
  }
}

/** What the model said to itself is nobody's to edit. */
function ofPerson(entry: Entry, text: string): BranchPoint {
  const { typed, continuedBy } = runTracesOf(entry)
  // Of what is not here as a whole, a changed copy would be a part.
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
