import type { LayoutInput, LayoutMemory } from './layout-shape'

/** Arrays that lanes are found from: see `MapLayout`. */
interface LanesInput {
  readonly input: LayoutInput
  readonly next: Int32Array
  readonly x0: Float32Array
  readonly x1: Float32Array
}

/** Lanes are free or taken by cells of so many px. */
const cellPx = 15
/** Cells that stay free behind a branch; into the first of a new one it may grow. */
const spareCells = { new: 2, known: 1 } as const

/**
 * Finds a lane for every branch: outwards from the open path, forks from right to left, each in the nearest lane above
 * what is there over its length. What is there starts right of the fork, so no line bends through another. A branch
 * that is remembered comes no nearer than it was, and keeps its side and its room.
 */
export function placeLanes(
  { input, next, x0, x1 }: LanesInput,
  memory: LayoutMemory | undefined,
): { readonly lane: Int32Array; readonly room: Float32Array; readonly steps: number } {
  const { ids, parents } = input
  const lane = new Int32Array(ids.length)
  const room = new Float32Array(ids.length).fill(Number.POSITIVE_INFINITY)
  const forks = forksOf(input, next)
  const lastX = x1.reduce((most, x) => Math.max(most, x), 0)
  const cells = Math.max(Math.ceil(lastX / cellPx) + spareCells.new, mostKeptCells(memory))
  /** Numbers of lanes that are taken above and below, by cell, and all in all. */
  const taken = [new Int32Array(cells), new Int32Array(cells)] as const
  const load = [0, 0]
  let steps = 0

  const waiting: number[] = []
  const pushForks = (first: number) => {
    for (let at = first; at >= 0; at = next[at] ?? -1)
      for (const fork of forks[at] ?? []) waiting.push(fork)
  }
  if (ids.length > 0) pushForks(0)
  for (let first = waiting.pop(); first !== undefined; first = waiting.pop()) {
    const last = endOfLine(next, first)
    const from = Math.floor((x0[first] ?? 0) / cellPx)
    const kept = memory?.leaves.get(ids[last] ?? '')?.room ?? 0
    const spare = kept > 0 ? spareCells.known : spareCells.new
    const to = Math.max(Math.ceil((x1[last] ?? 0) / cellPx) + spare, keptCells(kept))
    room[last] = (to - 1) * cellPx
    const free = taken.map((side) => 1 + mostIn(side, from, to))
    steps += 2 * (to - from) + 1
    const was = memory?.lanes.get(ids[first] ?? '') ?? 0
    const lead = (free[0] ?? 0) - (free[1] ?? 0) || (load[0] ?? 0) - (load[1] ?? 0)
    const isAbove = (lane[parents[first] ?? -1] || was || lead) < 0
    const side = isAbove ? 0 : 1
    const depth = Math.max(free[side] ?? 1, isAbove ? -was : was)
    taken[side].fill(depth, from, to)
    load[side] = (load[side] ?? 0) + to - from
    for (let at = first; at >= 0; at = next[at] ?? -1) lane[at] = isAbove ? -depth : depth
    pushForks(first)
  }
  return { lane, room, steps }
}

/** The branches that begin at each segment's end, the youngest first. */
function forksOf({ parents }: LayoutInput, next: Int32Array): readonly number[][] {
  const forks = Array.from(parents, (): number[] => [])
  for (let i = parents.length - 1; i > 0; i--) {
    const parent = parents[i] ?? -1
    if (next[parent] !== i) forks[parent]?.push(i)
  }
  return forks
}

function endOfLine(next: Int32Array, first: number): number {
  let last = first
  for (let at = first; at >= 0; at = next[at] ?? -1) last = at
  return last
}

function mostIn(side: Int32Array, from: number, to: number): number {
  let most = 0
  for (let cell = from; cell < to; cell++) most = Math.max(most, side[cell] ?? 0)
  return most
}

/** Cells up to the room that is kept for a branch; none on the open path, which has its lane for itself. */
function keptCells(room: number): number {
  return Number.isFinite(room) && room > 0 ? room / cellPx + 1 : 0
}

function mostKeptCells(memory: LayoutMemory | undefined): number {
  let most = 0
  for (const { room } of memory?.leaves.values() ?? []) most = Math.max(most, keptCells(room))
  return most
}
