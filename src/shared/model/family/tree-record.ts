import { type Entry, speakerOf } from '../conversation/entry'
import type { TreeRecord } from './tree'

/** Fields of an entry that decide about its position in a tree. */
export type TreeEntry = Pick<
  Entry,
  'id' | 'parent' | 'entry_type' | 'role' | 'to' | 'content' | 'metadata'
>

/** Returns true for an entry of a subagent that lies in the file of the conversation that called it. */
export function isOfSubagent({ metadata }: Pick<Entry, 'metadata'>): boolean {
  return typeof metadata?.subagent === 'string'
}

/** Returns true for a model's own words and calls, and for what its tools answer. */
export function isOfMachine(entry: Omit<TreeEntry, 'id'>): boolean {
  return machineTypes.has(entry.entry_type) || speakerOf(entry) === 'agent'
}

/** Returns true for a person's own words; readers mark what a tool put into a person's mouth. */
export function isOfHuman(entry: Omit<TreeEntry, 'id'>): boolean {
  return speakerOf(entry) === 'user' && entry.metadata?.injected !== true
}

const machineTypes: ReadonlySet<string> = new Set(['reasoning', 'tool_call', 'tool_result'])

/** Returns true where an entry is a further part (`X#2`) of the record whose first entry is `first`. */
export function isFurtherPart(id: string, first: string | undefined): boolean {
  return first !== undefined && id.startsWith(`${first}#`)
}

/**
 * Converts the entries of one record to the record of a tree; at least one.
 *
 * @param firstOf returns the first entry of the record that an entry is a further part of; the id itself for all others
 */
export function treeRecordOf(
  entries: readonly TreeEntry[],
  firstOf: (id: string) => string = (id) => id,
): TreeRecord {
  const [first] = entries
  const parent = first?.parent
  return {
    id: first?.id ?? '',
    parent: parent == null ? parent : firstOf(parent),
    isBoundary: entries.some((entry) => entry.entry_type === 'compaction'),
    speaks: entries.some(isOfHuman) ? 'human' : entries.some(isOfMachine) ? 'other' : 'silent',
    isAside: first !== undefined && isOfSubagent(first),
  }
}
