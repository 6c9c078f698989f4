import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { rowForKey } from '../../ui/behaviour/list-keys'
import { optionId } from '../../ui/controls/PickerField'
import { isWholeName, namedOffer, type Offer, type OfferGroup } from './offers'
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
  /** Why the list is not whole, in a sentence. */
  readonly fault: string | undefined
  /** Index of the active one among all; -1 where none is named by what was typed, and none was chosen. */
  readonly active: number
  readonly activeId: string | undefined
  choose(offer: Offer): void
  /** Returns whether the key was for the list: arrows and page keys move, Enter and Tab take the active one (see `Offer.complete`), Esc hides it. */
  onKey(event: KeyboardEvent): boolean
}

/** Offers that were found for the part at the caret. */
export interface FoundOffers {
  readonly groups: readonly OfferGroup[]
  /** More may be found at once: Enter and Tab wait. */
  readonly isPending: boolean
  readonly fault: string | undefined
}

/**
 * Makes the list of what was found for the part at the caret. The cursor stays on its offer when others come.
 *
 * @param onEnter Enter was pressed before the list was whole, and takes nothing of it
 */
export function useOfferBox(
  found: FoundOffers,
  followed: FollowedPart,
  onEnter: () => void,
): OfferBox {
  const { part, close, forget } = followed
  const { isPending } = found
  const query = part?.query
  const id = useId()
  const groups = part === undefined ? none : found.groups
  const offers = groups.flatMap((group) => group.offers)
  const [cursor, setCursor] = useState<string>()
  /** The cursor was moved by a key, and stands where somebody wants it. */
  const [isMoved, setMoved] = useState(false)
  const [cursorFor, setCursorFor] = useState(query)
  /** Key that came before the list was whole. */
  const [waiting, setWaiting] = useState<string>()
  if (cursorFor !== query) {
    setCursorFor(query)
    setCursor(undefined)
    setMoved(false)
    setWaiting(undefined)
  }
  const kept = offers.findIndex((offer) => offer.id === cursor)
  // A mention is no command: the first one may be taken, whatever part of its name was typed.
  const isMention = part?.sign === '@'
  const first = isMention
    ? isPending
      ? -1
      : 0
    : cursor === undefined
      ? namedOffer(offers, query ?? '')
      : -1
  const active = kept >= 0 ? kept : Math.min(first, offers.length - 1)
  const named = offers[active]
  if (cursor === undefined && !isPending && named !== undefined) setCursor(named.id)

  function choose(offer: Offer): void {
    close()
    offer.take()
  }
  /** Answers Enter and Tab: what takes the conversation away is first written out, where it was only begun. */
  function take(offer: Offer): void {
    const isMeant = isMoved || isWholeName(offer, query ?? '')
    if (isMeant || offer.complete === undefined) choose(offer)
    else offer.complete()
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is answered once, when the list is whole
  useEffect(() => {
    if (waiting === undefined || isPending) return
    setWaiting(undefined)
    if (named !== undefined) take(named)
    else if (waiting === 'Enter') {
      forget()
      onEnter()
    }
  }, [waiting, isPending])
  return {
    id,
    groups,
    count: offers.length,
    fault: part === undefined ? undefined : found.fault,
    active,
    activeId: active >= 0 ? optionId(id, active) : undefined,
    choose,
    onKey(event) {
      const { key, shiftKey, altKey, ctrlKey, metaKey } = event
      if (part === undefined || shiftKey || altKey || ctrlKey || metaKey) return false
      const row = rowForKey(key, { count: offers.length, here: active, pageRows, isInField: true })
      const isTaking = key === 'Enter' || key === 'Tab'
      if (row !== undefined) {
        setCursor(offers[row]?.id)
        setMoved(true)
      } else if (key === 'Escape' && offers.length > 0) close()
      else if (isTaking && isPending) setWaiting(key)
      else if (isTaking && named !== undefined) take(named)
      else {
        if (key === 'Enter') forget()
        return false
      }
      event.preventDefault()
      // Esc would stop an answer.
      event.stopPropagation()
      return true
    },
  }
}

const none: readonly OfferGroup[] = []
