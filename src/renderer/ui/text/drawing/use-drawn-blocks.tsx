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
import { type UndrawnBlocks, undrawnOf } from './undrawn'

/** Most characters that a text may have, or grow by, to be drawn at once. */
const charactersAtOnce = 4_000

const DrawingContext = createContext<BlockDrawing | undefined>(undefined)

/** Provider of the drawing of long texts below it. Without one every text is drawn at once. */
export function BlockDrawingProvider(props: {
  readonly value: BlockDrawing
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

/** Blocks that are not drawn yet, with the height that is kept free for them, in rem. */
export interface FreeRoom extends UndrawnBlocks {
  readonly height: number
}

/** Returns the characters of a line in the list that draws long texts; undefined where every text is drawn at once. */
export function useDrawnLine(): number | undefined {
  return useContext(DrawingContext)?.charactersPerLine
}

/**
 * Returns the blocks of a text that are not drawn yet, in order; the drawing of the list draws them one after the other.
 *
 * @param blocks are the same array for as long as they are the same
 * @param isWhole draws all of them at once, for good
 */
export function useUndrawnBlocks(
  element: RefObject<HTMLElement | null>,
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
  if (isWhole) drawn.current.fill(true)

  // biome-ignore lint/correctness/useExhaustiveDependencies: each drawing changes what is drawn
  const undrawn = useMemo(
    () =>
      undrawnOf(drawn.current).map(({ from, to }) => ({
        from,
        to,
        height: blocks.slice(from, to).reduce((sum, { height }) => sum + height, 0),
      })),
    [blocks, drawings, isWhole],
  )

  useLayoutEffect(() => {
    if (drawing === undefined || undrawn.length === 0 || element.current === null) return
    return drawing.add({
      element: element.current,
      heightOf: (at) => blocks[at]?.height ?? 0,
      charactersOf: (at) => blocks[at]?.characters ?? 0,
      draw: ({ from, to }) => {
        drawn.current.fill(true, from, to)
        redraw()
      },
    })
  }, [drawing, undrawn, blocks, element])
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
  for (const { from, to, height } of undrawn) {
    for (; at < from; at++) parts.push(view(at))
    parts.push(
      <div key={`to ${to}`} data-undrawn={`${from} ${to}`} style={{ height: `${height}rem` }} />,
    )
    at = to
  }
  for (; at < count; at++) parts.push(view(at))
  return parts
}

function charactersOf(blocks: readonly DrawnBlock[]): number {
  return blocks.reduce((sum, { characters }) => sum + characters, 0)
}
