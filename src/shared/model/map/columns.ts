import { type AxisPoint, type LayoutInput, type LayoutMemory, mapSizes } from './layout-shape'

/** Arrays that the places along the lines are found from. */
interface ColumnsInput {
  readonly input: LayoutInput
  readonly next: Int32Array
  readonly onPath: Uint8Array
}

/** Places along the lines: see `MapLayout`. */
interface Columns {
  readonly x0: Float32Array
  readonly x1: Float32Array
  readonly born: Float32Array
  readonly axis: readonly AxisPoint[]
}

const { bend, step, label } = mapSizes

/** Room between a label and the next fork. */
const labelGap = 8
/** Shortest part of a line that a new fork divides. */
const cramped = 16

/**
 * Places segments by their number of entries: logarithmic and in whole steps, at least as long as their label. What has
 * an end that the memory knows keeps its place where it can.
 */
export function placeByEntries(
  { input, next, onPath }: ColumnsInput,
  memory: LayoutMemory | undefined,
): Columns {
  const { ids, ends, parents, entries, labels } = input
  const x0 = new Float32Array(ids.length)
  const x1 = new Float32Array(ids.length)
  const hasChild = new Uint8Array(ids.length)
  for (const parent of parents) if (parent >= 0) hasChild[parent] = 1
  const isBent = (i: number) => (parents[i] ?? -1) >= 0 && next[parents[i] ?? -1] !== i
  const needOf = (i: number) =>
    onPath[i] === 1 || (parents[i] ?? -1) < 0 || isBent(i)
      ? bend + labelGap + Math.ceil(Math.min(label, labels[i] ?? 0))
      : 2 * step
  /** Returns the least length of a line: one that is there may become shorter than its label, or all after it would move. */
  const leastOf = (i: number) => (isBent(i) ? bend + cramped : cramped)
  ids.forEach((id, i) => {
    const parent = parents[i] ?? -1
    const from = parent < 0 ? 0 : (x1[parent] ?? 0)
    const natural =
      from + step * Math.ceil(Math.max(needOf(i) / step, 1.2 * Math.log2((entries[i] ?? 0) + 1)))
    const least = from + leastOf(i)
    const was = memory?.ends.get(ends[i] ?? '')
    const leaf = hasChild[i] === 1 ? undefined : memory?.leaves.get(id)
    const straight = next[i] ?? -1
    const after = memory?.ends.get(ends[straight] ?? '')
    x0[i] = from
    if (was !== undefined && was >= least) x1[i] = was
    else if (leaf !== undefined && leaf.x1 >= least)
      x1[i] = Math.max(leaf.x1, Math.min(natural, leaf.room))
    else if (after === undefined) x1[i] = natural
    else {
      // The part before a new fork of a line that was there: both parts share its length, and its end stays where it is.
      const share = (entries[i] ?? 0) / Math.max(1, (entries[i] ?? 0) + (entries[straight] ?? 1))
      const between = Math.round(from + (after - from) * share)
      x1[i] = Math.max(least, Math.min(between, natural, after - leastOf(straight)))
    }
  })
  return { x0, x1, born: x0, axis: [] }
}

/** px for a doubling of the minutes between two times: a minute takes 8, a day 84, a year 152. */
const gapScale = 8
/** Shortest line of a segment by time, where it bends out of a fork and where it goes straight on. */
const shortest = { bent: bend + 48, straight: 48 } as const

/**
 * Places segments by the time of their first and last entry. One time is at one x for all of them; the time between two
 * that follow one another is shortened logarithmically. Times that nobody knows, or before their parent's, are taken
 * for the parent's.
 */
export function placeByTime(
  { input, next }: ColumnsInput,
  memory: LayoutMemory | undefined,
): Columns {
  const { ids, parents } = input
  const { firstMs, lastMs, times } = orderedTimes(input)
  /** By time, the earlier times it must keep a distance from. */
  const lows = new Map<number, { readonly fromMs: number; readonly px: number }[]>()
  ids.forEach((_, i) => {
    const parent = parents[i] ?? -1
    const isBent = parent >= 0 && next[parent] !== i
    const startMs = parent < 0 ? (firstMs[i] ?? 0) : (lastMs[parent] ?? 0)
    const low = { fromMs: startMs, px: isBent ? shortest.bent : shortest.straight }
    const own = lows.get(lastMs[i] ?? 0)
    if (own === undefined) lows.set(lastMs[i] ?? 0, [low])
    else own.push(low)
  })
  const xOf = new Map<number, number>()
  let before: AxisPoint | undefined
  const axis = times.map((ms): AxisPoint => {
    const gap = before === undefined ? 0 : gapScale * Math.log2(1 + (ms - before.ms) / 60_000)
    let x = (before?.x ?? 0) + gap
    for (const low of lows.get(ms) ?? []) x = Math.max(x, (xOf.get(low.fromMs) ?? 0) + low.px)
    // Whole numbers, which a Float32Array keeps.
    x = Math.ceil(Math.max(x, memory?.axis.get(ms) ?? 0))
    xOf.set(ms, x)
    before = { ms, x }
    return before
  })
  const at = (ms: number | undefined) => xOf.get(ms ?? 0) ?? 0
  const x1 = Float32Array.from(ids, (_, i) => at(lastMs[i]))
  const born = Float32Array.from(ids, (_, i) => at(firstMs[i]))
  const x0 = Float32Array.from(ids, (_, i) => {
    const parent = parents[i] ?? -1
    return parent < 0 ? (born[i] ?? 0) : (x1[parent] ?? 0)
  })
  return { x0, x1, born, axis }
}

/** Times of which none is before its parent's, and every last one is after the parent's last one. */
function orderedTimes({ ids, parents, times }: LayoutInput) {
  const firstMs = new Float64Array(ids.length)
  const lastMs = new Float64Array(ids.length)
  const known = (list: Float64Array | undefined, i: number) => {
    const ms = list?.[i] ?? Number.NaN
    return Number.isFinite(ms) ? ms : Number.NEGATIVE_INFINITY
  }
  const earliest = ids.reduce((least, _, i) => {
    const ms = known(times?.first, i)
    return Number.isFinite(ms) ? Math.min(least, ms) : least
  }, Number.POSITIVE_INFINITY)
  const beginMs = Number.isFinite(earliest) ? earliest : 0
  const all = new Set<number>()
  ids.forEach((_, i) => {
    const parent = parents[i] ?? -1
    const startMs = parent < 0 ? beginMs : (lastMs[parent] ?? beginMs)
    const first = Math.max(startMs, known(times?.first, i))
    firstMs[i] = first
    // A millisecond more, so that a segment has a length; written at one time they would be at one place.
    lastMs[i] = Math.max(first, known(times?.last, i), startMs + 1)
    all.add(first).add(lastMs[i] ?? first)
  })
  return { firstMs, lastMs, times: [...all].sort((a, b) => a - b) }
}

/** Returns where a time is on an axis: between its points in proportion, beyond them at their ends. */
export function xOfTime(axis: readonly AxisPoint[], ms: number): number {
  let low = 0
  let high = axis.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((axis[middle]?.ms ?? 0) < ms) low = middle + 1
    else high = middle
  }
  const after = axis[low]
  const before = axis[low - 1]
  if (after === undefined) return before?.x ?? 0
  if (before === undefined || after.ms === ms) return after.x
  return before.x + ((after.x - before.x) * (ms - before.ms)) / (after.ms - before.ms)
}
