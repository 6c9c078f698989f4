import type { Label } from '../../shared/model/conversation/label'
import type { FamilyView } from '../../shared/model/family/branching'
import { type BranchNode, type Family, pathTo } from '../../shared/model/family/family'
import { type LaneRow, layLanes } from '../../shared/model/family/lanes'

/** Most columns of lines: further lines share the last one, so that titles keep their width. */
const mostColumns = 6

/** Row of the tree: a node of the family with its position. */
export interface TreeRow extends LaneRow {
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

/**
 * Returns the family around a conversation as rows, parents first; lane 1 is the path of the open conversation.
 *
 * @param shown the node at the end of the way that is shown, where that is another branch of the conversation
 */
export function treeRows(view: FamilyView, shown?: string): readonly TreeRow[] {
  const last = shown ?? view.path.at(-1)?.node
  const way = new Set(last === undefined ? [] : pathTo(view.family, last).map(({ id }) => id))
  const rows = layLanes(openWay(view.family, way), mostColumns)
  const children = new Map<number | undefined, number[]>()
  rows.forEach((row, index) => {
    const known = children.get(row.parentRow)
    if (known === undefined) children.set(row.parentRow, [index])
    else known.push(index)
  })
  const labels = new Map<string, Label[]>()
  for (const { node, word, color } of view.labels ?? [])
    labels.set(node, [...(labels.get(node) ?? []), { word, color }])
  const levels: number[] = []
  return rows.map((row, index) => {
    const level = row.parentRow === undefined ? 1 : (levels[row.parentRow] ?? 0) + 1
    levels.push(level)
    const siblings = children.get(row.parentRow) ?? []
    return {
      ...row,
      level,
      position: siblings.indexOf(index) + 1,
      siblings: siblings.length,
      isOpenPath: way.has(row.node.id),
      isHere: row.node.id === last,
      firstChild: children.get(index)?.[0],
      labels: labels.get(row.node.id) ?? [],
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

/** Returns the title of a branch, or words in its place where it has none. */
export function branchTitle(node: BranchNode): string {
  if (node.title !== '') return node.title
  return node.kind === 'subagent' ? 'Sub-agent' : 'No message from a person'
}

function openWay(family: Family, way: ReadonlySet<string>): Family {
  return {
    ...family,
    nodes: family.nodes.map((node) => ({ ...node, active: way.has(node.id) })),
  }
}
