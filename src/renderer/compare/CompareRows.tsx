import { type Range, useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type RefObject, useCallback, useEffect, useState } from 'react'
import { largestOf, smallestOf } from '../../shared/model/basics/long-lists'
import type { ComparisonOverview } from '../../shared/model/comparison/comparison-view'
import type { CompareOptions } from '../state/compare-state'
import { useCompare, useStores } from '../state/context'
import { drawnRows } from '../ui/behaviour/drawn-rows'
import { focusWhenDrawn } from '../ui/behaviour/focus'
import { ErrorBoundary } from '../ui/notes/ErrorBoundary'
import { ScrolledPart } from '../ui/panes/ScrolledPart'
import { CompareRow, lineLabel } from './CompareRow'
import { type DisplayRows, rowsIn, stepDifference } from './display-rows'

/** Moves to the next or the previous difference. */
export type StepDifference = (step: 1 | -1) => void

/** Heights before lines are drawn, in rem. */
const estimates = { folded: 2, both: 5, alone: 5 } as const

/** Virtual list of a comparison's lines, with one focus stop; N and P go to the next and the previous difference. */
export function CompareRows(props: {
  readonly view: ComparisonOverview
  readonly display: DisplayRows
  readonly options: CompareOptions
  readonly rem: number
  /** Gets how to go to a difference, for buttons and keys elsewhere. */
  readonly stepRef: RefObject<StepDifference | undefined>
  /** Hears the number of the difference that was gone to. */
  readonly onStep: (number: number) => void
  readonly onUnfold: () => void
}) {
  const { view, display, options, rem, stepRef, onStep } = props
  const { compare } = useStores()
  const rows = useCompare((state) => state.rows)
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null)
  const [current, setCurrent] = useState<number>()
  const lines = display.rows
  const virtualizer = useVirtualizer<HTMLDivElement, HTMLDivElement>({
    count: lines.length,
    getScrollElement: () => scroller,
    estimateSize: useCallback(
      (index: number) => estimates[lines[index]?.type ?? 'both'] * rem,
      [lines, rem],
    ),
    getItemKey: useCallback((index: number) => keyOf(lines[index], index), [lines]),
    overscan: 4,
    rangeExtractor: useCallback((range: Range) => drawnRows(range, [current]), [current]),
  })
  const shown = virtualizer.getVirtualItems()
  const [first, last] = shownRows(
    shown.map(({ index }) => index).filter((index) => index !== current),
    display,
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: of a new comparison other rows may be here
  useEffect(() => {
    if (first !== undefined && last !== undefined) compare.getState().want(first, last)
  }, [compare, first, last, view])

  function step(by: 1 | -1): void {
    const here = current ?? visibleIndex(scroller, virtualizer.range?.startIndex)
    const next = stepDifference(display.differences, here, by)
    if (next === undefined) return
    setCurrent(next)
    onStep(display.differences.indexOf(next) + 1)
    virtualizer.scrollToIndex(next, { align: 'start' })
    focusWhenDrawn(() => scroller?.querySelector<HTMLElement>(`[data-line="${next}"]`), {
      preventScroll: true,
    })
  }
  useEffect(() => {
    stepRef.current = step
  })

  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return
    const steps: Readonly<Record<string, 1 | -1>> = { n: 1, p: -1 }
    const by = steps[event.key.toLowerCase()]
    if (by === undefined) return
    event.preventDefault()
    step(by)
  }

  return (
    <ScrolledPart
      ref={setScroller}
      label="Entries after the fork"
      focus="compare"
      // A feed without an entry is none.
      role={lines.length === 0 ? 'group' : 'feed'}
      className="compare-scroll"
      onKeyDown={onKeyDown}
    >
      <div
        className="compare-rows"
        role="presentation"
        style={{ height: virtualizer.getTotalSize() }}
      >
        {shown.map(({ index, key, start }) => {
          const line = lines[index]
          if (line === undefined) return null
          return (
            <article
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              data-line={index}
              className={`compare-row ${options.layout} ${line.type} ${index === current ? 'current' : ''}`}
              style={{ transform: `translateY(${start}px)` }}
              aria-label={lineLabel(line, rows)}
              aria-posinset={index + 1}
              aria-setsize={lines.length}
              tabIndex={-1}
            >
              <ErrorBoundary what="This entry" of={line}>
                <CompareRow
                  line={line}
                  rows={rows}
                  view={view}
                  options={options}
                  onUnfold={props.onUnfold}
                />
              </ErrorBoundary>
            </article>
          )
        })}
      </div>
    </ScrolledPart>
  )
}

function keyOf(line: DisplayRows['rows'][number] | undefined, index: number): string | number {
  if (line === undefined) return index
  return line.type === 'alone' ? `${line.left}:${line.right}` : `${line.type}:${line.row}`
}

/** The first and the last row of the lines that are drawn. */
function shownRows(
  indexes: readonly number[],
  { rows }: DisplayRows,
): readonly [number | undefined, number | undefined] {
  const all = indexes.flatMap((index) => {
    const line = rows[index]
    return line === undefined ? [] : rowsIn(line)
  })
  return all.length === 0 ? [undefined, undefined] : [smallestOf(all), largestOf(all)]
}

/** Where a person is who went to no difference yet: before the first line at the top, else the first visible one. */
function visibleIndex(
  scroller: HTMLDivElement | null,
  first: number | undefined,
): number | undefined {
  return scroller === null || scroller.scrollTop < 4 ? undefined : first
}
