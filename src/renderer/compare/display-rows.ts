import type { ComparisonOverview, RowKind } from '../../shared/model/comparison/comparison-view'

/** Line of the view: rows of the comparison by their numbers, or a run of equal ones that is folded. */
export type DisplayRow =
  /** A row of both sides. */
  | { readonly type: 'both'; readonly kind: 'same' | 'changed'; readonly row: number }
  /** Rows that one side alone has; side by side, one of each may stand in a line. */
  | {
      readonly type: 'alone'
      readonly left: number | undefined
      readonly right: number | undefined
    }
  | { readonly type: 'folded'; readonly row: number; readonly count: number }

/** Rows of a comparison as lines of the view, and which of them begin a difference. */
export interface DisplayRows {
  readonly rows: readonly DisplayRow[]
  /** Indices of the lines that differ, in order. */
  readonly differences: readonly number[]
}

/** Makes the lines of the view. Linear in the rows. */
export function displayRows(
  runs: ComparisonOverview['runs'],
  { layout, onlyDiffering }: { layout: 'split' | 'unified'; onlyDiffering: boolean },
): DisplayRows {
  const rows: DisplayRow[] = []
  const differences: number[] = []
  const addAlone = (left: number | undefined, right: number | undefined) => {
    differences.push(rows.length)
    rows.push({ type: 'alone', left, right })
  }
  let row = 0
  for (let at = 0; at < runs.length; at++) {
    const { kind, rows: count } = runs[at] ?? { kind: 'same', rows: 0 }
    if (kind === 'same' && onlyDiffering) rows.push({ type: 'folded', row, count })
    else if (kind === 'same' || kind === 'changed') {
      for (let i = 0; i < count; i++) {
        if (kind === 'changed') differences.push(rows.length)
        rows.push({ type: 'both', kind, row: row + i })
      }
    } else if (layout === 'split') {
      // Neither is the other after a change, but they stand in the same place.
      const lefts: number[] = []
      const rights: number[] = []
      let end = row
      for (let run = runs[at]; run?.kind === 'removed' || run?.kind === 'added'; run = runs[++at]) {
        const side = run.kind === 'removed' ? lefts : rights
        for (let i = 0; i < run.rows; i++) side.push(end++)
      }
      for (let i = 0; i < Math.max(lefts.length, rights.length); i++) addAlone(lefts[i], rights[i])
      at -= 1
      row = end - count
    } else for (let i = 0; i < count; i++) addAlone(...sideOf(kind, row + i))
    row += count
  }
  return { rows, differences }
}

function sideOf(kind: RowKind, row: number): [number | undefined, number | undefined] {
  return kind === 'removed' ? [row, undefined] : [undefined, row]
}

/** Returns the numbers of the comparison's rows that a line shows. */
export function rowsIn(line: DisplayRow): readonly number[] {
  switch (line.type) {
    case 'both':
      return [line.row]
    case 'folded':
      return []
    case 'alone':
      return [line.left, line.right].filter((row) => row !== undefined)
  }
}

/** Returns the index of the next or the previous difference from a line, around the ends; undefined without any. */
export function stepDifference(
  differences: readonly number[],
  from: number | undefined,
  step: 1 | -1,
): number | undefined {
  if (differences.length === 0) return undefined
  if (from === undefined) return step === 1 ? differences[0] : differences.at(-1)
  return step === 1
    ? (differences.find((at) => at > from) ?? differences[0])
    : (differences.findLast((at) => at < from) ?? differences.at(-1))
}
