import { type Entry, type Role, speakerOf } from '../conversation/entry'

/** Returns the role under which an entry counts; `other` for entries that nobody speaks, such as an anchor. */
export function countedRole(
  entry: Pick<Entry, 'entry_type' | 'role' | 'to' | 'content'>,
): Role | 'tool' | 'other' {
  if (entry.entry_type === 'tool_call' || entry.entry_type === 'tool_result') return 'tool'
  return speakerOf(entry) ?? 'other'
}
