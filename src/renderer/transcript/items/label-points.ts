import type { EntryRef } from '../../../shared/model/family/branching'
import type { ListItem } from './use-items'

/** Returns the entry of an item that gets its label: of a tool's turn the call. Undefined for items without one. */
export function labelPointOf(item: ListItem): EntryRef | undefined {
  switch (item.type) {
    case 'live':
    case 'unwritten':
    case 'day':
    case 'news':
    case 'damaged':
      return undefined
    case 'seam':
      return refOf(item.entries[0])
    case 'tool':
      return refOf(item.call ?? item.result)
    default:
      return refOf(item.entry)
  }
}

function refOf(
  entry:
    | { readonly id: EntryRef['entry']; readonly file: string; readonly offset: number }
    | undefined,
): EntryRef | undefined {
  return entry && { entry: entry.id, file: entry.file, offset: entry.offset }
}
