import { type KeyboardEvent, useId, useState } from 'react'
import { rowForKey } from '../../ui/behaviour/list-keys'
import { optionId } from '../../ui/controls/PickerField'
import type { Offer, OfferGroup } from './offers'
import type { FollowedPart } from './use-caret-part'

/** Rows that a page key goes. */
const pageRows = 6

/** List of offers at the caret: what is shown, and what its keys do. */
export interface OfferBox {
  /** Of the list. */
  readonly id: string
  /** Empty while no list is shown. */
  readonly groups: readonly OfferGroup[]
  readonly count: number
  /** Index of the active one among all. */
  readonly active: number
  readonly activeId: string | undefined
  choose(offer: Offer): void
  /** Returns whether the key was for the list: arrows and page keys move, Enter and Tab take, Esc hides it. */
  onKey(event: KeyboardEvent): boolean
}

/** Makes the list of what was found for the part at the caret. */
export function useOfferBox(found: readonly OfferGroup[], followed: FollowedPart): OfferBox {
  const { part, close } = followed
  const id = useId()
  const groups = part === undefined ? none : found
  const offers = groups.flatMap((group) => group.offers)
  const [cursor, setCursor] = useState(0)
  const [cursorFor, setCursorFor] = useState(part?.query)
  if (cursorFor !== part?.query) {
    setCursorFor(part?.query)
    setCursor(0)
  }
  const active = Math.min(cursor, offers.length - 1)

  function choose(offer: Offer): void {
    close()
    offer.take()
  }
  return {
    id,
    groups,
    count: offers.length,
    active,
    activeId: active >= 0 ? optionId(id, active) : undefined,
    choose,
    onKey(event) {
      const { key, shiftKey, altKey, ctrlKey, metaKey } = event
      if (offers.length === 0 || shiftKey || altKey || ctrlKey || metaKey) return false
      const row = rowForKey(key, { count: offers.length, here: active, pageRows, isInField: true })
      const offer = offers[active]
      if (row !== undefined) setCursor(row)
      else if (key === 'Escape') close()
      else if ((key === 'Enter' || key === 'Tab') && offer !== undefined) choose(offer)
      else return false
      event.preventDefault()
      // Esc would stop an answer.
      event.stopPropagation()
      return true
    },
  }
}

const none: readonly OfferGroup[] = []
