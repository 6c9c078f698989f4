import type { MapNode } from './family-map'

/** Most children of one place that the map shows by themselves; the younger ones are one node that says how many. */
export const mostSiblings = 24

/** A stretch of the map: entries in a row without a fork, or a node that stands for several branches. */
export interface Segment {
  /** The family's id of the node; `fold <parent>` for folded branches, `roots` for the node above several roots. */
  readonly id: string
  readonly kind: 'run' | 'subagent' | 'fold' | 'roots'
  /** The segment that it goes on from, by position; -1 for the first one. */
  readonly parent: number
  /** Position among the family's nodes; -1 where it stands for several. */
  readonly node: number
  /** Names the last entry: the part behind a new fork keeps it. */
  readonly end: string
  /** Entries under it: those of all folded branches for a fold. */
  readonly entries: number
  /** Leaves that a fold stands for; 0 for other segments. */
  readonly folded: number
}

/** A family as segments, parents before children, siblings by birth. */
export interface MapSegments {
  readonly list: readonly Segment[]
  /** The one segment of each of the family's nodes, by position. */
  readonly ofNode: Int32Array
}

/** Fields of a node that its segment is made of. */
type SegmentNode = Pick<
  MapNode,
  'id' | 'source' | 'key' | 'kind' | 'parent' | 'toEntry' | 'entries'
>

/** Options of `segmentsOf`. */
export interface SegmentOptions {
  /** Ids of nodes that are never folded: the open path. */
  readonly kept: ReadonlySet<string>
  /** Ids of segments all of whose children are shown. */
  readonly unfolded?: ReadonlySet<string>
  /** Ids of segments all of whose children are folded, but for kept ones. */
  readonly collapsed?: ReadonlySet<string>
}

/** Makes the segments of a family's nodes. Every node, and so every entry, is under exactly one. Linear in the nodes. */
export function segmentsOf(
  nodes: readonly SegmentNode[],
  { kept, unfolded = new Set(), collapsed = new Set() }: SegmentOptions,
): MapSegments {
  const positions = new Map(nodes.map((node, i) => [node.id, i]))
  const parentOf = (i: number) => positions.get(nodes[i]?.parent ?? '') ?? -1
  const inner = new Set(nodes.flatMap(({ kind, parent }) => (kind === 'run' ? [parent] : [])))
  const list: Draft[] = []
  const ofNode = new Int32Array(nodes.length)
  const children = new Map<number, number>()
  const folds = new Map<number, number>()

  const add = (segment: Draft): number => list.push(segment) - 1
  const foldUnder = (parent: number): number => {
    const known = folds.get(parent)
    if (known !== undefined) return known
    const id = foldIdOf(list[parent]?.id ?? '')
    const made = add({ id, kind: 'fold', parent, node: -1, end: id, entries: 0, folded: 0 })
    folds.set(parent, made)
    return made
  }

  const isOneRoot = nodes.filter((_, i) => parentOf(i) === -1).length < 2
  const top = isOneRoot ? -1 : add(rootsSegment())
  nodes.forEach((node, i) => {
    const before = parentOf(i)
    const parent = before === -1 ? top : (ofNode[before] ?? top)
    const born = 1 + (children.get(parent) ?? 0)
    children.set(parent, born)
    const isUnderFold = list[parent]?.kind === 'fold'
    const above = list[parent]?.id ?? ''
    const isFolded =
      !kept.has(node.id) && (collapsed.has(above) || (born > mostSiblings && !unfolded.has(above)))
    if (!isUnderFold && !isFolded) {
      const { id, kind, entries } = node
      ofNode[i] = add({ id, kind, parent, node: i, end: endOf(node), entries, folded: 0 })
      return
    }
    const at = isUnderFold ? parent : foldUnder(parent)
    ofNode[i] = at
    const fold = list[at]
    if (fold === undefined) return
    fold.entries += node.entries
    if (node.kind === 'run' && !inner.has(node.id)) fold.folded += 1
  })
  return { list, ofNode }
}

/** Returns the id of the node that the folded children of a segment are in. */
function foldIdOf(parent: string): string {
  return `fold ${parent}`
}

/** A segment while nodes are still put under it. */
type Draft = { -readonly [Field in keyof Segment]: Segment[Field] }

function rootsSegment(): Draft {
  return { id: 'roots', kind: 'roots', parent: -1, node: -1, end: 'roots', entries: 0, folded: 0 }
}

function endOf(node: SegmentNode): string {
  return `${node.source}:${node.key}/${node.toEntry}`
}
