import { expect, it } from 'vitest'
import { laneColours } from '../../../../src/shared/model/map/lane-colours'
import type { Segment } from '../../../../src/shared/model/map/segments'

const segment = (parent: number, kind: Segment['kind'] = 'run'): Segment => ({
  id: `${parent}`,
  kind,
  parent,
  node: 0,
  end: '',
  entries: 1,
  folded: 0,
})

it('gives the open path the first colour, branches the next by birth with all that comes of them, sub-agents none', () => {
  const all = [
    segment(-1),
    segment(0),
    segment(0),
    segment(1),
    segment(2, 'subagent'),
    segment(2),
    segment(0),
  ]
  expect([...laneColours(all, 5)]).toEqual([1, 2, 1, 2, 0, 1, 3])
  // Another open path moves the colours, and nothing else.
  expect([...laneColours(all, 3)]).toEqual([1, 1, 2, 1, 0, 2, 3])
})
