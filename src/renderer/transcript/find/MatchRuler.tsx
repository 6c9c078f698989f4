import { useEffect, useMemo, useRef } from 'react'
import { createPortal } from 'react-dom'
import { rowKey, type TranscriptRow } from '../../../shared/model/conversation/transcript'
import type { FindAnswer } from '../../../shared/model/find/find'
import { useFind, useTranscript } from '../../state/context'
import { cursorBefore } from '../../state/transcript-state'
import { useRulerRedraws } from '../../ui/behaviour/use-ruler-redraws'
import { sourceLinesOf } from '../items/items'
import type { ListItem } from '../items/use-items'
import { rulerTop, rulerTops, tickPixels } from './ruler-places'

/**
 * Marks beside the scroll bar, one for each row with matches, over the whole length of the conversation: where all of it is loaded, they are
 * where the scroll bar leads; else they go by the number of the row.
 */
export function MatchRuler(props: {
  readonly items: readonly ListItem[]
  readonly scroller: HTMLDivElement
  /** Pixels above an item in the list, and of the whole list. */
  readonly topOfItem: (index: number) => number | undefined
  readonly totalPixels: number
}) {
  const { items, scroller, topOfItem, totalPixels } = props
  const answer = useFind((state) => (state.isOpen ? state.answer : undefined))
  const current = useFind((state) => state.current)
  const run = useTranscript((state) => state.run)
  const isWhole = run.atEnd && cursorBefore(run) === undefined
  const canvas = useRef<HTMLCanvasElement>(null)
  const looks = useRulerRedraws(scroller)
  const itemOfRow = useMemo(
    () => (answer === undefined || !isWhole ? undefined : itemsOfRows(items, run.rows)),
    [answer, isWhole, items, run.rows],
  )

  /** Tops of marks that go by the numbers of rows: they are the same whichever match is current, and however the list grows. */
  const byNumber = useRef<{ of: FindAnswer; height: number; tops: readonly number[] }>(undefined)

  // biome-ignore lint/correctness/useExhaustiveDependencies: other looks are other colours and sizes
  useEffect(() => {
    const context = canvas.current?.getContext('2d')
    if (canvas.current === null || context == null || answer === undefined) return
    const { clientWidth: width, clientHeight: height } = canvas.current
    const ratio = window.devicePixelRatio
    canvas.current.width = Math.round(width * ratio)
    canvas.current.height = Math.round(height * ratio)
    context.scale(ratio, ratio)
    const topOf = (row: number) => {
      const index = itemOfRow?.get(row)
      const top = index === undefined ? undefined : topOfItem(index)
      return top === undefined ? undefined : top / Math.max(1, totalPixels)
    }
    const topsOf = (of: FindAnswer) => {
      if (itemOfRow !== undefined) return rulerTops(of, height, topOf)
      const known = byNumber.current
      if (known?.of === of && known.height === height) return known.tops
      const tops = rulerTops(of, height, topOf)
      byNumber.current = { of, height, tops }
      return tops
    }
    const { color, borderColor } = getComputedStyle(canvas.current)
    context.fillStyle = color
    for (const top of topsOf(answer)) context.fillRect(1, top, width - 2, tickPixels)
    if (current === undefined) return
    const top = rulerTop(current.row, answer.size, height, topOf)
    context.fillStyle = borderColor
    context.fillRect(0, Math.max(0, top - 1), width, tickPixels + 2)
  }, [answer, current, itemOfRow, topOfItem, totalPixels, looks])

  const frame = scroller.parentElement
  if (answer === undefined || answer.total === 0 || frame === null) return null
  return createPortal(
    <div className="match-ruler" aria-hidden="true">
      <canvas ref={canvas} />
    </div>,
    frame,
  )
}

/** Maps the number of a row to the index of the item that shows it. */
function itemsOfRows(
  items: readonly ListItem[],
  rows: readonly TranscriptRow[],
): ReadonlyMap<number, number> {
  const byLine = new Map<string, number>()
  for (const [index, item] of items.entries()) {
    if (item.type === 'live' || item.type === 'unwritten') continue
    for (const { file, offset, id } of sourceLinesOf(item))
      byLine.set(id === undefined ? `${file}:${offset}` : `${file}:${offset}:${id}`, index)
  }
  return new Map(
    rows.flatMap((row, at) => {
      const index = byLine.get(rowKey(row))
      return index === undefined ? [] : [[at, index] as const]
    }),
  )
}
