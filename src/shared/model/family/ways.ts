import { type Strands, type TreeRecord, wayTo } from './tree'

/** A way through the tree of a file, from a root to a leaf. */
export interface Way {
  /** Positions of its records, in the order of the path. */
  readonly messages: readonly number[]
  /** The record where it ends, without those that only follow it in the file; -1 where there is no record. */
  readonly leaf: number
}

/** The ways through a tree. */
export interface Ways {
  /** Finds the way to where the conversation is now. @param leaves ids: the first that there is counts */
  now(leaves: readonly string[]): Way
  /** Finds the way through a record: the one to where the conversation is now, if it is on that, else on to the newest end. */
  through(message: number, now: Way): Way
}

/** Makes the ways through a tree. Each costs a walk over all records. */
export function waysOf(records: readonly TreeRecord[], { before, order }: Strands): Ways {
  function wayWithRest(leaf: number): Way {
    if (leaf === -1) return { messages: [], leaf }
    const messages = [...wayTo(before, leaf)]
    // What has no parent of its own is placed by the file alone: it belongs to the way that it follows.
    let end = leaf
    for (const at of order)
      if (before[at] === end && records[at]?.parent === undefined) {
        messages.push(at)
        end = at
      }
    return { messages, leaf }
  }

  return {
    now(leaves) {
      // A few ids: most often the first is near the end.
      const named = leaves
        .map((leaf) => records.findLastIndex(({ id }) => id === leaf))
        .find((at) => at !== -1)
      return wayWithRest(named ?? newestOf(records))
    },
    through(message, now) {
      if (now.messages.includes(message)) return now
      const isBelow = new Uint8Array(records.length)
      let newest = message
      for (const at of order) {
        if (at !== message && isBelow[before[at] ?? -1] !== 1) continue
        isBelow[at] = 1
        if (at > newest && records[at]?.parent !== undefined) newest = at
      }
      return wayWithRest(newest)
    },
  }
}

/** The last record that names a parent and is no subagent's; else the last. */
function newestOf(records: readonly TreeRecord[]): number {
  const newest = records.findLastIndex(
    ({ parent, isAside }) => parent !== undefined && isAside !== true,
  )
  return newest === -1 ? records.length - 1 : newest
}
