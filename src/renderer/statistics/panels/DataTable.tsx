import { type ReactNode, useState } from 'react'
import { Button } from '../../ui/controls/Button'
import { formatCount } from '../../ui/format/format'

/** Column of a table: its heading, and whether it has numbers. */
export interface DataColumn {
  readonly name: string
  readonly isNumber?: boolean
  /** Has bars. */
  readonly isBar?: boolean
}

/** Row of a table: what it is of, the cells after it, and what its name opens. */
export interface DataRow {
  readonly id: string
  readonly name: ReactNode
  readonly cells: readonly ReactNode[]
  /** With all its numbers, for the button that its name is. */
  readonly label: string
  readonly onShow: () => void
}

/** Table of numbers, whose names are buttons; long ones show their first rows until they are asked for all. */
export function DataTable(props: {
  readonly label: string
  readonly columns: readonly DataColumn[]
  readonly rows: readonly DataRow[]
  readonly most?: number
}) {
  const { label, columns, rows, most = 8 } = props
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? rows : rows.slice(0, most)
  return (
    <>
      <table className="data" aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ name, isNumber, isBar }) => (
              <th
                key={name}
                scope="col"
                className={`${isNumber ? 'number' : ''} ${isBar ? 'bar-column' : ''}`}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <tr key={row.id}>
              <th scope="row">
                <button
                  type="button"
                  className="data-name"
                  title={`${row.label}. Click to show them in the library.`}
                  aria-label={row.label}
                  onClick={row.onShow}
                >
                  {row.name}
                </button>
              </th>
              {row.cells.map((cell, at) => (
                <td
                  key={columns[at + 1]?.name}
                  className={columns[at + 1]?.isNumber ? 'number' : ''}
                >
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > most && (
        <Button kind="ghost" isSmall isExpanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? `Show the first ${most}` : `Show all ${formatCount(rows.length)}`}
        </Button>
      )}
    </>
  )
}

/** Bar in a cell: a part of the largest value. Hidden from screen readers, which have the number. */
export function CellBar(props: { readonly part: number; readonly failed?: number }) {
  const { part, failed = 0 } = props
  return (
    <span className="cell-bar" aria-hidden="true">
      <span className="cell-bar-part" style={{ width: `${(part - failed) * 100}%` }} />
      {failed > 0 && <span className="cell-bar-failed" style={{ width: `${failed * 100}%` }} />}
    </span>
  )
}
