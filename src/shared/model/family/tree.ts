import { z } from 'zod'

/** Record of which the tree of one file is made: an entry, or a line with several of them. */
export interface TreeRecord {
  readonly id: string
  /** The id before it; null for a root; undefined where the format has no parents: then it follows the record before. */
  readonly parent: string | null | undefined
  /** A compaction boundary: without a parent it goes on from the record before it. */
  readonly isBoundary: boolean
  /** `human` for a person's own words, `other` for anybody else's, `silent` for records that are skipped on the way to the next speaker. */
  readonly speaks: 'human' | 'other' | 'silent'
  /** A subagent's, in the file of the conversation that called it: nothing but its own kind follows it by file order. */
  readonly isAside?: boolean
}

/** Parents by position; -1 for a root. */
export interface Ancestry {
  readonly parents: Int32Array
  /** Records that go on from the one before them in the file, because their own parent is missing. */
  readonly seams: ReadonlySet<number>
}

/**
 * Gives every record a parent, whatever the file says: nothing is dropped, and the result has no cycle.
 *
 * A parent that the file has not, a compaction boundary, and a cycle's first record go on from the record before
 * them, as seams; a further root stays a root, unless only records without parents come before it. Linear in the
 * records. Of records with the same id the first counts.
 */
export function resolveParents(records: readonly TreeRecord[]): Ancestry {
  const positions = new Map<string, number>()
  records.forEach((record, i) => {
    if (!positions.has(record.id)) positions.set(record.id, i)
  })
  const seams = new Set<number>()
  /** The last record so far, of the conversation itself and of its subagents; -1 for none. */
  const last = { own: -1, aside: -1 }
  let isLinked = false
  const parents = Int32Array.from(records, (record, i) => {
    const side = record.isAside === true ? 'aside' : 'own'
    const before = last[side]
    last[side] = i
    if (record.parent === undefined) return before
    const isFirst = side === 'own' && !isLinked
    isLinked ||= side === 'own'
    const parent = record.parent === null ? undefined : positions.get(record.parent)
    if (parent !== undefined && parent !== i) return parent
    if (record.parent === null && !record.isBoundary) return isFirst ? before : -1
    if (before !== -1) seams.add(i)
    return before
  })
  breakCycles(parents, seams)
  return { parents, seams }
}

/** Ends every cycle at its first record in the file. */
function breakCycles(parents: Int32Array, seams: Set<number>): void {
  // 0: not seen; a walk's own number while it goes on; -1: leads to a root.
  const state = new Int32Array(parents.length)
  for (let start = 0; start < parents.length; start++) {
    const walk = start + 1
    const walked: number[] = []
    let at = start
    while (at !== -1 && state[at] === 0) {
      state[at] = walk
      walked.push(at)
      at = parents[at] ?? -1
    }
    if (at !== -1 && state[at] === walk) {
      const first = firstOfCycle(parents, at)
      // The record before it is no way out when it leads into this very cycle.
      const canFollow = first > 0 && state[first - 1] === -1
      parents[first] = canFollow ? first - 1 : -1
      if (canFollow) seams.add(first)
      else seams.delete(first)
    }
    for (const done of walked) state[done] = -1
  }
}

function firstOfCycle(parents: Int32Array, member: number): number {
  let first = member
  for (let at = parents[member] ?? -1; at !== member && at !== -1; at = parents[at] ?? -1)
    first = Math.min(first, at)
  return first
}

/**
 * Rule for forks inside a file. `every-child`: any record with two children (ChatGPT, Claude.ai). `human-turns`:
 * where two children lead first to a person's words (Claude Code); parallel tool results and one reply on many lines
 * are none there.
 */
export type ForkRule = 'every-child' | 'human-turns'

/** A `ForkRule`, as files name it. */
export const ForkRuleName = z.enum(['every-child', 'human-turns'])

/** The tree as it is shown: which record each one goes on from, and an order with parents first. */
export interface Strands {
  /** -1 for a root. Children that are no fork stand one after the other, in file order. */
  readonly before: Int32Array
  /** Positions, parents before children, else in file order. */
  readonly order: Int32Array
}

/** Lays a file's records along strands: every record goes on from one other, and only forks go on twice. Linear. */
export function layStrands(
  records: readonly TreeRecord[],
  { parents }: Ancestry,
  rule: ForkRule,
): Strands {
  const order = parentsFirst(parents)
  const forkChildren = findForkChildren(records, parents, order, rule)
  const before = new Int32Array(records.length).fill(-1)
  const strand = new Int32Array(records.length)
  const tails: number[] = []
  const firstChild = new Map<number, number>()
  for (const at of order) {
    const parent = parents[at] ?? -1
    const sibling = forkChildren.has(at) ? firstChild.get(parent) : undefined
    if (parent === -1 || sibling !== undefined) {
      before[at] = sibling === undefined ? -1 : (before[sibling] ?? -1)
      strand[at] = tails.length
      tails.push(at)
      continue
    }
    if (forkChildren.has(at)) firstChild.set(parent, at)
    const own = strand[parent] ?? 0
    before[at] = tails[own] ?? parent
    strand[at] = own
    tails[own] = at
  }
  return { before, order }
}

/** Lists the positions on the path from a root to `leaf`, both included, in the order of the path. */
export function wayTo(before: Int32Array, leaf: number): readonly number[] {
  const way: number[] = []
  for (let at = leaf; at !== -1; at = before[at] ?? -1) way.push(at)
  return way.reverse()
}

/** File order, but a child before its parent waits for it. */
function parentsFirst(parents: Int32Array): Int32Array {
  const order = new Int32Array(parents.length)
  const placed = new Uint8Array(parents.length)
  let next = 0
  for (let start = 0; start < parents.length; start++) {
    const waiting: number[] = []
    for (let at = start; at !== -1 && placed[at] === 0; at = parents[at] ?? -1) waiting.push(at)
    for (const at of waiting.reverse()) {
      placed[at] = 1
      order[next++] = at
    }
  }
  return order
}

/** The records that begin one side of a fork. */
function findForkChildren(
  records: readonly TreeRecord[],
  parents: Int32Array,
  order: Int32Array,
  rule: ForkRule,
): ReadonlySet<number> {
  const counts = rule === 'every-child' ? undefined : leadToHuman(records, parents, order)
  const mayBegin = (at: number) => {
    if (parents[at] === -1 || (counts !== undefined && counts[at] === 0)) return false
    // What only follows in the file, such as a line without an id, is no second way to go on.
    return records[at]?.parent !== undefined
  }
  // Nearly every record has one child: only the others are looked at more closely.
  const candidates = new Int32Array(records.length)
  for (const at of order)
    if (mayBegin(at)) candidates[parents[at] ?? 0] = (candidates[parents[at] ?? 0] ?? 0) + 1
  const children = new Map<number, Map<string, number[]>>()
  for (const at of order) {
    const parent = parents[at] ?? -1
    if (!mayBegin(at) || (candidates[parent] ?? 0) < 2) continue
    // A line that is there twice is one child.
    const id = records[at]?.id ?? ''
    const byId = children.get(parent) ?? new Map<string, number[]>()
    const same = byId.get(id)
    if (same === undefined) byId.set(id, [at])
    else same.push(at)
    children.set(parent, byId)
  }
  const forks = new Set<number>()
  for (const byId of children.values()) {
    if (byId.size < 2) continue
    for (const same of byId.values()) for (const at of same) forks.add(at)
  }
  return forks
}

/** 1 where a person speaks, or where only silent records come before a person does. */
function leadToHuman(
  records: readonly TreeRecord[],
  parents: Int32Array,
  order: Int32Array,
): Uint8Array {
  const leads = new Uint8Array(records.length)
  for (let i = order.length - 1; i >= 0; i--) {
    const at = order[i] ?? 0
    const speaks = records[at]?.speaks
    if (speaks === 'human') leads[at] = 1
    if (speaks === 'other') leads[at] = 0
    const parent = parents[at] ?? -1
    if (leads[at] === 1 && parent !== -1) leads[parent] = 1
  }
  return leads
}
