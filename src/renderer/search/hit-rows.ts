import type { ListedHit } from '../state/search-state'

/** Row of the list of hits: the head of a conversation, or a hit in it. */
export type HitListRow =
  | {
      readonly type: 'head'
      readonly key: string
      readonly first: ListedHit
      readonly count: number
      /** Its hits are folded behind it: it stands for the first of them. */
      readonly isFolded: boolean
      /** Of the first hit, counted from 0. */
      readonly position: number
    }
  | {
      readonly type: 'hit'
      readonly key: string
      readonly found: ListedHit
      /** Counts hits from 0. */
      readonly position: number
    }

/**
 * Returns rows for hits that are already sorted by conversation, each conversation under its head.
 *
 * @param folded conversations whose hits are behind their head
 */
export function hitListRows(
  hits: readonly ListedHit[],
  folded: ReadonlySet<string>,
): readonly HitListRow[] {
  const counts = new Map<string, number>()
  for (const { group } of hits) counts.set(group, (counts.get(group) ?? 0) + 1)
  const rows: HitListRow[] = []
  for (const [position, found] of hits.entries()) {
    const { group, id } = found
    if (group !== hits[position - 1]?.group)
      rows.push({
        type: 'head',
        key: `head ${group}`,
        first: found,
        count: counts.get(group) ?? 0,
        isFolded: folded.has(group),
        position,
      })
    if (!folded.has(group)) rows.push({ type: 'hit', key: String(id), found, position })
  }
  return rows
}

/** Returns the hit that a row is an option for: a head only where its hits are behind it. */
export function optionOf(row: HitListRow | undefined): ListedHit | undefined {
  if (row?.type === 'hit') return row.found
  return row?.isFolded === true ? row.first : undefined
}

/** Returns the index of the row that has the cursor: the selected hit, or the head that it is folded behind; -1 for none. */
export function cursorRow(rows: readonly HitListRow[], selected: ListedHit | undefined): number {
  if (selected === undefined) return -1
  const own = rows.findIndex((row) => optionOf(row)?.id === selected.id)
  return own >= 0 ? own : rows.findIndex((row) => optionOf(row)?.group === selected.group)
}

/** Counts the conversations that the hits are in. */
export function conversationCount(hits: readonly ListedHit[]): number {
  return new Set(hits.map(({ group }) => group)).size
}
