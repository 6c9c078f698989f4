import { placeByEntries, placeByTime } from './columns'
import { placeLanes } from './lanes-of-map'
import type { LayoutInput, LayoutMemory, MapLayout } from './layout-shape'

/**
 * Lays segments out so that no line crosses another: the open path is straight, every other branch is in the nearest
 * lane that is free over its length. With the memory of an earlier layout nothing moves that need not, lanes and ends
 * only move outwards, and an entry more at a leaf moves nothing else (by entries). Linear in the segments and in the
 * length of their lines.
 */
export function layOut(input: LayoutInput, memory?: LayoutMemory): MapLayout {
  const onPath = pathOf(input)
  const next = straightOn(input, onPath, memory)
  const place = input.times === undefined ? placeByEntries : placeByTime
  const columns = place({ input, next, onPath }, memory)
  const { lane, room, steps } = placeLanes({ input, next, ...columns }, memory)
  return {
    ...columns,
    lane,
    next,
    room,
    width: columns.x1.reduce((a, b) => Math.max(a, b), 0),
    top: lane.reduce((a, b) => Math.min(a, b), 0),
    bottom: lane.reduce((a, b) => Math.max(a, b), 0),
    steps: steps + 4 * input.ids.length,
  }
}

/** Keeps the places of a layout for the next one. */
export function rememberLayout(input: LayoutInput, layout: MapLayout): LayoutMemory {
  const { ids, ends, parents } = input
  const { x1, lane, next, room, axis } = layout
  const isStraight = (i: number) => next[parents[i] ?? -1] === i
  return {
    ends: new Map(ends.map((end, i) => [end, x1[i] ?? 0])),
    lanes: new Map(ids.map((id, i) => [id, lane[i] ?? 0])),
    leaves: new Map(
      ids.flatMap((id, i) =>
        (next[i] ?? -1) < 0 ? [[id, { x1: x1[i] ?? 0, room: room[i] ?? 0 }] as const] : [],
      ),
    ),
    straight: new Set(ids.filter((_, i) => isStraight(i))),
    axis: new Map(axis.map(({ ms, x }) => [ms, x])),
  }
}

/** 1 for the segments of the open path. */
function pathOf({ ids, parents, open }: LayoutInput): Uint8Array {
  const onPath = new Uint8Array(ids.length)
  for (let at = open; at >= 0; at = parents[at] ?? -1) onPath[at] = 1
  return onPath
}

/** On the path its own child; elsewhere the one that went on before, else the one with most leaves, else the oldest. */
function straightOn(
  { ids, ends, parents, aside }: LayoutInput,
  onPath: Uint8Array,
  memory: LayoutMemory | undefined,
): Int32Array {
  const leaves = new Float64Array(ids.length)
  for (let i = ids.length - 1; i >= 0; i--) {
    leaves[i] ||= 1
    const parent = parents[i] ?? -1
    if (parent >= 0) leaves[parent] = (leaves[parent] ?? 0) + (leaves[i] ?? 0)
  }
  // The part behind a new fork has a new id, and its old end.
  const wasStraight = (i: number) =>
    memory !== undefined &&
    (memory.straight.has(ids[i] ?? '') ||
      (!memory.lanes.has(ids[i] ?? '') && memory.ends.has(ends[i] ?? '')))
  const rank = (i: number) =>
    onPath[i] === 1
      ? Number.POSITIVE_INFINITY
      : wasStraight(i)
        ? Number.MAX_VALUE
        : (leaves[i] ?? 0)
  const next = new Int32Array(ids.length).fill(-1)
  ids.forEach((_, i) => {
    const parent = parents[i] ?? -1
    const leavesParent = aside[i] === 1 && aside[parent] !== 1 && onPath[i] !== 1
    if (parent < 0 || leavesParent) return
    const rival = next[parent] ?? -1
    if (rival < 0 || rank(i) > rank(rival)) next[parent] = i
  })
  return next
}
