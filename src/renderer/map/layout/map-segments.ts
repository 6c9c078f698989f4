import { lanesOf } from '../../../shared/model/family/lanes'
import { timesOfNode } from '../../../shared/model/map/fact-sums'
import type { FamilyMap } from '../../../shared/model/map/family-map'
import type { LayoutInput } from '../../../shared/model/map/layout-shape'
import {
  type MapSegments,
  type Segment,
  type SegmentOptions,
  segmentsOf,
} from '../../../shared/model/map/segments'
import { branchTitle, pathUpFrom } from '../../family-tree/tree-rows'
import type { MapMode } from '../../state/map-state'
import { formatQuantity } from '../../ui/format/format'

/** Segments to lay out, with their labels, and which of them end the open and the straight path. */
export interface LaidSegments extends MapSegments {
  readonly labels: readonly string[]
  /** The colours of their lanes, as the tree has them; a fold has that of its first branch. */
  readonly colours: Uint8Array
  readonly open: number
  readonly straight: number
}

/** Makes the segments of a map; the paths of both conversations are never folded. */
export function laidSegments(
  map: FamilyMap,
  paths: { readonly key: string | undefined; readonly straightKey: string | undefined },
  folds: Pick<SegmentOptions, 'unfolded' | 'collapsed'>,
): LaidSegments {
  const leafOf = (key: string | undefined) =>
    map.conversations.find((one) => one.key === key)?.leaf ?? -1
  const openLeaf = leafOf(paths.key)
  const straightLeaf = leafOf(paths.straightKey) < 0 ? openLeaf : leafOf(paths.straightKey)
  const kept = new Set([
    ...pathUpFrom(map.nodes, map.nodes[openLeaf]?.id),
    ...pathUpFrom(map.nodes, map.nodes[straightLeaf]?.id),
  ])
  const { list, ofNode } = segmentsOf(map.nodes, { kept, ...folds })
  return {
    list,
    ofNode,
    labels: list.map((segment) => segmentLabel(map, segment)),
    colours: coloursOf(map, list, ofNode, map.nodes[openLeaf]?.id),
    open: ofNode[openLeaf] ?? 0,
    straight: ofNode[straightLeaf] ?? 0,
  }
}

function coloursOf(
  { nodes }: FamilyMap,
  { length }: readonly Segment[],
  ofNode: Int32Array,
  openLeaf: string | undefined,
): Uint8Array {
  const colours = new Uint8Array(length).fill(1)
  const way = pathUpFrom(nodes, openLeaf)
  const lanes = lanesOf(nodes, ({ id }) => way.has(id))
  // From the last to the first, so that a fold ends with the colour of its first node.
  for (let i = lanes.length - 1; i >= 0; i--) colours[ofNode[i] ?? 0] = lanes[i] ?? 0
  return colours
}

/** Returns the label of a segment: its title, or what it stands for. */
function segmentLabel({ nodes }: FamilyMap, segment: Segment): string {
  const node = nodes[segment.node]
  if (node !== undefined) return branchTitle(node)
  if (segment.kind === 'fold') return formatQuantity(segment.folded, 'more branch', 'more branches')
  return 'Several beginnings'
}

/** Makes what the layout is found from. */
export function layoutInput(
  { facts }: FamilyMap,
  { list, labels, straight }: LaidSegments,
  mode: MapMode,
  widthOf: (label: string) => number,
): LayoutInput {
  const times = list.map(({ node }) => (node < 0 ? undefined : timesOfNode(facts, node)))
  return {
    ids: list.map(({ id }) => id),
    ends: list.map(({ end }) => end),
    parents: Int32Array.from(list, ({ parent }) => parent),
    entries: Float64Array.from(list, ({ entries }) => entries),
    labels: Float32Array.from(labels, widthOf),
    aside: Uint8Array.from(list, ({ kind }) => (kind === 'subagent' ? 1 : 0)),
    open: straight,
    times:
      mode === 'entries'
        ? undefined
        : {
            first: Float64Array.from(times, (time) => time?.[0] ?? Number.NaN),
            last: Float64Array.from(times, (time) => time?.[1] ?? Number.NaN),
          },
  }
}

/** Lists for each segment the positions of the nodes under it: one, or all that a fold stands for. */
export function nodesBySegment({ list, ofNode }: LaidSegments): readonly (readonly number[])[] {
  const nodes = list.map((): number[] => [])
  ofNode.forEach((segment, node) => {
    nodes[segment]?.push(node)
  })
  return nodes
}

/** Lists the positions of the nodes under one segment. */
export function nodesOfSegment({ list, ofNode }: LaidSegments, segment: number): readonly number[] {
  const node = list[segment]?.node ?? -1
  if (node >= 0) return [node]
  const nodes: number[] = []
  ofNode.forEach((at, position) => {
    if (at === segment) nodes.push(position)
  })
  return nodes
}
