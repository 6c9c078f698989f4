import type { LaidSegments } from './layout/map-segments'

/** Lists the positions of the nodes that are under a segment: one, or all that a fold stands for. */
export function nodesOfSegment({ list, ofNode }: LaidSegments, segment: number): readonly number[] {
  const node = list[segment]?.node ?? -1
  if (node >= 0) return [node]
  const nodes: number[] = []
  ofNode.forEach((at, position) => {
    if (at === segment) nodes.push(position)
  })
  return nodes
}
