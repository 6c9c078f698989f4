import { xOfTime } from '../../../shared/model/map/columns'
import {
  type LineTicks,
  lineTicks,
  shareInNode,
  sumFacts,
} from '../../../shared/model/map/fact-sums'
import type { FamilyMap } from '../../../shared/model/map/family-map'
import { type AxisPoint, type MapLayout, mapSizes } from '../../../shared/model/map/layout-shape'
import type { Segment } from '../../../shared/model/map/segments'
import { daysBetween, formatQuantity } from '../../ui/format/format'

/** Laid-out family, with all that it is drawn from. */
export interface SceneInput {
  readonly map: FamilyMap
  readonly segments: readonly Segment[]
  readonly layout: MapLayout
  readonly colours: Uint8Array
  readonly labels: readonly string[]
  /** Where the open conversation is. */
  readonly open: number
}

/** A laid-out family with what drawing looks up. */
export interface MapScene extends SceneInput {
  /** By lane from the top, its segments from left to right. */
  readonly rows: readonly (readonly number[])[]
  /** First segments of branches, from left to right. */
  readonly branches: readonly number[]
  /** The same by the number of entries, with all that comes of them. */
  readonly largest: readonly number[]
  /** By first segment of a branch, its last; -1 for segments that go straight on. */
  readonly last: Int32Array
  /** By segment, whether branches leave its start upwards (1), downwards (2) or both ways (3). */
  readonly forks: Uint8Array
  /** Segments whose source is another than that of the one before. */
  readonly borders: readonly number[]
  /** By time: the first time of each day. */
  readonly days: readonly AxisPoint[]
  /** By segment: what stands under its line. */
  note(segment: number): string
  marks(segment: number): LineTicks | undefined
  /** Where a message of a segment is, in px at 100 %. */
  xOf(segment: number, message: number): number
}

/** Prepares a laid-out family for drawing. n log n in the segments; notes and marks are found when they are drawn. */
export function makeScene(input: SceneInput): MapScene {
  const { map, segments, layout } = input
  const { x0, x1, born, lane, next, top, bottom } = layout
  const rows = Array.from({ length: bottom - top + 1 }, (): number[] => [])
  const last = new Int32Array(segments.length).fill(-1)
  const forks = new Uint8Array(segments.length)
  const entries = Float64Array.from(segments, (segment) => segment.entries)
  for (let i = segments.length - 1; i >= 0; i--) {
    const parent = segments[i]?.parent ?? -1
    rows[(lane[i] ?? 0) - top]?.push(i)
    if (parent >= 0) entries[parent] = (entries[parent] ?? 0) + (entries[i] ?? 0)
    const straight = next[parent] ?? -1
    if (parent >= 0 && straight === i) continue
    if (straight >= 0)
      forks[straight] = (forks[straight] ?? 0) | ((lane[i] ?? 0) < (lane[straight] ?? 0) ? 1 : 2)
    let end = i
    for (let at = i; at >= 0; at = next[at] ?? -1) end = at
    last[i] = end
  }
  for (const row of rows) row.sort((a, b) => (x0[a] ?? 0) - (x0[b] ?? 0))
  const branches = segments.flatMap((_, i) => ((last[i] ?? -1) < 0 ? [] : [i]))
  branches.sort((a, b) => (x0[a] ?? 0) - (x0[b] ?? 0))
  const sourceOf = (i: number) => map.nodes[segments[i]?.node ?? -1]?.source
  const notes = new Map<number, string>()
  const marksOf = new Map<number, LineTicks>()
  const scene: MapScene = {
    ...input,
    rows,
    branches,
    largest: [...branches].sort((a, b) => (entries[b] ?? 0) - (entries[a] ?? 0)),
    last,
    forks,
    borders: segments.flatMap(({ parent }, i) => {
      const [own, above] = [sourceOf(i), sourceOf(parent)]
      return own !== undefined && above !== undefined && own !== above ? [i] : []
    }),
    days: daysOf(layout.axis),
    note: (segment) => remembered(notes, segment, () => noteOf(input, segment)),
    marks(segment) {
      const node = segments[segment]?.node ?? -1
      return node < 0 ? undefined : remembered(marksOf, node, () => lineTicks(map.facts, node))
    },
    xOf(segment, message) {
      const node = segments[segment]?.node ?? -1
      const ms = map.facts.times[message] ?? 0
      const from = lineStart(scene, segment)
      const to = x1[segment] ?? from
      if (layout.axis.length > 0 && ms > 0)
        return Math.min(to, Math.max(born[segment] ?? from, xOfTime(layout.axis, ms)))
      return from + shareInNode(map.facts, node, message) * (to - from)
    },
  }
  return scene
}

/** Returns where the straight line of a segment begins, in px at 100 %. */
export function lineStart({ layout, last }: MapScene, segment: number): number {
  const bends = segment > 0 && (last[segment] ?? -1) >= 0
  return Math.max(
    layout.born[segment] ?? 0,
    (layout.x0[segment] ?? 0) + (bends ? mapSizes.bend : 0),
  )
}

/** Finds the place of the first of these segments that ends at x or right of it. */
export function firstEndingFrom(row: readonly number[], x1: Float32Array, x: number): number {
  let low = 0
  let high = row.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((x1[row[middle] ?? 0] ?? 0) < x) low = middle + 1
    else high = middle
  }
  return low
}

function daysOf(axis: readonly AxisPoint[]): readonly AxisPoint[] {
  const days: AxisPoint[] = []
  for (const point of axis) {
    const before = days.at(-1)
    if (before === undefined || daysBetween(before.ms, point.ms) !== 0) days.push(point)
  }
  return days
}

function remembered<T>(known: Map<number, T>, at: number, make: () => T): T {
  const found = known.get(at) ?? make()
  known.set(at, found)
  return found
}

function noteOf({ map, segments, open }: SceneInput, at: number): string {
  const segment = segments[at]
  if (segment === undefined || segment.kind === 'roots') return ''
  const parts = [formatQuantity(segment.entries, 'entry', 'entries')]
  if (segment.kind === 'subagent') parts.push('sub-agent')
  if (segment.node >= 0 && sumFacts(map.facts, [segment.node]).compactions > 0)
    parts.push('compacted')
  if (at === open) parts.push('open now')
  return parts.join(', ')
}
