import type { Virtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useState } from 'react'
import { type BlockDrawing, createBlockDrawing } from '../../ui/text/drawing/block-drawing'
import { charactersPerLine } from './estimated-height'

type ListVirtualizer = Virtualizer<HTMLDivElement, HTMLDivElement>

/** Makes the drawing of long texts of a list; looks again after each change of the list, which may bring others into view. */
export function useBlockDrawing(options: {
  readonly virtualizer: ListVirtualizer
  readonly scroller: HTMLDivElement
  readonly rem: number
}): BlockDrawing {
  const { virtualizer, scroller, rem } = options
  const [drawing] = useState(() =>
    createBlockDrawing(scroller, charactersPerLine(rem, scroller.clientWidth), (element) => {
      const row = element.closest<HTMLDivElement>('[data-index]')
      return row === null ? 0 : moveToCome(virtualizer, row)
    }),
  )
  useEffect(() => drawing.watch(), [drawing])
  useLayoutEffect(() => drawing.look())
  return drawing
}

/** Returns the pixels by which the list scrolls once it has measured a row that has another height by now. Reads the layout. */
function moveToCome(virtualizer: ListVirtualizer, row: HTMLDivElement): number {
  const item = virtualizer.measurementsCache[virtualizer.indexFromElement(row)]
  if (item === undefined) return 0
  const delta = row.offsetHeight - item.size
  const { scrollEndThreshold } = virtualizer.options
  const seenTo = (virtualizer.scrollOffset ?? 0) + (virtualizer.scrollRect?.height ?? 0)
  const moves =
    virtualizer.getTotalSize() - seenTo <= scrollEndThreshold ||
    virtualizer.shouldAdjustScrollPositionOnItemSizeChange?.(item, delta, virtualizer) === true
  return moves ? delta : 0
}
