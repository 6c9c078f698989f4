import { type RefObject, useLayoutEffect, useMemo, useRef } from 'react'
import { useStores } from '../state/context'
import type { HitListRow } from './hit-rows'

/**
 * Keeps the hits in view where they are: tells the store which hit is held, and scrolls back whatever moves
 * nevertheless. Held is the lower of the pointed at and the selected hit; else, in a scrolled list, the first
 * visible one.
 */
export function useSteadyScroll(options: {
  readonly rows: readonly HitListRow[]
  readonly sizeOf: (index: number) => number
  readonly scroller: RefObject<HTMLDivElement | null>
  readonly selected: number | undefined
  readonly asked: string | undefined
}) {
  const { rows, sizeOf, scroller, selected, asked } = options
  const { search } = useStores()
  const pointed = useRef<number>(undefined)
  const before = useRef<{ readonly id: number; readonly top: number; readonly asked?: string }>(
    undefined,
  )
  const places = useMemo(() => placesOf(rows, sizeOf), [rows, sizeOf])

  function heldNow(): number | undefined {
    const scrolled = scroller.current?.scrollTop ?? 0
    const candidates = [pointed.current, search.getState().selected]
      .flatMap((id) => (id === undefined ? [] : [{ id, top: places.get(id) }]))
      .filter((place): place is { id: number; top: number } => place.top !== undefined)
    if (candidates.length > 0) return candidates.reduce((a, b) => (b.top > a.top ? b : a)).id
    if (scrolled < 1) return undefined
    for (const [id, top] of places) if (top >= scrolled) return id
    return undefined
  }

  function hold(): void {
    search.getState().hold(heldNow())
  }

  useLayoutEffect(() => {
    const element = scroller.current
    const last = before.current
    const isSame = last !== undefined && last.asked === asked
    const top = last === undefined ? undefined : places.get(last.id)
    if (element !== null && last !== undefined && !isSame) element.scrollTop = 0
    else if (element !== null && isSame && top !== undefined && top !== last.top)
      element.scrollTop += top - last.top
  }, [places, asked, scroller])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the held hit depends on the selected one and its position
  useLayoutEffect(() => {
    const held = heldNow()
    const top = held === undefined ? undefined : places.get(held)
    before.current =
      held === undefined || top === undefined
        ? undefined
        : { id: held, top, ...(asked === undefined ? {} : { asked }) }
    search.getState().hold(held)
  }, [places, selected, asked])

  useLayoutEffect(() => () => search.getState().hold(undefined), [search])

  return {
    point(id: number | undefined): void {
      pointed.current = id
      remember()
    },
    onScroll: remember,
    /** Holds no hit until the pointer or the cursor moves. */
    letGo(): void {
      pointed.current = undefined
      before.current = undefined
    },
  }

  function remember(): void {
    hold()
    const { held } = search.getState()
    const top = held === undefined ? undefined : places.get(held)
    before.current =
      held === undefined || top === undefined
        ? undefined
        : { id: held, top, ...(asked === undefined ? {} : { asked }) }
  }
}

/** Returns the top of each hit in the list, in pixels. */
function placesOf(
  rows: readonly HitListRow[],
  sizeOf: (index: number) => number,
): ReadonlyMap<number, number> {
  const places = new Map<number, number>()
  let top = 0
  for (const [index, row] of rows.entries()) {
    if (row.type === 'hit') places.set(row.found.id, top)
    top += sizeOf(index)
  }
  return places
}
