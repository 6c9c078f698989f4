import { sourceLabel } from '../../shared/model/conversation/sources'
import { tagId } from '../../shared/model/conversation/tag'
import { localMinute } from '../terminal/local-time'
import type { ListedFamily } from './list-families'

/** Values of `skein list --group-by`. */
export const listGroupings = ['date', 'project', 'source', 'model', 'tag', 'family'] as const
/** Grouping of `skein list`. */
export type ListGrouping = (typeof listGroupings)[number]

/** The part of a row that its group depends on. */
interface GroupedRow {
  readonly source: string
  readonly title: string
  readonly project: string | null
  readonly model?: string | undefined
  readonly tags?: readonly string[] | undefined
  readonly updated: string | null
  readonly family?: ListedFamily | undefined
}

/** Rows of a group, in their order; `name` is null for those that belong to none. */
export interface ListGroup<Row> {
  readonly name: string | null
  readonly rows: readonly Row[]
}

/** Groups rows in the order of the first row of each group, what belongs to none last. Of several tags the first counts. */
export function groupListed<Row extends GroupedRow>(
  rows: readonly Row[],
  by: ListGrouping,
): readonly ListGroup<Row>[] {
  const groups = new Map<string, { readonly name: string | null; readonly rows: Row[] }>()
  for (const row of rows) {
    const [id, name] = groupOf(row, by) ?? ['', null]
    const known = groups.get(id)
    if (known === undefined) groups.set(id, { name, rows: [row] })
    else known.rows.push(row)
  }
  const all = [...groups.values()]
  return [...all.filter(({ name }) => name !== null), ...all.filter(({ name }) => name === null)]
}

/** Returns the id of a row's group, and its name; undefined for a row that belongs to none. */
function groupOf(row: GroupedRow, by: ListGrouping): readonly [string, string] | undefined {
  const same = (name: string | null | undefined) =>
    name == null ? undefined : ([name, name] as const)
  switch (by) {
    case 'date':
      return same(localMinute(row.updated)?.slice(0, 10))
    case 'project':
      return same(row.project?.replace(/(?<=.)[/\\]+$/, ''))
    case 'source':
      return [row.source, sourceLabel(row.source)]
    case 'model':
      return same(row.model)
    case 'tag':
      return row.tags?.[0] === undefined ? undefined : [tagId(row.tags[0]), row.tags[0]]
    case 'family':
      return row.family === undefined ? undefined : [row.family.oldest, row.title]
  }
}
