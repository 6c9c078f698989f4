import {
  createContext,
  type ReactNode,
  type RefObject,
  useContext,
  useLayoutEffect,
  useMemo,
  useReducer,
  useRef,
} from 'react'
import type { BlockDrawing } from './block-drawing'
import type { BlockHeights } from './block-heights'
import { stretchesBetween, type UndrawnBlocks, undrawnOf } from './undrawn'

/** Most characters that a text may have, or grow by, to be drawn at once. */
const charactersAtOnce = 4_000

/** Drawing of the long texts of a list, with what it takes to estimate their heights. */
export interface ListDrawing extends BlockDrawing {
  /** Estimate of the characters of a line. */
  readonly charactersPerLine: number
  /** Pixels of a rem. */
  readonly rem: number
  readonly heights: BlockHeights
}

const DrawingContext = createContext<ListDrawing | undefined>(undefined)

/** Provider of the drawing of long texts below it. Without one, or without a value, every text is drawn at once. */
export function BlockDrawingProvider(props: {
  readonly value: ListDrawing | undefined
  readonly children: ReactNode
}) {
  return <DrawingContext value={props.value}>{props.children}</DrawingContext>
}

/** Block of a text, as far as its drawing goes. */
export interface DrawnBlock {
  /** Its length, in UTF-16 units. */
  readonly characters: number
  /** Estimate of its height, in rem. */
  readonly height: number
}

/** Blocks that are not drawn yet, with the height that is kept free for them: by an estimate, and as it was measured. */
export interface FreeRoom extends UndrawnBlocks {
  readonly rem: number
  readonly pixels: number
}

/** Returns the characters of a line in the list that draws long texts; undefined where every text is drawn at once. */
export function useDrawnLine(): number | undefined {
  return useContext(DrawingContext)?.charactersPerLine
}

/**
 * Returns the blocks of a text that are not drawn yet, in order; the drawing of the list draws them one after the other.
 *
 * @param element of which each block is one child
 * @param blocks are the same array for as long as they are the same
 * @param isWhole draws all of them at once, for good
 */
export function useUndrawnBlocks(
  element: RefObject<HTMLElement | null>,
  text: string,
  blocks: readonly DrawnBlock[],
  isWhole: boolean,
): readonly FreeRoom[] {
  const drawing = useContext(DrawingContext)
  const [drawings, redraw] = useReducer((count: number) => count + 1, 0)
  const drawn = useRef<boolean[]>([])
  if (drawn.current.length > blocks.length) drawn.current.length = blocks.length
  if (drawn.current.length < blocks.length) {
    const isSmall =
      drawing === undefined || charactersOf(blocks.slice(drawn.current.length)) <= charactersAtOnce
    while (drawn.current.length < blocks.length) drawn.current.push(isSmall)
  }
  if (isWhole || drawing === undefined) drawn.current.fill(true)

  // biome-ignore lint/correctness/useExhaustiveDependencies: each drawing changes what is drawn
  const undrawn = useMemo(
    () =>
      undrawnOf(drawn.current).map(({ from, to }) => {
        let rem = 0
        let pixels = 0
        for (let block = from; block < to; block++) {
          const measured = drawing?.heights.heightOf(text, block)
          if (measured === undefined) rem += blocks[block]?.height ?? 0
          else pixels += measured
        }
        return { from, to, rem, pixels }
      }),
    [blocks, text, drawings, isWhole, drawing],
  )

  useLayoutEffect(() => {
    const root = element.current
    if (drawing === undefined || undrawn.length === 0 || root === null) return
    const { heights, rem } = drawing
    return drawing.add({
      element: root,
      undrawn,
      heightOf: (block) => heights.heightOf(text, block) ?? (blocks[block]?.height ?? 0) * rem,
      charactersOf: (block) => blocks[block]?.characters ?? 0,
      draw: ({ from, to }) => {
        drawn.current.fill(true, from, to)
        redraw()
      },
      measure: (piece) => {
        for (const [block, pixels] of heightsIn(root, undrawnOf(drawn.current), piece))
          heights.keep(text, block, pixels)
      },
    })
  }, [drawing, undrawn, blocks, text, element])

  const leave = useRef<() => void>(undefined)
  useLayoutEffect(() => {
    const root = element.current
    leave.current = () => {
      if (drawing === undefined || root === null) return
      if (charactersOf(blocks) <= charactersAtOnce || root.offsetHeight === 0) return
      for (const piece of stretchesBetween(undrawn, blocks.length))
        for (const [block, pixels] of heightsIn(root, undrawn, piece))
          drawing.heights.keep(text, block, pixels)
    }
  })
  // What was written while it was read, or became higher after it was drawn, has its last height when it comes again.
  useLayoutEffect(() => () => leave.current?.(), [])
  return undrawn
}

/**
 * Returns the views of blocks, and free room in place of those that are not drawn yet.
 *
 * @param view makes the view of a block, with its number as the key: blocks are only ever added at the end
 */
export function drawnParts(
  count: number,
  undrawn: readonly FreeRoom[],
  view: (block: number) => ReactNode,
): readonly ReactNode[] {
  const parts: ReactNode[] = []
  let at = 0
  for (const { from, to, rem, pixels } of undrawn) {
    for (; at < from; at++) parts.push(view(at))
    parts.push(
      <div
        key={`to ${to}`}
        data-undrawn={`${from} ${to}`}
        style={{ height: `calc(${rem}rem + ${pixels}px)` }}
      />,
    )
    at = to
  }
  for (; at < count; at++) parts.push(view(at))
  return parts
}

/** Returns the attributes of the element of a text's blocks: it is busy while some are to come. */
export function textOfBlocks(undrawn: readonly FreeRoom[]): {
  readonly 'data-blocks': ''
  readonly 'aria-busy'?: true
} {
  return { 'data-blocks': '', ...(undrawn.length > 0 ? { 'aria-busy': true } : {}) }
}

/** Measures blocks that are drawn, each with the space above it, in pixels. Reads the layout. */
function heightsIn(
  text: Element,
  undrawn: readonly UndrawnBlocks[],
  { from, to }: UndrawnBlocks,
): readonly (readonly [block: number, pixels: number])[] {
  const before = undrawn.filter((stretch) => stretch.to <= from)
  // A stretch is one element.
  const shift = before.reduce((sum, stretch) => sum + stretch.to - stretch.from - 1, 0)
  const bottomOf = (at: number) => text.children[at]?.getBoundingClientRect().bottom
  let above = from === 0 ? text.getBoundingClientRect().top : bottomOf(from - 1 - shift)
  const heights: (readonly [number, number])[] = []
  for (let block = from; block < to; block++) {
    const bottom = bottomOf(block - shift)
    if (above === undefined || bottom === undefined) return heights
    heights.push([block, bottom - above])
    above = bottom
  }
  return heights
}

function charactersOf(blocks: readonly DrawnBlock[]): number {
  return blocks.reduce((sum, { characters }) => sum + characters, 0)
}
