import type { Virtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import {
  type BlockDrawing,
  createBlockDrawing,
  type DrawingPage,
  type PartlyDrawnText,
} from '../../ui/text/drawing/block-drawing'
import { createBlockHeights } from '../../ui/text/drawing/block-heights'
import { undrawnIn } from '../../ui/text/drawing/blocks-on-page'
import type { ListDrawing } from '../../ui/text/drawing/use-drawn-blocks'
import { charactersPerLine } from './estimated-height'
import { createReadingAnchor, type ReadingAnchor } from './reading-anchor'

/** Time after which the page draws though it has something else to do, in ms. */
const patienceMs = 1_000
/** Events by which a selection is made, or read. */
const selectionEvents = ['selectionchange', 'copy', 'contextmenu'] as const
/** Difference of scroll positions that is the browser's rounding, in pixels. */
const rounding = 1.5

/**
 * Makes the drawing of long texts of a list, which keeps what is read where it is; looks again after each change of the list, which may
 * bring others into view.
 */
export function useBlockDrawing(options: {
  readonly virtualizer: Virtualizer<HTMLDivElement, HTMLDivElement>
  readonly scroller: HTMLDivElement
  readonly rem: number
  /** Pixels above all rows, which follow the size of the letters. */
  readonly padding: number
}): { readonly drawing: ListDrawing; readonly anchor: ReadingAnchor } {
  const { virtualizer, scroller, rem, padding } = options
  const [anchor] = useState(() => createReadingAnchor(scroller, virtualizer))
  const [heights] = useState(() => createBlockHeights())
  const [blocks] = useState(() => createBlockDrawing(drawingPage(scroller, anchor)))
  const width = scroller.clientWidth
  heights.fit(`${width} ${rem}`)
  const perLine = charactersPerLine(rem, width)
  const drawing = useMemo(
    () => ({ ...blocks, heights, rem, charactersPerLine: perLine }),
    [blocks, heights, rem, perLine],
  )
  useEffect(
    () => follow(scroller, blocks, anchor, virtualizer),
    [scroller, blocks, anchor, virtualizer],
  )
  const paddingBefore = useRef(padding)
  useLayoutEffect(() => {
    const grown = padding - paddingBefore.current
    if (grown !== 0) scroller.scrollTop += grown
    paddingBefore.current = padding
  }, [scroller, padding])
  useLayoutEffect(() => blocks.look())
  return { drawing, anchor }
}

/**
 * Looks again as the reader scrolls and as a view that covered the list goes, and draws everything for whoever selects; returns a
 * function that ends it.
 */
function follow(
  scroller: HTMLElement,
  blocks: BlockDrawing,
  anchor: ReadingAnchor,
  virtualizer: Pick<Virtualizer<HTMLDivElement, HTMLDivElement>, 'scrollOffset'>,
): () => void {
  const onScroll = () => {
    // The list knows where it scrolled itself.
    if (Math.abs(scroller.scrollTop - (virtualizer.scrollOffset ?? 0)) > rounding) anchor.release()
    blocks.look()
  }
  const onSelectStart = ({ target }: Event) => {
    if (target instanceof Node && (target.contains(scroller) || scroller.contains(target)))
      blocks.drawAll()
  }
  const onUncovered = new MutationObserver(() => blocks.look())
  for (let around = scroller.parentElement; around !== null; around = around.parentElement)
    onUncovered.observe(around, { attributeFilter: ['class', 'inert'] })
  // Before the list draws other rows.
  scroller.addEventListener('scroll', onScroll, { passive: true, capture: true })
  document.addEventListener('selectstart', onSelectStart)
  // Before anyone reads what is selected: the clipboard, and the menu of a turn.
  for (const type of selectionEvents)
    document.addEventListener(type, blocks.drawSelected, { capture: true })
  blocks.look()
  return () => {
    scroller.removeEventListener('scroll', onScroll, { capture: true })
    document.removeEventListener('selectstart', onSelectStart)
    for (const type of selectionEvents)
      document.removeEventListener(type, blocks.drawSelected, { capture: true })
    onUncovered.disconnect()
    blocks.stop()
  }
}

function drawingPage(scroller: HTMLElement, anchor: ReadingAnchor): DrawingPage<PartlyDrawnText> {
  return {
    height: () => (scroller.closest('.covered, [inert]') === null ? scroller.clientHeight : 0),
    isSelected: ({ element }) => isSelectionIn(element),
    stretchesOf: (text) => stretchesOf(text, scroller.getBoundingClientRect().top),
    hold: anchor.hold,
    settle: anchor.settle,
    flush: flushSync,
    beforeFrame(act) {
      const frame = requestAnimationFrame(act)
      return () => cancelAnimationFrame(frame)
    },
    whenIdle(act) {
      const idle = requestIdleCallback(act, { timeout: patienceMs })
      return () => cancelIdleCallback(idle)
    },
  }
}

function isSelectionIn(element: Element): boolean {
  const selection = document.getSelection()
  if (selection === null || selection.isCollapsed) return false
  return selection.rangeCount > 0 && selection.getRangeAt(0).intersectsNode(element)
}

function stretchesOf({ element, heightOf }: PartlyDrawnText, viewTop: number) {
  return [...element.querySelectorAll(':scope > [data-undrawn]')].flatMap((child) => {
    const blocks = undrawnIn(child)
    if (blocks === undefined) return []
    const { from, to } = blocks
    const { top, bottom } = child.getBoundingClientRect()
    const heights = Array.from({ length: to - from }, (_, at) => heightOf(from + at))
    return [{ from, to, top: top - viewTop, bottom: bottom - viewTop, heights }]
  })
}
