import {
  distanceFromView,
  pieceInView,
  pieceOutOfView,
  type UndrawnBlocks,
  type UndrawnStretch,
} from './undrawn'

/** Most characters that are drawn in one piece out of view: more would take longer than a frame. */
const pieceCharacters = 3_000
/** Part of the height of what is seen that is drawn beyond its edges. */
const shareBeyond = 0.25

/** Text of which some blocks are not drawn yet. */
export interface PartlyDrawnText {
  /** Element of all its blocks: each drawn one, and each stretch that is not drawn, is one child of it, in order. */
  readonly element: HTMLElement
  /** Its stretches that are not drawn, in order. */
  readonly undrawn: readonly UndrawnBlocks[]
  /** Returns the height of a block, as it was measured or else estimated, in pixels. */
  heightOf(block: number): number
  /** Returns the characters of a block. */
  charactersOf(block: number): number
  draw(piece: UndrawnBlocks): void
  /** Keeps the heights of blocks that were drawn. Reads the layout. */
  measure(piece: UndrawnBlocks): void
}

/** Page on which texts are drawn, and the reader's place on it. */
export interface DrawingPage<Text> {
  /** Returns the height of what is seen, in pixels; 0 where another view covers it. */
  height(): number
  /** Tells whether a selection reaches a text, which must be whole for whoever copies it. */
  isSelected(text: Text): boolean
  /** Returns where the undrawn stretches of a text are now. Reads the layout. */
  stretchesOf(text: Text): readonly UndrawnStretch[]
  /** Notes what is read, and where it is on the screen. Reads the layout. */
  hold(): void
  /** Has what is read where it was held, whatever became higher above or below it since. Reads the layout. */
  settle(): void
  /** Has everything on the page that `change` asks for, by its return. */
  flush(change: () => void): void
  /** Calls a function before the next frame; returns a function that ends that. */
  beforeFrame(act: () => void): () => void
  /** Calls a function when the page has nothing else to do; returns a function that ends that. */
  whenIdle(act: () => void): () => void
}

/**
 * Drawing of long texts of a list piece by piece: what is in view before the next frame, everything else while the page has nothing to do.
 * What is drawn stays so.
 */
export interface BlockDrawing<Text = PartlyDrawnText> {
  /** Takes a text until the returned function is called. */
  add(text: Text): () => void
  /** Draws what came into view, before the next frame, and notes what is read. */
  look(): void
  /** Draws everything now, unless another view covers it: for whoever selects, or asks for all of a text in another way. */
  drawAll(): void
  /** Draws the texts that a selection reaches now, as `drawAll` does: for whoever copies it. */
  drawSelected(): void
  /** Ends what is still to come. */
  stop(): void
}

/** Makes the drawing of the texts on a page. */
export function createBlockDrawing<
  Text extends Pick<PartlyDrawnText, 'undrawn' | 'charactersOf' | 'draw' | 'measure'>,
>(page: DrawingPage<Text>): BlockDrawing<Text> {
  const texts = new Set<Text>()
  let endFrame: (() => void) | undefined
  let endIdle: (() => void) | undefined

  function look(): void {
    endFrame ??= page.beforeFrame(onFrame)
  }

  function onFrame(): void {
    endFrame = undefined
    const height = page.height()
    if (height === 0) return
    // Also what came to the page within a selection.
    drawWhole(page.isSelected)
    page.settle()
    page.hold()
    // Blocks that are lower than estimated leave room for others. Each round draws one at least, so there is an end.
    let share = shareBeyond
    while (drawSeen(height, share)) share = 0
    if (texts.size > 0) endIdle ??= page.whenIdle(fill)
  }

  /** Draws what is in view, of each text one stretch. Returns false where nothing was to draw. */
  function drawSeen(height: number, share: number): boolean {
    return draw(
      [...texts].flatMap((text) => {
        const [piece] = page
          .stretchesOf(text)
          .flatMap((stretch) => pieceInView(stretch, height, share) ?? [])
        return piece === undefined ? [] : [{ text, piece }]
      }),
    )
  }

  /** Draws the nearest piece out of view. */
  function fill(): void {
    endIdle = undefined
    const height = page.height()
    if (height === 0) return
    page.settle()
    page.hold()
    const nearest = [...texts]
      .flatMap((text) => page.stretchesOf(text).map((stretch) => ({ text, stretch })))
      .map((found) => ({ ...found, distance: distanceFromView(found.stretch, height) }))
      .reduce<Found<Text> | undefined>(
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
    wanted: readonly { readonly text: Text; readonly piece: UndrawnBlocks }[],
  ): boolean {
    if (wanted.length === 0) return false
    page.flush(() => {
      for (const { text, piece } of wanted) text.draw(piece)
    })
    page.settle()
    page.hold()
    for (const { text, piece } of wanted) text.measure(piece)
    return true
  }

  function drawWhole(isWanted: (text: Text) => boolean): void {
    const wanted = [...texts].filter((text) => text.undrawn.length > 0 && isWanted(text))
    if (wanted.length === 0 || page.height() === 0) return
    page.settle()
    page.hold()
    draw(wanted.flatMap((text) => text.undrawn.map((piece) => ({ text, piece }))))
  }

  return {
    add(text) {
      texts.add(text)
      look()
      return () => texts.delete(text)
    },
    look,
    drawAll: () => drawWhole(() => true),
    drawSelected: () => drawWhole(page.isSelected),
    stop() {
      endFrame?.()
      endIdle?.()
      endFrame = undefined
      endIdle = undefined
    },
  }
}

interface Found<Text> {
  readonly text: Text
  readonly stretch: UndrawnStretch
  readonly distance: number
}
