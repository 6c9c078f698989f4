import { isoMs } from '../basics/time'
import type { BranchNode } from './family'

/** Fields of a node by which it gets its lane. */
export type LaneNode = Pick<
  BranchNode,
  'id' | 'source' | 'key' | 'kind' | 'parent' | 'created' | 'active'
>

/** Nodes, parents first, as a family has them. */
interface LaneNodes<N extends LaneNode = LaneNode> {
  readonly nodes: readonly N[]
}

/** A node as a row of the small tree, with what must be drawn in that row alone, so that rows virtualize. */
export interface LaneRow<N extends LaneNode = BranchNode> {
  readonly node: N
  /** The node that it goes on from, by row; undefined for a root. */
  readonly parentRow: number | undefined
  /** Counts from 1; the open path keeps column 1 for itself. */
  readonly column: number
  /** The colour: 1 for the open path, others by order of birth 2 to 6 and round again, 0 for sub-agents. */
  readonly lane: number
  /** Lines that come from above and go on below; in the node's own column only where columns had to be shared. */
  readonly passing: readonly LaneLine[]
  /** Lines that leave from the node downward: its children's; of those that share a column the one that reaches furthest. */
  readonly leaving: readonly LaneLine[]
  /** Nothing goes on from here. */
  readonly isLeaf: boolean
  /** Where the open path ends. */
  readonly isCurrent: boolean
}

/** A line by its column and colour. */
export interface LaneLine {
  readonly column: number
  readonly lane: number
}

const colours = 5
const defaultColumns = 12

/** Where nothing passes or leaves: most rows of a wide family. */
const noLines: readonly LaneLine[] = []

/**
 * Lays a family out in rows, one a node, in the family's order.
 *
 * A line runs down its child's column from the parent's row to the child's, bending at the parent. The open path, and
 * a conversation that goes on after a fork off it, run straight; every other child takes the leftmost column that is
 * free all the way. What would need more than `maxColumns` shares the last. Linear in the nodes times the columns.
 *
 * @param isActive tells whether a node is on the open path
 */
export function layLanes<N extends LaneNode>(
  { nodes }: LaneNodes<N>,
  maxColumns = defaultColumns,
  isActive: (node: N) => boolean = isNodeActive,
): readonly LaneRow<N>[] {
  const parents = parentRows(nodes)
  const active = nodes.map(isActive)
  const lanes = colourLanes(nodes, parents, active)
  const columns = placeColumns(nodes, parents, active, maxColumns)
  const children = childRows(parents)
  const line = (row: number) => ({ column: columns[row] ?? 1, lane: lanes[row] ?? 1 })
  const passing = findPassing(parents, children, line)
  return nodes.map((node, row) => {
    const below = children.get(row)
    return {
      node,
      parentRow: parents[row],
      column: columns[row] ?? 1,
      lane: lanes[row] ?? 1,
      passing: passing[row] ?? noLines,
      leaving: below === undefined ? noLines : onePerColumn(below, columns).map(line),
      isLeaf: below === undefined,
      isCurrent: active[row] === true && below?.some((child) => active[child]) !== true,
    }
  })
}

/** Returns the lane of each node, as `layLanes` has them. */
export function lanesOf<N extends LaneNode>(
  nodes: readonly N[],
  isActive: (node: N) => boolean = isNodeActive,
): readonly number[] {
  return colourLanes(nodes, parentRows(nodes), nodes.map(isActive))
}

function isNodeActive({ active }: LaneNode): boolean {
  return active
}

function parentRows(nodes: readonly LaneNode[]): readonly (number | undefined)[] {
  const rowOf = new Map(nodes.map((node, row) => [node.id, row]))
  return nodes.map(({ parent }) => (parent === null ? undefined : rowOf.get(parent)))
}

/** The last row of each column, in the order in which the columns come. */
function onePerColumn(rows: readonly number[], columns: readonly number[]): readonly number[] {
  const last = new Map<number, number>()
  for (const row of rows) last.set(columns[row] ?? 1, row)
  return [...last.values()]
}

function childRows(
  parents: readonly (number | undefined)[],
): ReadonlyMap<number, readonly number[]> {
  const children = new Map<number, number[]>()
  parents.forEach((parent, row) => {
    if (parent === undefined) return
    const known = children.get(parent)
    if (known === undefined) children.set(parent, [row])
    else known.push(row)
  })
  return children
}

/** A branch off the open path has one colour with all that comes of it. */
function colourLanes(
  nodes: readonly LaneNode[],
  parents: readonly (number | undefined)[],
  active: readonly boolean[],
): readonly number[] {
  const tops: { readonly row: number; readonly bornMs: number }[] = []
  nodes.forEach((node, row) => {
    const parent = parents[row]
    const isTop = parent === undefined || active[parent] === true
    if (isTop && !active[row] && node.kind === 'run') tops.push({ row, bornMs: bornMs(node) })
  })
  tops.sort((a, b) => (a.bornMs === b.bornMs ? a.row - b.row : a.bornMs < b.bornMs ? -1 : 1))
  const laneOfTop = new Map(tops.map(({ row }, order) => [row, 2 + (order % colours)]))
  const lanes: number[] = []
  nodes.forEach((node, row) => {
    if (active[row]) lanes.push(1)
    else if (node.kind === 'subagent') lanes.push(0)
    else lanes.push(laneOfTop.get(row) ?? lanes[parents[row] ?? -1] ?? 0)
  })
  return lanes
}

function bornMs(node: LaneNode): number {
  return isoMs(node.created) ?? Infinity
}

function placeColumns(
  nodes: readonly LaneNode[],
  parents: readonly (number | undefined)[],
  active: readonly boolean[],
  maxColumns: number,
): readonly number[] {
  const heirs = findHeirs(nodes, parents, active)
  const columns: number[] = []
  /** The last row down to which a column is taken. */
  const takenTo: number[] = [Infinity, Infinity]
  parents.forEach((parent, row) => {
    const isStraight = parent !== undefined && heirs[parent] === row
    const column = active[row]
      ? 1
      : isStraight
        ? (columns[parent] ?? 1)
        : freeColumn(takenTo, parent ?? row, maxColumns)
    columns.push(column)
    if (column > 1) takenTo[column] = Math.max(takenTo[column] ?? -1, heirs[row] ?? row)
  })
  return columns
}

/** For nodes off the open path, the child in which their own conversation goes on: that one runs straight. */
function findHeirs(
  nodes: readonly LaneNode[],
  parents: readonly (number | undefined)[],
  active: readonly boolean[],
): readonly (number | undefined)[] {
  const heirs: (number | undefined)[] = nodes.map(() => undefined)
  nodes.forEach((node, row) => {
    const parent = parents[row]
    const above = parent === undefined ? undefined : nodes[parent]
    if (parent === undefined || above === undefined) return
    if (active[parent] || node.kind !== 'run') return
    const isOwn = node.key === above.key && node.source === above.source
    if (isOwn) heirs[parent] ??= row
  })
  return heirs
}

/** The leftmost column but the open path's that nothing uses from `fromRow` on; rows come in order, so that is all of it. */
function freeColumn(takenTo: readonly number[], fromRow: number, maxColumns: number): number {
  let column = 2
  while (column < maxColumns && (takenTo[column] ?? -1) >= fromRow) column++
  return column
}

/** For every row, the lines that began above and end below it. In a shared column the longest one is drawn for all. */
function findPassing(
  parents: readonly (number | undefined)[],
  children: ReadonlyMap<number, readonly number[]>,
  line: (row: number) => LaneLine,
): readonly (readonly LaneLine[])[] {
  const open: ({ readonly line: LaneLine; readonly endRow: number } | undefined)[] = []
  return parents.map((_, row) => {
    const passing: LaneLine[] = []
    for (const going of open)
      if (going !== undefined && going.endRow > row) passing.push(going.line)
    for (const child of children.get(row) ?? []) {
      const { column } = line(child)
      if (child > (open[column]?.endRow ?? -1)) open[column] = { line: line(child), endRow: child }
    }
    return passing
  })
}
