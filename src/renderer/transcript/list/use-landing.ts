import type { Virtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useReading, useStores } from '../../state/context'
import type { Landing } from '../../state/transcript-state'
import type { Reveal } from '../../ui/text/reveal'
import { highlightOf, keepHighlightsColoured } from '../find/highlight-colours'
import { type Sought, soughtMatch, soughtWords } from '../find/sought'
import { foldsAround } from '../items/folds'
import { foldWords } from '../items/highlights'
import { indexOfLine } from '../items/index-of-line'
import type { ListItem } from '../items/use-items'
import { placedIn } from './place-in-turn'
import { scrollToTurn, type TurnScroll } from './scroll-to-turn'
import { turnElementOf } from './use-list-keys'

/** Duration of the glow after a landing; the same as `--dur-mark`. */
const glowMs = 1200

/** Effect of a landing on the list: its item, whether all of it glows, and what long texts must show. */
export interface LandingView {
  readonly itemKey: string | undefined
  readonly isGlowing: boolean
  readonly reveal: Reveal | undefined
  /** It is on its way to a place within its item: what is above that place must have its height. */
  readonly isWithin: boolean
}

/** Brings the target of a landing into view, focuses its turn and highlights it and the words in it. */
export function useLanding(options: {
  readonly items: readonly ListItem[]
  readonly virtualizer: Virtualizer<HTMLDivElement, HTMLDivElement>
  readonly scroller: HTMLDivElement
}): LandingView {
  const { items, virtualizer, scroller } = options
  const { reading } = useStores()
  const landing = useReading((state) => state.landing)
  const itemKey = useMemo(
    () => (landing === undefined ? undefined : items[indexOfLine(items, landing.place)]?.key),
    [items, landing],
  )
  const { marked, found } = landing ?? {}
  const sought = useMemo(
    () => (found === undefined ? soughtWords(foldWords(marked ?? [])) : soughtMatch(found)),
    [marked, found],
  )
  const latest = useRef(items)
  latest.current = items
  // With highlighted words the turn itself does not glow: it may be longer than the window.
  const [hasControls, setMarked] = useState(false)
  const isWaiting = landing !== undefined && !landing.isDone && itemKey !== undefined

  const go = useCallback(
    (to: Landing, key: string): TurnScroll =>
      scrollToTurn({
        scroller,
        turn: () => turnElementOf(scroller, key),
        estimatedTop: () => {
          const index = latest.current.findIndex((item) => item.key === key)
          return virtualizer.getOffsetForIndex(index, 'start')?.[0]
        },
        matchTop: (turn) => sought.main(turn)?.getBoundingClientRect().top,
        at: to.at,
        within: (turn) => to.within && placedIn(turn, to.within),
        isLazy: to.found !== undefined,
        keepsFocus: to.keepsFocus === true,
        isJump: to.isJump,
        onArrive: () => {
          const turn = turnElementOf(scroller, key)
          setMarked('highlights' in CSS && turn !== null && sought.marks(turn).length > 0)
          reading.getState().arrive(to.id)
        },
      }),
    [scroller, virtualizer, reading, sought],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: a landing is gone to once, by its id
  useLayoutEffect(() => {
    if (!isWaiting || landing === undefined) return
    const item = items.find(({ key }) => key === itemKey)
    if (item !== undefined && landing.by !== 'returning')
      for (const name of foldsAround(item, landing.place, sought.holds))
        reading.getState().setFold(name, true)
    const scroll = go(landing, itemKey)
    return () => scroll.stop()
  }, [landing?.id, isWaiting])

  const glowing = useGlow(landing)
  // While one finds, all matches are marked, for as long as that goes on.
  useMarks(scroller, found === undefined ? itemKey : undefined, sought, glowing)
  const reveal = useMemo<Reveal | undefined>(
    () => (sought.hasMarks ? (text) => sought.reveal(text) : undefined),
    [sought],
  )
  const isWithin = landing?.isDone === false && landing.at !== 'third' && landing.at < 0
  return { itemKey, isGlowing: glowing && !hasControls, reveal, isWithin }
}

/** Returns true for a while after the landing is done. */
function useGlow(landing: Landing | undefined): boolean {
  const [faded, setFaded] = useState<number>()
  const id = landing?.isDone && landing.by !== 'returning' ? landing.id : undefined
  useEffect(() => {
    if (id === undefined) return
    const timer = setTimeout(() => setFaded(id), glowMs)
    return () => clearTimeout(timer)
  }, [id])
  return id !== undefined && faded !== id
}

/** Highlights words in the turn while it is on the page, and again when it changes. */
function useMarks(
  scroller: HTMLElement,
  itemKey: string | undefined,
  sought: Sought,
  isStrong: boolean,
): void {
  const turn = useRef<HTMLElement>(null)
  const watch = useRef<MutationObserver>(undefined)
  const name = isStrong ? 'landing-strong' : 'landing'

  useLayoutEffect(() => {
    if (!('highlights' in CSS) || itemKey === undefined || !sought.hasMarks) return
    const mark = () => {
      if (turn.current !== null) CSS.highlights.set(name, highlightOf(sought.marks(turn.current)))
    }
    watch.current = new MutationObserver(mark)
    turn.current = null
    const stopColouring = keepHighlightsColoured()
    return () => {
      stopColouring()
      watch.current?.disconnect()
      watch.current = undefined
      CSS.highlights.delete(name)
    }
  }, [itemKey, sought, name])
  // Rows come and go as the reader scrolls: after every render the turn may be another element, or none.
  useLayoutEffect(() => {
    if (watch.current === undefined || itemKey === undefined) return
    const now = turnElementOf(scroller, itemKey)
    if (now === turn.current) return
    turn.current = now
    watch.current.disconnect()
    if (now === null) return
    watch.current.observe(now, { childList: true, characterData: true, subtree: true })
    CSS.highlights.set(name, highlightOf(sought.marks(now)))
  })
}
