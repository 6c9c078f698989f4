import { type RefObject, useLayoutEffect, useRef } from 'react'
import { type LibraryRow, rowShowing } from './order/groups'

/**
 * Keeps the rows on the screen where they are when `when` changes and rows come, are joined or parted: the one that is held
 * stays at its height where it is visible, else the first visible one, or the row that shows it now. At the top of the list
 * nothing is kept where none is held. A list that moves itself, since what stands above it grows, is scrolled by as much.
 */
export function useKeptPlace(options: {
  readonly rows: readonly LibraryRow[]
  readonly scroller: RefObject<HTMLDivElement | null>
  /** Pixels of a row. */
  readonly heightOf: (row: LibraryRow) => number
  readonly when: unknown
  /** The key of the row that the pointer or the cursor is on. */
  readonly held: string | undefined
}): void {
  const { rows, scroller, heightOf, when, held } = options
  const before = useRef({ when, rows })
  // As the window shows it still: what stands above the list may grow with the same change.
  const shownAt = scroller.current?.getBoundingClientRect().top
  useLayoutEffect(() => {
    const { when: then, rows: old } = before.current
    before.current = { when, rows }
    const { scrollTop: top = 0, clientHeight: height = 0 } = scroller.current ?? {}
    if (then === when || then === undefined || (top === 0 && held === undefined)) return
    const starts = startsOf(old, heightOf)
    const first = starts.findIndex(({ start, size }) => start + size > top)
    const isInSight = (at: number) => at >= first && (starts[at]?.start ?? 0) < top + height
    const holding = old.findIndex(({ key, type }) => type !== 'head' && key === held)
    if (top === 0 && !isInSight(holding)) return
    const kept = isInSight(holding)
      ? old[holding]
      : old.slice(first).find(({ type }) => type !== 'head')
    const shown = rowShowing(rows, kept?.key)
    if (kept === undefined || shown === undefined) return
    const was = starts[old.indexOf(kept)]?.start ?? 0
    const now = startsOf(rows, heightOf)[rows.indexOf(shown)]?.start ?? 0
    const movedTo = scroller.current?.getBoundingClientRect().top
    const moved = shownAt === undefined || movedTo === undefined ? 0 : movedTo - shownAt
    scroller.current?.scrollTo({ top: top + now - was + moved })
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
