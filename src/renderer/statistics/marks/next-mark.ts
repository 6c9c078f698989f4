/** Position of a mark in its picture, by which arrow keys move. */
export interface MarkPlace {
  readonly row: number
  readonly column: number
}

/**
 * Returns the mark that a key leads to: the nearest one in an arrow's direction, or the first or last of a row for Home
 * and End. Undefined for any other key, and where there is none.
 */
export function nextMark(
  marks: readonly MarkPlace[],
  from: MarkPlace,
  key: string,
): MarkPlace | undefined {
  const distance = ({ row, column }: MarkPlace) =>
    Math.abs(row - from.row) + Math.abs(column - from.column)
  const nearest = (fits: (place: MarkPlace) => boolean) =>
    marks.filter(fits).sort((a, b) => distance(a) - distance(b))[0]
  const inRow = marks.filter(({ row }) => row === from.row).sort((a, b) => a.column - b.column)
  switch (key) {
    case 'ArrowRight':
      return nearest(({ column }) => column > from.column)
    case 'ArrowLeft':
      return nearest(({ column }) => column < from.column)
    case 'ArrowDown':
      return nearest(({ row }) => row > from.row)
    case 'ArrowUp':
      return nearest(({ row }) => row < from.row)
    case 'Home':
      return inRow[0]
    case 'End':
      return inRow.at(-1)
    default:
      return undefined
  }
}
