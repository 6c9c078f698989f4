import { type RefObject, useLayoutEffect, useRef } from 'react'
import { useStores } from '../../state/context'
import type { ReadingSpot, ReadPlace } from '../../state/transcript-state'
import { sourceLinesOf } from '../items/items'
import type { ListItem } from '../items/use-items'
import { textPlaceIn } from './place-in-turn'

/** Lets the state measure where the list is read, for as long as it is drawn. */
export function useMeasuredSpot(list: {
  readonly items: readonly ListItem[]
  readonly scroller: HTMLDivElement
  readonly isAtEnd: RefObject<boolean>
}): void {
  const { scroller, isAtEnd } = list
  const { reading, transcript } = useStores()
  const items = useRef(list.items)
  items.current = list.items
  useLayoutEffect(() => {
    // Those of this list: when the state measures, another conversation may be open already.
    const { key, generation } = transcript.getState()
    if (key === undefined) return
    return reading.getState().measureBy((): ReadingSpot | undefined => {
      const layout = `${generation} ${Math.round(scroller.scrollTop)}`
      const isOtherWay = transcript.getState().branches?.way !== undefined
      if (isAtEnd.current && !isOtherWay) return { key, layout, type: 'end' }
      const line = lineInView(scroller, items.current)
      return line && { key, layout, type: 'line', ...line }
    })
  }, [reading, transcript, scroller, isAtEnd])
}

/** Returns the line of the turn with the focus where it is in view, else of the first one in view. */
function lineInView(scroller: HTMLElement, items: readonly ListItem[]) {
  const { top, bottom } = scroller.getBoundingClientRect()
  const places = new Map(
    items.flatMap((item) => {
      const [line] = item.type === 'live' || item.type === 'unwritten' ? [] : sourceLinesOf(item)
      return line === undefined ? [] : [[item.key, line] as const]
    }),
  )
  const inView = [...scroller.querySelectorAll<HTMLElement>('[data-item]')].flatMap((turn) => {
    const place = places.get(turn.dataset.item ?? '')
    const box = turn.getBoundingClientRect()
    return place !== undefined && box.bottom > top && box.top < bottom ? [{ turn, place, box }] : []
  })
  const focused = inView.find(({ turn }) => turn.contains(document.activeElement))
  const found = focused ?? inView[0]
  if (found === undefined) return undefined
  const placed = ({ turn, place, box }: (typeof inView)[number]): ReadPlace => {
    const { file, offset, id } = place
    const entry = id === undefined ? {} : { entry: id }
    const within = box.top < top ? textPlaceIn(turn, top, bottom) : undefined
    return {
      place: { file, offset, ...entry },
      at: Math.round(box.top - top),
      ...(within === undefined ? {} : { within }),
    }
  }
  return { ...placed(found), inView: inView.map(placed) }
}
