import type { FoundRecord } from './shape'

/**
 * Returns the numbers of records in the order in which they are read: each after the one that it goes on from, branch by
 * branch, and at the end the branch where the conversation is now. Branches at one record are in order of time, else of
 * the document. A record whose parent is missing, or goes on from itself, is a beginning.
 *
 * @param leaf the id of the record where the conversation is now; else that is the newest
 */
export function recordOrder(
  records: readonly Pick<FoundRecord, 'id' | 'parent' | 'time'>[],
  leaf: string | undefined,
): Uint32Array {
  const parents = parentsOf(records)
  const isActive = activePath(records, parents, leaf)
  const { first, next, roots } = childrenOf(records, parents, isActive)
  const order = new Uint32Array(records.length)
  let count = 0
  // By hand: a conversation may be deeper than the stack.
  const stack: number[] = []
  for (const root of roots) {
    stack.push(root)
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      order[count++] = at
      const sibling = next[at] ?? none
      if (sibling !== none && parents[at] !== none) stack.push(sibling)
      const child = first[at] ?? none
      if (child !== none) stack.push(child)
    }
  }
  return order
}

const none = -1

/** The number of each record's parent; `none` for a beginning. */
function parentsOf(records: readonly Pick<FoundRecord, 'id' | 'parent'>[]): Int32Array {
  const numbers = new Map<string, number>()
  for (const [at, { id }] of records.entries())
    if (id !== undefined && !numbers.has(id)) numbers.set(id, at)
  const parents = new Int32Array(records.length).fill(none)
  for (const [at, { parent }] of records.entries())
    parents[at] = typeof parent === 'string' ? (numbers.get(parent) ?? none) : none
  cutCircles(parents)
  return parents
}

/** Of records that go on from each other in a circle one becomes a beginning. */
function cutCircles(parents: Int32Array): void {
  // By which walk a record was passed; each is passed once.
  const passedBy = new Int32Array(parents.length).fill(none)
  for (let from = 0; from < parents.length; from++)
    for (let at = from; at !== none && passedBy[at] === none; ) {
      passedBy[at] = from
      const parent = parents[at] ?? none
      if (parent !== none && passedBy[parent] === from) parents[at] = none
      at = parents[at] ?? none
    }
}

function activePath(
  records: readonly Pick<FoundRecord, 'id' | 'time'>[],
  parents: Int32Array,
  leaf: string | undefined,
): Uint8Array {
  const isActive = new Uint8Array(records.length)
  let at = leaf === undefined ? none : records.findIndex(({ id }) => id === leaf)
  if (at === none) at = newest(records)
  for (; at !== none; at = parents[at] ?? none) isActive[at] = 1
  return isActive
}

function newest(records: readonly Pick<FoundRecord, 'time'>[]): number {
  let found = none
  let latest = Number.NEGATIVE_INFINITY
  for (const [at, { time = Number.NEGATIVE_INFINITY }] of records.entries()) {
    if (time < latest) continue
    found = at
    latest = time
  }
  return found
}

/** The first child of each record, the next sibling of each, and the beginnings. */
function childrenOf(
  records: readonly Pick<FoundRecord, 'time'>[],
  parents: Int32Array,
  isActive: Uint8Array,
): { readonly first: Int32Array; readonly next: Int32Array; readonly roots: readonly number[] } {
  const times = timesOf(records)
  const numbers = Uint32Array.from(records.keys()).sort((a, b) => {
    const [one = 0, other = 0] = [isActive[a], isActive[b]]
    const [earlier = 0, later = 0] = [times[a], times[b]]
    if (one !== other) return one - other
    return earlier === later ? a - b : earlier < later ? -1 : 1
  })
  const first = new Int32Array(records.length).fill(none)
  const next = new Int32Array(records.length).fill(none)
  // From the last to the first, so that each takes its place before those that follow.
  for (let number = numbers.length - 1; number >= 0; number--) {
    const at = numbers[number] ?? 0
    const parent = parents[at] ?? none
    if (parent === none) continue
    next[at] = first[parent] ?? none
    first[parent] = at
  }
  return { first, next, roots: [...numbers].filter((at) => parents[at] === none) }
}

/** The time of each record; one without is taken to be as old as the one before it in the document. */
function timesOf(records: readonly Pick<FoundRecord, 'time'>[]): Float64Array {
  let before = Number.NEGATIVE_INFINITY
  return Float64Array.from(records, ({ time }) => {
    before = time ?? before
    return before
  })
}
