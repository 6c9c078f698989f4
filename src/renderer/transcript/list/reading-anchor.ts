import type { VirtualItem, Virtualizer } from '@tanstack/react-virtual'
import {
  blockNumberOf,
  drawnBlockOf,
  firstSeenChild,
  isTextOfBlocks,
  undrawnIn,
} from '../../ui/text/drawing/blocks-on-page'

type ListVirtualizer = Pick<
  Virtualizer<HTMLDivElement, HTMLDivElement>,
  'elementsCache' | 'itemSizeCache' | 'indexFromElement' | 'resizeItem' | 'scrollOffset'
>

/**
 * Anchor of what is read: the first thing in view. The one rule by which a list keeps its place: what becomes higher above the anchor
 * is scrolled by, in the same frame, and what becomes higher below it is not; also where both happen at once in one row.
 */
export interface ReadingAnchor {
  /** Takes the first thing in view as the anchor. Reads the layout. */
  hold(): void
  /** Measures all rows and keeps the anchor where it is on the screen. Reads the layout. */
  settle(): void
  /** Scrolls by what has become higher above the anchor in its row; the rest of a change of that row is below it. Reads the layout. */
  settleWithin(row: HTMLDivElement): void
  /** Tells whether the list scrolls by what a row becomes higher. */
  scrollsBy(item: Pick<VirtualItem, 'index' | 'key' | 'start' | 'end'>): boolean
  /** Lets go of the anchor: the reader scrolls. */
  release(): void
}

/** Most rounds of measuring in a frame: each brings rows that are lower than estimated. */
const mostRounds = 8

interface Anchor {
  readonly row: HTMLDivElement
  /** The first thing in view, then what it is in, one after the other: an element may be replaced by another, as a formula is. */
  readonly chain: readonly Held[]
}

interface Held {
  element: Element
  /** The text of which it is a block, and its number there. */
  readonly block: { readonly text: Element; readonly number: number } | undefined
  /** Pixels from the top of its row. */
  offset: number
}

/** Makes the anchor of a list, which holds nothing yet. */
export function createReadingAnchor(
  scroller: HTMLElement,
  virtualizer: ListVirtualizer,
): ReadingAnchor {
  let anchor: Anchor | undefined
  let isAbove = false

  /** Returns the innermost of what is held that is still there; a block that was replaced is there as what took its place. */
  function held(): { readonly row: HTMLDivElement; readonly at: Held } | undefined {
    if (anchor?.row.isConnected !== true) anchor = undefined
    for (const at of anchor?.chain ?? []) {
      const { block } = at
      if (!at.element.isConnected && block?.text.isConnected === true)
        at.element = drawnBlockOf(block.text, block.number) ?? at.element
      if (at.element.isConnected && anchor !== undefined) return { row: anchor.row, at }
    }
    anchor = undefined
    return undefined
  }

  function rows(): readonly HTMLDivElement[] {
    return [...virtualizer.elementsCache.values()].filter(({ isConnected }) => isConnected)
  }

  function settleWithin(row: HTMLDivElement): void {
    const now = held()
    if (now?.row !== row) return
    const rowTop = topOf(row)
    const above = topOf(now.at.element) - rowTop - now.at.offset
    const size = sizeOf(row)
    for (const one of anchor?.chain ?? [])
      if (one.element.isConnected) one.offset = topOf(one.element) - rowTop
    if (size === undefined || Math.abs(above) < 0.01) return
    isAbove = true
    virtualizer.resizeItem(virtualizer.indexFromElement(row), size + above)
    isAbove = false
  }

  function sizeOf(row: HTMLDivElement): number | undefined {
    const index = virtualizer.indexFromElement(row)
    for (const [key, element] of virtualizer.elementsCache)
      if (element === row) return index < 0 ? undefined : virtualizer.itemSizeCache.get(key)
    return undefined
  }

  return {
    hold() {
      const { top } = scroller.getBoundingClientRect()
      const bottom = top + scroller.clientHeight
      anchor = undefined
      const inView = rows()
        .map((row) => ({ row, box: row.getBoundingClientRect() }))
        .filter(({ box }) => box.bottom > top + 1 && box.top < bottom)
        .sort((a, b) => a.box.top - b.box.top)
      for (const { row, box } of inView) {
        const chain = firstSeen(row, top, bottom)
        if (chain.length === 0) continue
        anchor = { row, chain: chain.map((element) => heldOf(element, box.top)) }
        return
      }
    },
    settle() {
      // Rows that come into view by it are measured too, before others look for what is in view.
      for (let round = 0; round < mostRounds; round++) {
        const known = virtualizer.itemSizeCache.size
        for (const row of rows()) {
          settleWithin(row)
          virtualizer.resizeItem(virtualizer.indexFromElement(row), row.offsetHeight)
        }
        if (virtualizer.itemSizeCache.size === known) return
      }
    },
    settleWithin,
    scrollsBy({ index, key, start, end }) {
      if (isAbove) return true
      const offset = virtualizer.scrollOffset ?? 0
      // A row that comes into being has no place yet that could be kept.
      if (!virtualizer.itemSizeCache.has(key)) return start <= offset
      const now = held()
      return now === undefined ? end <= offset : index < virtualizer.indexFromElement(now.row)
    },
    release() {
      anchor = undefined
    },
  }
}

function heldOf(element: Element, rowTop: number): Held {
  const text = element.parentElement
  const block =
    text !== null && isTextOfBlocks(text) ? { text, number: blockNumberOf(element) } : undefined
  return { element, block, offset: topOf(element) - rowTop }
}

function topOf(element: Element): number {
  return element.getBoundingClientRect().top
}

/**
 * Finds the first thing in view, as small as it has elements, and behind it all that it is in, the innermost first; one that begins above and goes on in view comes first, since an answer
 * is written on at its end.
 */
function firstSeen(parent: Element, top: number, bottom: number): readonly Element[] {
  const children = isTextOfBlocks(parent)
    ? [firstSeenChild(parent, top, bottom)]
    : [...parent.children]
  for (const child of children) {
    if (child === undefined || undrawnIn(child) !== undefined) continue
    const box = child.getBoundingClientRect()
    if (box.height === 0 || box.bottom <= top + 1 || box.top >= bottom) continue
    return box.top >= top ? [child] : [...firstSeen(child, top, bottom), child]
  }
  return []
}
