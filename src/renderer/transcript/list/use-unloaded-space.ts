import {
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useStores, useTranscript } from '../../state/context'
import {
  pixelsPerByte,
  type UnloadedSpace,
  unloadedSpace,
  type WantedPlace,
  wantedPlace,
} from './unloaded-space'

/** Pause of scrolling after which the place is loaded where a reader is, in ms. */
const restMs = 80

/** Pixels for a byte of what is not loaded; the same for as long as a conversation is open, so that its scroll bar does not jump. */
export type UnloadedScale = RefObject<number | undefined>

/**
 * Returns the room for what is not loaded above and below the rows.
 *
 * @param pixels estimates the height of all rows
 * @param firstAbove room that rows which just came leave above them, where a reader scrolled there: nothing is scrolled then
 */
export function useUnloadedSpace(
  scale: UnloadedScale,
  pixels: () => number,
  firstAbove: number | undefined,
): UnloadedSpace {
  const run = useTranscript((state) => state.run)
  const measure = useRef(pixels)
  measure.current = pixels
  const shift = useRef<number>(undefined)
  return useMemo(() => {
    const isWhole = run.atEnd && run.pages[0]?.before === undefined
    if (!isWhole) scale.current ??= pixelsPerByte(run, measure.current())
    const { above, below } = unloadedSpace(run, scale.current ?? 0)
    shift.current ??=
      firstAbove === undefined || firstAbove <= 0 || above === 0 ? 0 : firstAbove - above
    return { above: above === 0 ? 0 : Math.max(1, above + shift.current), below }
  }, [run, scale, firstAbove])
}

/**
 * Loads the place to which a reader scrolled beyond what is loaded, once the scrolling rests. Returns whether only room for
 * what is not loaded is in view.
 */
export function usePlacesBeyond(options: {
  readonly scroller: HTMLDivElement
  readonly space: UnloadedSpace
  readonly scale: UnloadedScale
  /** Key of the first item: where it changes, the list keeps the reader's place itself. */
  readonly firstKey: string | undefined
}): {
  readonly isBeyond: boolean
  /** Tells whether another place is loaded now, and not the next page. Reads the layout of the page. */
  readonly isFar: () => boolean
} {
  const { scroller, space, scale, firstKey } = options
  const { transcript } = useStores()
  const [isBeyond, setBeyond] = useState(false)
  const hasFailed = useTranscript(
    ({ before, after }) => before.type === 'failed' || after.type === 'failed',
  )
  const latest = useRef(space)
  latest.current = space

  const placeOf = useCallback((): WantedPlace | undefined => {
    const { scrollTop: top, clientHeight: height, scrollHeight: whole } = scroller
    // Another view covers it.
    if (height === 0) return undefined
    const seen = { top, height, whole, space: latest.current }
    return wantedPlace(seen, transcript.getState().run, scale.current ?? 1)
  }, [scroller, transcript, scale])

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    function isInRoom(): boolean {
      const { scrollTop: top, clientHeight: height, scrollHeight: whole } = scroller
      const { above, below } = latest.current
      return top + height <= above || top >= whole - below
    }
    function load(): void {
      const { scrollTop: top } = scroller
      const { goToStart, goToEnd, goNear } = transcript.getState()
      const place = placeOf()
      if (place === 'start') void goToStart()
      else if (place === 'end') void goToEnd()
      // Who goes on is not brought back to where they were.
      else if (place !== undefined) void goNear(place.bytes, () => scroller.scrollTop === top)
    }
    function onScroll(): void {
      setBeyond(isInRoom())
      clearTimeout(timer)
      timer = setTimeout(load, restMs)
    }
    // Before the list draws other rows: after that, what is read here would be laid out by itself.
    scroller.addEventListener('scroll', onScroll, { passive: true, capture: true })
    return () => {
      clearTimeout(timer)
      scroller.removeEventListener('scroll', onScroll, { capture: true })
    }
  }, [scroller, transcript, placeOf])

  const before = useRef({ above: space.above, firstKey })
  useLayoutEffect(() => {
    const { above, firstKey: first } = before.current
    before.current = { above: space.above, firstKey }
    if (first === firstKey && above !== space.above) scroller.scrollTop += space.above - above
  }, [space.above, firstKey, scroller])
  return {
    isBeyond: isBeyond && !hasFailed,
    isFar: useCallback(() => placeOf() !== undefined, [placeOf]),
  }
}
