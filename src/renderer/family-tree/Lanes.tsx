import type { LaneLine } from '../../shared/model/family/lanes'
import type { TreeRow } from './tree-rows'

/** Height of a row and width of a column, in units of the drawing: a sixteenth of a rem each. */
const height = 28
const gap = 12
const middle = height / 2

/** Returns the width of a drawing of so many columns, in the same units. */
function lanesWidth(columns: number): number {
  return columns * gap + 4
}

/** Drawing of a row's lanes: lines that pass, arrive and leave, and the knot. */
export function Lanes(props: { readonly row: TreeRow; readonly columns: number }) {
  const { row, columns } = props
  const width = lanesWidth(columns)
  const x = columnAt(row.column)
  return (
    <svg
      className="lanes"
      viewBox={`0 0 ${width} ${height}`}
      style={{ width: `${width / 16}rem` }}
      aria-hidden="true"
    >
      {row.passing.map((line) => (
        <path
          key={line.column}
          d={`M${columnAt(line.column)} 0V${height}`}
          style={{ stroke: colourOf(line) }}
        />
      ))}
      {row.parentRow !== undefined && (
        <path d={`M${x} 0V${middle}`} style={{ stroke: colourOf(row) }} />
      )}
      {/* The nearest is drawn on top. */}
      {[...row.leaving].reverse().map((line) => (
        <path
          key={line.column}
          d={leaving(x, columnAt(line.column))}
          style={{ stroke: colourOf(line) }}
        />
      ))}
      <circle
        cx={x}
        cy={middle}
        r={row.isHere ? 4.5 : 3.5}
        className={row.isOpenPath ? 'lane-knot open' : 'lane-knot'}
        style={{ stroke: colourOf(row), ...(row.isOpenPath ? { fill: colourOf(row) } : {}) }}
      />
    </svg>
  )
}

function columnAt(column: number): number {
  return (column - 1) * gap + 8
}

/** Returns a path from the knot to the bottom of the row, bent where the child is in another column. */
function leaving(from: number, to: number): string {
  return from === to
    ? `M${from} ${middle}V${height}`
    : `M${from} ${middle}C${from} ${middle + 9} ${to} ${middle + 4} ${to} ${height}`
}

function colourOf({ lane }: Pick<LaneLine, 'lane'>): string {
  return lane === 0 ? 'var(--lane-off)' : `var(--lane-${lane})`
}
