import { type FocusEvent, type KeyboardEvent, useState } from 'react'
import { type MarkPlace, nextMark } from './next-mark'

/** Returns the keyboard of a picture: one mark is a stop of Tab, and arrow keys, Home and End go to others. */
export function useMarkKeys(places: readonly MarkPlace[]) {
  const [here, setHere] = useState<MarkPlace>()
  const isAt = (place: MarkPlace) => place.row === here?.row && place.column === here.column
  const stop = places.find(isAt) ?? places[0]

  function onFocus(event: FocusEvent<Element>): void {
    const place = placeOf(event.target)
    if (place !== undefined) setHere(place)
  }

  function onKeyDown(event: KeyboardEvent<Element>): void {
    const from = placeOf(event.target)
    if (from === undefined || event.ctrlKey || event.altKey || event.metaKey) return
    const next = nextMark(places, from, event.key)
    if (next === undefined) return
    event.preventDefault()
    event.currentTarget.querySelector<SVGElement>(`[data-mark="${nameOf(next)}"]`)?.focus()
  }

  return {
    /** For the element around the marks. */
    keys: { onFocus, onKeyDown },
    /** For the mark at a place. */
    markAt: (place: MarkPlace) => ({
      'data-mark': nameOf(place),
      tabIndex: place === stop ? 0 : -1,
    }),
  }
}

function placeOf(target: EventTarget): MarkPlace | undefined {
  const name = target instanceof Element ? target.getAttribute('data-mark') : null
  const [row, column] = name?.split(' ').map(Number) ?? []
  return row === undefined || column === undefined ? undefined : { row, column }
}

function nameOf({ row, column }: MarkPlace): string {
  return `${row} ${column}`
}
