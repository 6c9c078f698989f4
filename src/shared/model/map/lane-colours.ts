import type { Segment } from './segments'

/** Colours of branches off the open path, which has one for itself. */
const branchColours = 5

/**
 * Gives every segment the colour of its lane: 1 for the open path, 2 to 6 for other branches by birth, 0 for sub-agents.
 * A branch off the open path has one colour with all that comes of it.
 */
export function laneColours(segments: readonly Segment[], open: number): Uint8Array {
  const colours = new Uint8Array(segments.length)
  const onPath = new Uint8Array(segments.length)
  for (let at = open; at >= 0; at = segments[at]?.parent ?? -1) onPath[at] = 1
  let branches = 0
  segments.forEach(({ kind, parent }, i) => {
    if (onPath[i] === 1) colours[i] = 1
    else if (kind === 'subagent') colours[i] = 0
    else if (parent < 0 || onPath[parent] === 1) colours[i] = 2 + (branches++ % branchColours)
    else colours[i] = colours[parent] ?? 0
  })
  return colours
}
