import { flushSync } from 'react-dom'
import {
  distanceFromView,
  type Piece,
  pieceInView,
  pieceOutOfView,
  type UndrawnStretch,
} from './undrawn'

/** Most characters that are drawn in one piece out of view: more would take longer than a frame. */
const pieceCharacters = 3_000
/** Part of the height of what is seen that is drawn beyond its edges. */
const shareBeyond = 0.25
/** Time after which the page draws though it has something else to do, in ms. */
const patienceMs = 1_000

/** Text of which some blocks are not drawn yet. */
export interface PartlyDrawnText {
  /** Element of all its blocks; stretches that are not drawn are its children, with `data-undrawn` and the numbers of their blocks. */
  readonly element: HTMLElement
  /** Estimates the height of a block, in rem. */
  heightOf(block: number): number
  /** Returns the characters of a block. */
  charactersOf(block: number): number
  draw(piece: Piece): void
}

/**
 * Drawing of long texts of a list piece by piece: what is in view before the next frame, everything else while the page has nothing to do.
 * What is drawn stays so.
 */
export interface BlockDrawing {
  readonly charactersPerLine: number
  /** Takes a text until the returned function is called. */
  add(text: PartlyDrawnText): () => void
  /** Draws what came into view, before the next frame. */
  look(): void
  /**
   * Tells whether what stands below the blocks that were drawn in an item last must stay where it is, now that the item's height is
   * measured. Undefined where none were.
   */
  keepsBelow(itemKey: string): boolean | undefined
  /** Follows the scroller until the returned function is called. */
  watch(): () => void
}

/** Most looks in one frame: blocks that are lower than estimated leave room for others. */
const looksInFrame = 4

/**
 * Makes the drawing of the texts in a scroller.
 *
 * @param moveToCome returns the pixels by which the scroller goes on as soon as the height of the element's item is measured
 */
export function createBlockDrawing(
  scroller: HTMLElement,
  charactersPerLine: number,
  moveToCome: (element: HTMLElement) => number,
): BlockDrawing {
  const texts = new Set<PartlyDrawnText>()
  /** Items in which pieces were drawn: which side stays, and whether the frame that measures them has begun. */
  const drawnIn = new Map<string, { readonly keepsBelow: boolean; isMeasured: boolean }>()
  let frame = 0
  let idle = 0

  function look(): void {
    if (texts.size > 0 || drawnIn.size > 0) frame ||= requestAnimationFrame(onFrame)
  }

  function onFrame(): void {
    frame = 0
    for (const [key, { isMeasured }] of drawnIn) if (isMeasured) drawnIn.delete(key)
    const { top, height } = viewOf(scroller)
    if (height === 0) return
    for (let looks = 0; looks < looksInFrame; looks++) if (!drawSeen(top, height, looks)) break
    for (const item of drawnIn.values()) item.isMeasured = true
    if (drawnIn.size > 0) look()
    if (texts.size > 0) idle ||= requestIdleCallback(fill, { timeout: patienceMs })
  }

  /** Draws what is in view, of each text one stretch. Returns false where nothing was to draw. */
  function drawSeen(top: number, height: number, looks: number): boolean {
    return draw(
      [...texts].flatMap((text) => {
        const seen = stretchesOf(text, top + moveToCome(text.element))
        const [piece] = seen.flatMap(
          (stretch) => pieceInView(stretch, height, looks === 0 ? shareBeyond : 0) ?? [],
        )
        return piece === undefined ? [] : [{ text, piece }]
      }),
    )
  }

  /** Draws the nearest piece out of view. */
  function fill(): void {
    idle = 0
    const { top, height } = viewOf(scroller)
    if (height === 0) return
    const nearest = [...texts]
      .flatMap((text) => stretchesOf(text, top).map((stretch) => ({ text, stretch })))
      .map((found) => ({ ...found, distance: distanceFromView(found.stretch, height) }))
      .reduce<Found | undefined>(
        (best, found) => (best === undefined || found.distance < best.distance ? found : best),
        undefined,
      )
    if (nearest === undefined) return
    const { text, stretch } = nearest
    const piece =
      pieceInView(stretch, height, shareBeyond) ??
      pieceOutOfView(stretch, height, text.charactersOf, pieceCharacters)
    draw([{ text, piece }])
    look()
  }

  function draw(
    wanted: readonly { readonly text: PartlyDrawnText; readonly piece: Piece }[],
  ): boolean {
    const now = wanted.filter(({ text, piece }) => {
      const key = itemKeyOf(text.element)
      // The height of an item changes on one side of what is read at a time.
      if ((drawnIn.get(key)?.keepsBelow ?? piece.keepsBelow) !== piece.keepsBelow) return false
      drawnIn.set(key, { keepsBelow: piece.keepsBelow, isMeasured: false })
      return true
    })
    if (now.length > 0)
      flushSync(() => {
        for (const { text, piece } of now) text.draw(piece)
      })
    return now.length > 0
  }

  return {
    charactersPerLine,
    add(text) {
      texts.add(text)
      look()
      return () => texts.delete(text)
    },
    look,
    keepsBelow: (itemKey) => drawnIn.get(itemKey)?.keepsBelow,
    watch() {
      scroller.addEventListener('scroll', look, { passive: true })
      look()
      return () => {
        scroller.removeEventListener('scroll', look)
        cancelAnimationFrame(frame)
        cancelIdleCallback(idle)
        frame = 0
        idle = 0
      }
    },
  }
}

interface Found {
  readonly text: PartlyDrawnText
  readonly stretch: UndrawnStretch
  readonly distance: number
}

function viewOf(scroller: HTMLElement): { readonly top: number; readonly height: number } {
  return { top: scroller.getBoundingClientRect().top, height: scroller.clientHeight }
}

/** Returns where the undrawn blocks of a text are. Reads the layout. */
function stretchesOf(text: PartlyDrawnText, viewTop: number): readonly UndrawnStretch[] {
  return [...text.element.children].flatMap((child) => {
    if (!(child instanceof HTMLElement) || child.dataset.undrawn === undefined) return []
    const [from = 0, to = 0] = child.dataset.undrawn.split(' ').map(Number)
    const { top, bottom } = child.getBoundingClientRect()
    const heights = Array.from({ length: to - from }, (_, at) => text.heightOf(from + at))
    return [{ from, to, top: top - viewTop, bottom: bottom - viewTop, heights }]
  })
}

function itemKeyOf(element: HTMLElement): string {
  return element.closest<HTMLElement>('[data-item]')?.dataset.item ?? ''
}
