import { type RefObject, useLayoutEffect, useRef } from 'react'
import { type LibraryRow, rowShowing } from './groups'

/**
 * Keeps the rows on the screen where they are when `when` changes and rows are joined or parted: the first visible one
 * stays at its height, or the row that shows it now. At the top of the list nothing is kept.
 */
export function useKeptPlace(options: {
  readonly rows: readonly LibraryRow[]
  readonly scroller: RefObject<HTMLDivElement | null>
  /** Pixels of a row. */
  readonly heightOf: (row: LibraryRow) => number
  readonly when: unknown
}): void {
  const { rows, scroller, heightOf, when } = options
  const before = useRef({ when, rows })
  useLayoutEffect(() => {
    const { when: then, rows: old } = before.current
    before.current = { when, rows }
    const top = scroller.current?.scrollTop ?? 0
    if (then === when || then === undefined || top === 0) return
    const starts = startsOf(old, heightOf)
    const first = starts.findIndex(({ start, size }) => start + size > top)
    const kept = old.slice(first).find(({ type }) => type !== 'head')
    const shown = rowShowing(rows, kept?.key)
    if (kept === undefined || shown === undefined) return
    const was = starts[old.indexOf(kept)]?.start ?? 0
    const now = startsOf(rows, heightOf)[rows.indexOf(shown)]?.start ?? 0
    scroller.current?.scrollTo({ top: top + now - was })
  })
}

function startsOf(
  rows: readonly LibraryRow[],
  heightOf: (row: LibraryRow) => number,
): readonly { readonly start: number; readonly size: number }[] {
  let start = 0
  return rows.map((row) => {
    const size = heightOf(row)
    const place = { start, size }
    start += size
    return place
  })
}
