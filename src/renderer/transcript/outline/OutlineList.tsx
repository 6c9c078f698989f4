import { type Range, useVirtualizer } from '@tanstack/react-virtual'
import { CornerDownRight } from 'lucide-react'
import { useCallback, useEffect, useRef } from 'react'
import { entryTimeMs } from '../../../shared/model/basics/time'
import { visibleText } from '../../../shared/model/basics/visible'
import { useSettings } from '../../state/context'
import { drawnRows } from '../../ui/behaviour/drawn-rows'
import { useNow, useRem } from '../../ui/behaviour/hooks'
import { Icon } from '../../ui/controls/Icon'
import { clockTime, daysBetween, formatCount, shortDate } from '../../ui/format/format'
import { outlineKinds } from './KindSwitches'
import type { OutlineRow } from './outline-rows'

const minuteMs = 60_000
const rowRem = 1.75
/** Room above the first row and below the last one, in pixels. */
const edgePixels = 4

/** Virtual list of the outline; the focus stays in the field above it, which names the row at the cursor. */
export function OutlineList(props: {
  readonly id: string
  readonly rows: readonly OutlineRow[]
  /** The place that is typed, as a row before all others. */
  readonly typed: string | undefined
  /** The row that Enter chooses, the typed place counted. */
  readonly cursor: number
  /** The row that the reader is at, the typed place not counted; -1 for none. */
  readonly current: number
  /** True until the cursor is moved: its row is shown with what is around it. */
  readonly isCentred: boolean
  readonly onChoose: (index: number) => void
}) {
  const { id, rows, typed, cursor, current, isCentred, onChoose } = props
  const textZoom = useSettings(({ view }) => view?.preferences.textZoom ?? 1)
  const rem = useRem(textZoom)
  const now = useNow(minuteMs)
  const scroller = useRef<HTMLDivElement>(null)
  const first = typed === undefined ? 0 : 1
  const count = rows.length + first
  const virtualizer = useVirtualizer<HTMLDivElement, HTMLDivElement>({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => Math.round(rowRem * rem),
    rangeExtractor: useCallback((range: Range) => drawnRows(range, [cursor]), [cursor]),
    overscan: 4,
    paddingStart: edgePixels,
    paddingEnd: edgePixels,
    scrollPaddingStart: edgePixels,
    scrollPaddingEnd: edgePixels,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: sizes change with the zoom
  useEffect(() => virtualizer.measure(), [rem])
  const rowAtCursor = cursor < 0 ? undefined : keyOf(rows[cursor - first])
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows that come elsewhere leave the list where a person scrolled it
  useEffect(() => {
    if (cursor >= 0) virtualizer.scrollToIndex(cursor, { align: isCentred ? 'center' : 'auto' })
  }, [rowAtCursor, rem])

  return (
    <div ref={scroller} className="picker-list" role="listbox" id={id} aria-label="Outline">
      <div className="outline-rows" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start, size }) => {
          const row = rows[index - first]
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the field's, which names this option as its active one
            // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field
            <div
              key={keyOf(row)}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === cursor}
              aria-setsize={count}
              aria-posinset={index + 1}
              aria-current={row !== undefined && index - first === current ? 'location' : undefined}
              className={`picker-row outline-row ${index === cursor ? 'selected' : ''}`}
              style={{ height: size, transform: `translateY(${start}px)` }}
              onClick={() => onChoose(index)}
            >
              {row === undefined ? (
                <>
                  <Icon of={CornerDownRight} />
                  <span className="label cut">{typed}</span>
                </>
              ) : (
                <Landmark row={row} isHere={index - first === current} now={now} />
              )}
            </div>
          )
        })}
      </div>
    </div>
  )
}

function keyOf(row: OutlineRow | undefined): string {
  return row === undefined ? 'typed' : `${row.kind} ${row.place.number}`
}

function Landmark(props: {
  readonly row: OutlineRow
  readonly isHere: boolean
  readonly now: number
}) {
  const { row, isHere, now } = props
  const { icon, one } = outlineKinds[row.kind]
  const atMs = entryTimeMs(row.place.at)
  return (
    <>
      {row.label === undefined ? (
        <Icon of={icon} className={row.kind === 'error' ? 'err-t' : 't3'} />
      ) : (
        <span className={`outline-label label-${row.label.color}`}>
          <span className="label-dot" />
        </span>
      )}
      <span className="unseen">{one}: </span>
      <span className={`grow cut ${row.kind === 'prompt' ? '' : 't2'}`} dir="auto">
        {row.words === '' ? emptyWords[row.kind] : visibleText(row.words)}
      </span>
      {isHere && <span className="outline-here micro">You are here</span>}
      <span className="t3 micro number outline-time">
        {atMs === undefined ? '' : timeOf(atMs, now)}
      </span>
      <span className="t3 micro number outline-number">
        <span className="unseen">, entry </span>
        {formatCount(row.place.number)}
      </span>
    </>
  )
}

/** Words of rows that have none of their own. */
const emptyWords = {
  prompt: 'Without words',
  error: 'Failed without words',
  compaction: 'The model continues from here',
  label: 'Label',
} as const

/** The clock of today, and the date with the clock of other days. */
function timeOf(ms: number, now: number): string {
  return daysBetween(ms, now) === 0 ? clockTime(ms) : `${shortDate(ms, now)}, ${clockTime(ms)}`
}
