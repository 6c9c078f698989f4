import fc from 'fast-check'
import { expect, it } from 'vitest'
import { endOfSegment, segmentAt } from '../../../../src/renderer/map/drawing/hit'
import { lineStart, makeScene } from '../../../../src/renderer/map/drawing/scene'
import {
  laidSegments,
  layoutInput,
  nodesBySegment,
  nodesOfSegment,
} from '../../../../src/renderer/map/layout/map-segments'
import type { MapMode } from '../../../../src/renderer/state/map-state'
import { layOut } from '../../../../src/shared/model/map/layout'
import { mapOf, relatives } from '../../../support/related'

/** Scales at which nodes are drawn whole: from afar two of them may be nearer than a pointer is exact. */
const scale = fc.double({ min: 0.6, max: 4, noNaN: true })
const offset = fc.integer({ min: -3000, max: 3000 })
const cameras = fc.record({ kx: scale, ky: scale, x: offset, y: offset })

it('finds the node whose line or knot is under the pointer, and every node of the family under exactly one', () => {
  fc.assert(
    fc.property(
      relatives,
      cameras,
      fc.constantFrom<MapMode>('entries', 'time'),
      fc.boolean(),
      (all, view, mode, isCollapsed) => {
        const map = mapOf(all)
        const key = map.conversations[0]?.key
        const collapsed = new Set(isCollapsed ? [map.nodes[0]?.id ?? ''] : [])
        const segments = laidSegments(map, { key, straightKey: key }, { collapsed })
        const layout = layOut(layoutInput(map, segments, mode, (label) => 6 * label.length))
        const { list, colours, labels, open } = segments
        const scene = makeScene({ map, segments: list, layout, colours, labels, open })
        const nodes = nodesBySegment(segments)
        list.forEach((segment, i) => {
          const end = endOfSegment(scene, i)
          const y = end.y * view.ky + view.y
          const along = [end.x, Math.max(lineStart(scene, i), end.x - 12 / view.kx)]
          for (const x of along) expect(segmentAt(scene, view, x * view.kx + view.x, y)).toBe(i)
          // Between two lanes there is nothing.
          expect(segmentAt(scene, view, end.x * view.kx + view.x, y + 23)).not.toBe(i)
          expect(nodesOfSegment(segments, i)).toEqual(nodes[i])
          if (segment.kind === 'run') expect(nodes[i]).toEqual([segment.node])
        })
        expect(nodes.flat().sort((a, b) => a - b)).toEqual(map.nodes.map((_, i) => i))
      },
    ),
  )
})
