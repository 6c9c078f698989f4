import { type MouseEvent, useCallback, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { visibleText } from '../../../shared/model/basics/visible'
import { useActions, useLandmarks, useStores, useTranscript } from '../../state/context'
import { goToPlace } from '../../state/landmarks/go-to'
import { useRulerRedraws } from '../../ui/behaviour/use-ruler-redraws'
import { formatCount } from '../../ui/format/format'
import { sourceLinesOf } from '../items/items'
import type { ListItem } from '../items/use-items'
import { drawTicks } from './draw-ticks'
import { outlineKinds } from './KindSwitches'
import type { OutlineRow } from './outline-rows'
import { markAt, placedTicks, type RulerMark } from './ruler-ticks'
import { useOutlineRows } from './use-outline-rows'

/** Pause between two drawings, in ms: an answer that is written changes the list with each word. */
const drawEveryMs = 200

/**
 * Marks beside the scroll bar for what the outline lists, where the scroll bar leads to it; a press goes there. For pointers alone: the
 * outline has the same by keyboard.
 */
export function LandmarkRuler(props: {
  readonly items: readonly ListItem[]
  readonly scroller: HTMLDivElement
  /** Pixels above an item in the list, and of the whole list. */
  readonly topOfItem: (index: number) => number | undefined
  readonly totalPixels: number
  /** Room for what is not loaded, in pixels. */
  readonly space: { readonly above: number; readonly below: number }
}) {
  const { scroller } = props
  const stores = useStores()
  const actions = useActions()
  const rows = useOutlineRows()
  const run = useTranscript((state) => state.run)
  const looks = useRulerRedraws(scroller)
  const key = useLandmarks((state) => state.key)
  const way = useLandmarks((state) => state.way)
  const { totalBytes } = run
  // biome-ignore lint/correctness/useExhaustiveDependencies: another way is another reading
  useEffect(() => stores.landmarks.getState().readSoon(totalBytes), [stores, totalBytes, key, way])
  const canvas = useRef<HTMLCanvasElement>(null)
  const marks = useRef<readonly RulerMark[]>([])
  const [pointed, setPointed] = useState<OutlineRow>()
  const latest = useRef({ ...props, rows, run })
  latest.current = { ...props, rows, run }
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined)

  const draw = useCallback(() => {
    waiting.current = undefined
    if (canvas.current === null) return
    const { items, topOfItem, totalPixels, space, rows: listed, run: loaded } = latest.current
    const height = canvas.current.clientHeight
    const indices = itemIndices(items)
    marks.current =
      // Where nothing scrolls, nothing needs to be found.
      totalPixels <= scroller.clientHeight
        ? []
        : placedTicks(
            listed,
            {
              totalPixels,
              ...space,
              bytesBefore: loaded.bytesBefore,
              bytesAfter: loaded.bytesAfter,
              totalBytes: loaded.totalBytes,
              topOf({ file, offset, entry }) {
                const index = indices.get(`${file}:${offset}:${entry}`)
                return index === undefined ? undefined : topOfItem(index)
              },
            },
            height,
          )
    drawTicks(canvas.current, marks.current)
  }, [scroller])

  // biome-ignore lint/correctness/useExhaustiveDependencies: what is drawn is read when it is drawn
  useEffect(() => {
    waiting.current ??= setTimeout(draw, drawEveryMs)
  }, [rows, run, props.items, props.totalPixels, props.space, looks, draw])
  useEffect(
    () => () => {
      clearTimeout(waiting.current)
      waiting.current = undefined
    },
    [],
  )

  const at = (event: MouseEvent<HTMLCanvasElement>) =>
    markAt(marks.current, event.clientY - event.currentTarget.getBoundingClientRect().top)?.row

  const frame = scroller.parentElement
  if (rows.length === 0 || frame === null) return null
  return createPortal(
    <div className="landmark-ruler" aria-hidden="true">
      <canvas
        ref={canvas}
        className={pointed === undefined ? '' : 'pointed'}
        title={pointed === undefined ? undefined : wordsOf(pointed)}
        onMouseMove={(event) => setPointed(at(event))}
        onMouseLeave={() => setPointed(undefined)}
        onWheel={(event) => scroller.scrollBy({ top: event.deltaY })}
        onClick={(event) => {
          const row = at(event)
          if (row !== undefined) void goToPlace(stores, actions, row.place)
        }}
      />
    </div>,
    frame,
  )
}

function wordsOf({ kind, words, place }: OutlineRow): string {
  const head = `${outlineKinds[kind].one}, entry ${formatCount(place.number)}`
  return words === '' ? head : `${head}: ${visibleText(words)}`
}

/** Maps entries, by file, offset and id, to the index of the item that shows them. */
function itemIndices(items: readonly ListItem[]): ReadonlyMap<string, number> {
  const indices = new Map<string, number>()
  for (const [index, item] of items.entries()) {
    if (item.type === 'live' || item.type === 'unwritten') continue
    for (const { file, offset, id } of sourceLinesOf(item))
      indices.set(`${file}:${offset}:${id}`, index)
  }
  return indices
}
