import { fileEdits } from '../../shared/model/calls/file-edits'
import type { ComparedRow, ComparisonOverview } from '../../shared/model/comparison/comparison-view'
import type { Entry } from '../../shared/model/conversation/entry'
import type { CompareOptions } from '../state/compare-state'
import { formatQuantity } from '../ui/format/format'
import type { DisplayRow } from './display-rows'
import { EntryCell, type EntryCellProps } from './EntryCell'
import { entryName } from './EntryHead'

/** Properties of a line of a comparison. */
interface RowProps {
  readonly line: DisplayRow
  readonly rows: ReadonlyMap<number, ComparedRow>
  readonly view: ComparisonOverview
  readonly options: CompareOptions
  /** Opens a folded run of equal entries. */
  readonly onUnfold: () => void
}

/** Line of a comparison: one entry of each side, one of a side alone, or a run of equal ones. */
export function CompareRow(props: RowProps) {
  const { line, rows, options, onUnfold } = props
  if (line.type === 'folded')
    return (
      <button type="button" className="compare-folded" onClick={onUnfold}>
        {formatQuantity(line.count, 'equal entry', 'equal entries')}
      </button>
    )
  if (line.type === 'alone')
    return options.layout === 'split' ? <SplitAlone {...props} /> : <UnifiedAlone {...props} />
  const row = rows.get(line.row)
  if (row === undefined) return <Waiting />
  if (row.kind === 'changed')
    return options.layout === 'split' ? (
      <SplitChanged {...props} row={row} />
    ) : (
      <UnifiedChanged {...props} row={row} />
    )
  if (row.kind !== 'same') return null
  if (options.layout === 'unified')
    return <Cell contextKey={props.view.right.key} entry={row.right} />
  return (
    <>
      <Cell side="a" contextKey={props.view.left.key} entry={row.left} />
      <Cell side="b" contextKey={props.view.right.key} entry={row.right} />
    </>
  )
}

type Changed = Extract<ComparedRow, { readonly kind: 'changed' }>

function SplitChanged({ row, view, options }: RowProps & { readonly row: Changed }) {
  const change = options.words ? row : undefined
  return (
    <>
      <Cell
        side="a"
        contextKey={view.left.key}
        entry={row.left}
        change={change}
        only="removed"
        mark={<Mark text="Changed" />}
      />
      <Cell
        side="b"
        contextKey={view.right.key}
        entry={row.right}
        change={change}
        only="added"
        mark={<Mark text="Changed" />}
      />
    </>
  )
}

function UnifiedChanged({ row, view, options }: RowProps & { readonly row: Changed }) {
  // Two changes of a file read better as two diffs than as marked JSON.
  const isEdit = fileEdits(row.left).length > 0 && fileEdits(row.right).length > 0
  if (options.words && !isEdit)
    return (
      <Cell
        side="changed"
        contextKey={view.right.key}
        entry={row.right}
        change={row}
        mark={<Mark text="Changed" />}
      />
    )
  return (
    <>
      <Cell
        side="removed"
        contextKey={view.left.key}
        entry={row.left}
        mark={<Mark text="A" side="a" />}
      />
      <Cell
        side="added"
        contextKey={view.right.key}
        entry={row.right}
        mark={<Mark text="B" side="b" />}
      />
    </>
  )
}

function SplitAlone({ line, rows, view }: RowProps) {
  if (line.type !== 'alone') return null
  return (
    <>
      <div className={`compare-cell a ${line.left === undefined ? 'none' : 'removed'}`}>
        {line.left !== undefined && (
          <Alone row={rows.get(line.left)} contextKey={view.left.key} text="Only in A" />
        )}
      </div>
      <div className={`compare-cell b ${line.right === undefined ? 'none' : 'added'}`}>
        {line.right !== undefined && (
          <Alone row={rows.get(line.right)} contextKey={view.right.key} text="Only in B" />
        )}
      </div>
    </>
  )
}

function UnifiedAlone({ line, rows, view }: RowProps) {
  if (line.type !== 'alone') return null
  return (
    <>
      {line.left !== undefined && (
        <div className="compare-cell removed">
          <Alone row={rows.get(line.left)} contextKey={view.left.key} text="Only in A" />
        </div>
      )}
      {line.right !== undefined && (
        <div className="compare-cell added">
          <Alone row={rows.get(line.right)} contextKey={view.right.key} text="Only in B" />
        </div>
      )}
    </>
  )
}

/** Entry in the column, or in the colour, of its side. */
function Cell({ side = '', ...entry }: EntryCellProps & { readonly side?: string }) {
  return (
    <div className={`compare-cell ${side}`}>
      <EntryCell {...entry} />
    </div>
  )
}

function Alone(props: {
  readonly row: ComparedRow | undefined
  readonly contextKey: ComparisonOverview['left']['key']
  readonly text: string
}) {
  const { row, contextKey, text } = props
  const entry = row === undefined ? undefined : entryOf(row)
  if (entry === undefined) return <Waiting />
  const side = text === 'Only in A' ? 'a' : 'b'
  return <EntryCell contextKey={contextKey} entry={entry} mark={<Mark text={text} side={side} />} />
}

function Mark(props: { readonly text: string; readonly side?: 'a' | 'b' }) {
  return <span className={`compare-mark ${props.side ?? ''}`}>{props.text}</span>
}

/** Keeps the place of a row that is being read. */
function Waiting() {
  return <div className="compare-waiting" aria-hidden="true" />
}

function entryOf(row: ComparedRow): Entry {
  return row.kind === 'added' || row.kind === 'same' ? row.right : row.left
}

/** Returns the name of a line for screen readers: who says it, and how it differs. */
export function lineLabel(line: DisplayRow, rows: ReadonlyMap<number, ComparedRow>): string {
  if (line.type === 'folded') return 'Equal entries'
  const nameOf = (row: number | undefined) => {
    const found = row === undefined ? undefined : rows.get(row)
    return found === undefined ? '' : `${entryName(entryOf(found))}, `
  }
  if (line.type === 'both')
    return `${nameOf(line.row)}${line.kind === 'same' ? 'equal' : 'changed'}`
  if (line.left === undefined) return `${nameOf(line.right)}only in B`
  if (line.right === undefined) return `${nameOf(line.left)}only in A`
  return `${nameOf(line.left)}only in A; ${nameOf(line.right)}only in B`
}
