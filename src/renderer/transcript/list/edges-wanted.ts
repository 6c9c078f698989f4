/** Items from an edge of the pages at which the next page is loaded. */
const edgeItems = 15
/** Rows up to which pages are loaded for a list with both ends in view. */
const mostRowsOfFew = 4000

/** What tells which pages a list needs. */
interface DrawnPart {
  /** Indices of the first and the last item that are drawn because of where the reader is. */
  readonly first: number
  readonly last: number
  /** Items of the list, and rows that they are of. */
  readonly items: number
  readonly rows: number
  /** There are pages before those that are loaded, and after them. */
  readonly hasBefore: boolean
  readonly hasAfter: boolean
}

/**
 * Tells at which edges the next page is to be loaded. Where many rows have few items, none is while both ends of the list are near: a
 * page at one end pushes out rows at the other one, which the reader may be at, and pages would push one another out without end.
 */
export function edgesWanted({ first, last, items, rows, hasBefore, hasAfter }: DrawnPart): {
  readonly before: boolean
  readonly after: boolean
} {
  const isNearStart = first < edgeItems
  const isNearEnd = last > items - edgeItems
  if (isNearStart && isNearEnd && rows > mostRowsOfFew) return { before: false, after: false }
  return { before: isNearStart && hasBefore, after: isNearEnd && hasAfter }
}
