import { isoMs } from '../../shared/model/basics/time'
import { visibleText } from '../../shared/model/basics/visible'
import type { Label } from '../../shared/model/conversation/label'
import type { BranchNode } from '../../shared/model/family/family'
import { type LaneNode, type LaneRow, layLanes } from '../../shared/model/family/lanes'
import { exactTime, formatQuantity } from '../ui/format/format'

/** Most columns of lines: further lines share the last one, so that titles keep their width. */
const mostColumns = 6

/** Node of a family as a tree shows it. */
export type TreeNode = LaneNode & Pick<BranchNode, 'title' | 'entries'>

/** Row of the tree: a node of the family with its position. */
export interface TreeRow<N extends TreeNode = TreeNode> extends LaneRow<N> {
  /** Counts from 1. */
  readonly level: number
  readonly position: number
  readonly siblings: number
  /** On the path of the open conversation. */
  readonly isOpenPath: boolean
  /** The end of that path. */
  readonly isHere: boolean
  readonly firstChild: number | undefined
  /** Labels of the node's entries. */
  readonly labels: readonly Label[]
}

const noLabels: readonly Label[] = []

/** Label of an entry in a node, by the node's id. */
type NodeLabel = Label & { readonly node: string }

/**
 * Returns the nodes of a family as rows, parents first; lane 1 is the path of the open conversation.
 *
 * @param last the id of the node where the open conversation is; undefined where none of its entries is in the family
 */
export function treeRows<N extends TreeNode>(
  nodes: readonly N[],
  last: string | undefined,
  labels: readonly NodeLabel[] = [],
): readonly TreeRow<N>[] {
  const way = pathUpFrom(nodes, last)
  const rows = layLanes({ nodes }, mostColumns, ({ id }) => way.has(id))
  const children = new Map<number | undefined, number>()
  const firstChildren = new Map<number, number>()
  const positions = rows.map((row, index) => {
    const position = 1 + (children.get(row.parentRow) ?? 0)
    children.set(row.parentRow, position)
    if (row.parentRow !== undefined && position === 1) firstChildren.set(row.parentRow, index)
    return position
  })
  const labelsOf = new Map<string, Label[]>()
  for (const { node, word, color } of labels)
    labelsOf.set(node, [...(labelsOf.get(node) ?? []), { word, color }])
  const levels: number[] = []
  return rows.map((row, index) => {
    const level = row.parentRow === undefined ? 1 : (levels[row.parentRow] ?? 0) + 1
    levels.push(level)
    // Each field by name: of tens of thousands of rows, spread ones took most of the time.
    return {
      node: row.node,
      parentRow: row.parentRow,
      column: row.column,
      lane: row.lane,
      passing: row.passing,
      leaving: row.leaving,
      isLeaf: row.isLeaf,
      isCurrent: row.isCurrent,
      level,
      position: positions[index] ?? 1,
      siblings: children.get(row.parentRow) ?? 1,
      isOpenPath: way.has(row.node.id),
      isHere: row.node.id === last,
      firstChild: firstChildren.get(index),
      labels: labelsOf.get(row.node.id) ?? noLabels,
    }
  })
}

/** Returns the highest column that rows or passing lines use; at least 1. */
export function columnCount(rows: readonly TreeRow[]): number {
  return rows.reduce(
    (most, { column, passing }) => Math.max(most, column, ...passing.map((line) => line.column)),
    1,
  )
}

/** Returns the title of a branch with its controls made visible, or words in its place where it has none. */
export function branchTitle(node: Pick<TreeNode, 'title' | 'kind'>): string {
  if (node.title !== '') return visibleText(node.title)
  return node.kind === 'subagent' ? 'Sub-agent' : 'No message from a person'
}

/** Returns what a row has no room for: the whole title, its start, and the conversations that contain it. */
export function rowTooltip({
  node,
  labels,
}: TreeRow<TreeNode & Partial<Pick<BranchNode, 'keys'>>>): string {
  const others = (node.keys?.length ?? 1) - 1
  const createdMs = isoMs(node.created)
  return [
    branchTitle(node),
    formatQuantity(node.entries, 'entry', 'entries'),
    ...(createdMs === undefined ? [] : [exactTime(createdMs)]),
    `${node.source}: ${visibleText(node.key)}${others > 0 ? ` and ${formatQuantity(others, 'more', 'more')}` : ''}`,
    ...(labels.length === 0 ? [] : [`Labels: ${wordsOfLabels(labels)}`]),
  ].join('\n')
}

/** Returns the words of labels, one after the other. */
export function wordsOfLabels(labels: readonly Label[]): string {
  return labels.map(({ word }) => visibleText(word)).join(', ')
}

/** Returns the ids from a node up to its root. */
export function pathUpFrom(
  nodes: readonly Pick<TreeNode, 'id' | 'parent'>[],
  last: string | undefined,
): ReadonlySet<string> {
  const parents = new Map(nodes.map(({ id, parent }) => [id, parent]))
  const way = new Set<string>()
  for (let at = last; at !== undefined && parents.has(at); at = parents.get(at) ?? undefined)
    way.add(at)
  return way
}
