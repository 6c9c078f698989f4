import type { EntryId, LineSpan } from '../../../../shared/model/conversation/entry'
import {
  type ForkRule,
  layStrands,
  resolveParents,
  type TreeRecord,
} from '../../../../shared/model/family/tree'
import { type Way, type Ways, waysOf } from '../../../../shared/model/family/ways'
import { yieldToOthers } from '../../../disk/pacing/slices'

/** A record of a conversation, without its rows. */
export interface PlacedRecord {
  readonly place: LineSpan
  /** Which record of its line it is, from 0. */
  readonly part: number
  readonly rows: number
  readonly record: TreeRecord
  /** Undefined for a damaged line without entries. */
  readonly lastEntry: EntryId | undefined
  /** An unfinished last line. */
  readonly isTorn: boolean
}

/** The tree of a conversation's records, and the ways through it. */
export interface RowTree {
  /** In file order. */
  readonly records: readonly PlacedRecord[]
  /** The way to where the conversation is now. */
  readonly now: Way
  /** Finds the way through a record. */
  through(index: number): Way
}

/** Weight of a step over one record, in bytes of a slice: about what reading so many takes. */
const recordWeight = 64

/**
 * Lays the records of a conversation out as a tree. Linear in the records; yields to other work between the steps.
 *
 * @param leaves where it may be now
 */
export async function layRowTree(
  records: readonly PlacedRecord[],
  leaves: readonly EntryId[],
  rule: ForkRule,
): Promise<RowTree> {
  const tree = records.map(({ record }) => record)
  const ancestry = resolveParents(tree)
  await yieldToOthers(tree.length * recordWeight)
  const strands = layStrands(tree, ancestry, rule)
  await yieldToOthers(tree.length * recordWeight)
  const ways: Ways = waysOf(tree, strands)
  const now = ways.now(leaves)
  return { records, now, through: (index) => ways.through(index, now) }
}

/** Makes the name of a record, which stays the same as long as its file does. */
export function recordName({ place, part }: PlacedRecord): string {
  return `${place.offset}:${part} ${place.file}`
}

/** Finds the record of an entry; -1 where there is none. */
export function recordOfEntry({ records }: RowTree, id: EntryId): number {
  const exact = records.findIndex(({ record }) => record.id === id)
  if (exact !== -1) return exact
  const whole = id.replace(/#\d+$/, '')
  return records.findIndex(({ record }) => record.id === whole)
}
