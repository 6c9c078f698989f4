import type { Entry, EntryId } from '../conversation/entry'
import { type ForkRule, layStrands, resolveParents, wayTo } from './tree'
import { isFurtherPart, type TreeEntry, treeRecordOf } from './tree-record'
import { type Ways, waysOf } from './ways'

/** The tree of a conversation's entries, by their positions. */
interface EntryTree {
  /** Entries that go on from the one before them in the file, because their own parent is missing. */
  readonly seams: ReadonlySet<number>
  /** Lists the entries from the root to where the conversation is now, in the order of the path. */
  active(leaves: readonly EntryId[]): readonly number[]
  /** Lists the entries of the way through this one: to where the conversation is now if it is on that, else on to the newest end. */
  through(entry: number, leaves: readonly EntryId[]): readonly number[]
  /** Lists the entries from the root to this one and the rest of its record, in the order of the path. */
  pathTo(entry: number): readonly number[]
}

/**
 * Lays the entries of a conversation along their parents, in file order; undefined for a format without parents. Linear in
 * the entries.
 */
export function entryTree(
  entries: readonly TreeEntry[],
  rule: ForkRule = 'every-child',
): EntryTree | undefined {
  if (entries.every(({ parent }) => parent === undefined)) return undefined
  const starts: number[] = []
  const messageOf = new Int32Array(entries.length)
  /** Further parts of a record, and its first. */
  const firsts = new Map<string, string>()
  entries.forEach(({ id }, at) => {
    const first = entries[starts.at(-1) ?? -1]?.id
    if (first !== undefined && isFurtherPart(id, first)) firsts.set(id, first)
    else starts.push(at)
    messageOf[at] = starts.length - 1
  })
  const partsOf = (message: number) => entries.slice(starts[message], starts[message + 1])
  const firstOf = (id: string) => firsts.get(id) ?? id
  const records = starts.map((_, message) => treeRecordOf(partsOf(message), firstOf))
  const ancestry = resolveParents(records)
  const strands = layStrands(records, ancestry, rule)
  const entriesOn = (messages: readonly number[]) =>
    messages.flatMap((message) => partsOf(message).map((_, part) => (starts[message] ?? 0) + part))
  const nowOf = (ways: Ways, leaves: readonly EntryId[]) => ways.now(leaves.map(firstOf))
  return {
    seams: new Set([...ancestry.seams].map((message) => starts[message] ?? 0)),
    active(leaves) {
      return entriesOn(nowOf(waysOf(records, strands), leaves).messages)
    },
    through(entry, leaves) {
      const ways = waysOf(records, strands)
      return entriesOn(ways.through(messageOf[entry] ?? -1, nowOf(ways, leaves)).messages)
    },
    pathTo: (entry) => entriesOn(wayTo(strands.before, messageOf[entry] ?? -1)),
  }
}

/** Returns the ids of the entries at these positions. */
export function idsAt(entries: readonly Entry[], positions: readonly number[]): readonly EntryId[] {
  return positions.flatMap((at) => entries[at]?.id ?? [])
}
