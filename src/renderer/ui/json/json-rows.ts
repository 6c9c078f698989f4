import type { JsonBranch, JsonNode } from './json-nodes'

/** Row of a drawn JSON tree: a value, or what asks for more values of a branch. */
export interface JsonRow {
  /** The numbers of the members that lead here, such as `0.12`; `` for the whole. */
  readonly path: string
  readonly depth: number
  /** Key of a member, number of an item, or undefined for the whole. */
  readonly name: string | number | undefined
  readonly node: JsonNode
  readonly isOpen: boolean
  /** Its place among the members of its branch, from 1, and their number. */
  readonly position: number
  readonly size: number
  /** Members of the branch that are not drawn yet, where this row asks for more of them; else 0. */
  readonly left: number
}

/** Folds of a tree: which branches are open, and how many members of each are drawn. */
export interface JsonFolds {
  readonly open: ReadonlySet<string>
  /** By path; others draw the first 100. */
  readonly drawn: ReadonlyMap<string, number>
}

/** Members of a branch that are drawn at first, and with each step. */
export const jsonStep = 100
/** Rows that are drawn at first, where folding can hold them to it. */
const firstRows = 40

/** Returns the folds of a tree at first: the whole is open, and so are branches below it as far as there is room. */
export function firstFolds(root: JsonBranch): JsonFolds {
  const open = new Set([''])
  const queue: { readonly path: string; readonly branch: JsonBranch }[] = [
    { path: '', branch: root },
  ]
  let rows = Math.min(root.members.length, jsonStep)
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const { path, branch } = next
    for (const [index, { node }] of branch.members.slice(0, jsonStep).entries()) {
      if (node.type === 'scalar' || node.members.length === 0) continue
      if (rows + node.members.length > firstRows) continue
      rows += node.members.length
      const below = pathOf(path, index)
      open.add(below)
      queue.push({ path: below, branch: node })
    }
  }
  return { open, drawn: new Map() }
}

/** Lists the rows that are drawn, from top to bottom. Costs what is open. */
export function jsonRows(root: JsonBranch, folds: JsonFolds): readonly JsonRow[] {
  const rows: JsonRow[] = []
  const add = (node: JsonNode, row: Omit<JsonRow, 'node' | 'isOpen' | 'left'>) => {
    const isOpen = node.type !== 'scalar' && folds.open.has(row.path)
    rows.push({ ...row, node, isOpen, left: 0 })
    if (!isOpen) return
    const size = node.members.length
    const drawn = Math.min(size, folds.drawn.get(row.path) ?? jsonStep)
    for (const [index, member] of node.members.slice(0, drawn).entries())
      add(member.node, {
        path: pathOf(row.path, index),
        depth: row.depth + 1,
        name: member.key ?? index,
        position: index + 1,
        size,
      })
    if (drawn < size)
      rows.push({
        ...{ path: row.path, depth: row.depth + 1, name: undefined, node, isOpen: false },
        ...{ position: drawn + 1, size, left: size - drawn },
      })
  }
  add(root, { path: '', depth: 0, name: undefined, position: 1, size: 1 })
  return rows
}

function pathOf(path: string, index: number): string {
  return path === '' ? String(index) : `${path}.${index}`
}
