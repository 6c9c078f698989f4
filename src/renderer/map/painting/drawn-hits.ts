import { messagesOf } from '../../../shared/model/map/fact-sums'
import type { FilteredMap } from '../../../shared/model/map/filters'
import type { MapHits, PaintedHit } from '../../../shared/model/map/painted-hits'
import type { DrawnHits } from '../drawing/drawing'
import type { LaidSegments } from '../layout/map-segments'

/** Segment of a hit, and its message in the filtered map; undefined in branches that are folded. */
export interface HitSpot {
  readonly segment: number
  readonly message: number | undefined
}

/** Returns hits as they are drawn on the segments of a filtered map. Linear in the nodes. */
export function drawnHits(
  shown: MapHits,
  { map }: FilteredMap,
  { list, ofNode }: LaidSegments,
  current: HitSpot | undefined,
): DrawnHits {
  const ofSegment = new Int32Array(list.length)
  shown.ofNode.forEach((count, node) => {
    const segment = ofNode[node] ?? 0
    ofSegment[segment] = (ofSegment[segment] ?? 0) + count
  })
  const known = new Map<number, readonly number[]>()
  return {
    ofSegment,
    current,
    messagesOf(segment) {
      const found = known.get(segment) ?? hitMessages(shown, map, list[segment]?.node ?? -1)
      known.set(segment, found)
      return found
    },
  }
}

function hitMessages(
  { ofMessage }: MapHits,
  map: FilteredMap['map'],
  node: number,
): readonly number[] {
  if (node < 0) return []
  const { from, to } = messagesOf(map.facts, node)
  return Array.from({ length: to - from }, (_, i) => from + i).filter(
    (at) => (ofMessage[at] ?? 0) > 0,
  )
}

/** Finds where a hit is on the segments of a filtered map; undefined where it is not shown. Linear in the messages. */
export function spotOfHit(
  hit: PaintedHit,
  { origins, messages }: FilteredMap,
  { list, ofNode }: LaidSegments,
): HitSpot | undefined {
  const segment = ofNode[origins.indexOf(hit.node)]
  const message = messages.indexOf(hit.message)
  if (segment === undefined || message < 0) return undefined
  return { segment, message: list[segment]?.kind === 'fold' ? undefined : message }
}

/** Lists the shown hits under a segment, in the order of the map. */
export function hitsOfSegment(
  { list: hits }: MapHits,
  { origins }: FilteredMap,
  { ofNode }: LaidSegments,
  segment: number,
): readonly PaintedHit[] {
  const nodes = new Set(origins.filter((_, node) => ofNode[node] === segment))
  return hits.filter(({ node }) => nodes.has(node))
}
