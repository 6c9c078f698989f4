import { type RefObject, useLayoutEffect } from 'react'

/** Keys that were typed since the window opened, before a field could take them; undefined once somebody has the focus. */
let held: string | undefined

/** Ends the wait for the first composer. */
let stop: () => void = () => undefined

/**
 * Keeps what is typed from now on until the first composer is there, which takes it over with the focus. Ends as soon as
 * anything else gets the focus or the pointer is pressed.
 */
export function holdEarlyTyping(page: Document): void {
  const acts = new AbortController()
  held = ''
  stop = () => {
    held = undefined
    acts.abort()
  }
  const options = { capture: true, signal: acts.signal }
  page.addEventListener('keydown', hold, options)
  page.addEventListener('pointerdown', stop, options)
  page.addEventListener('focusin', stop, options)
}

/** Lets go what was typed: no composer comes. */
export function dropEarlyTyping(): void {
  stop()
}

/** Gives the first composer of the window the focus, and what was typed before it was there. */
export function useEarlyTyping(
  field: RefObject<HTMLTextAreaElement | null>,
  isOpen: boolean,
  add: (typed: string) => void,
): void {
  useLayoutEffect(() => {
    const typed = held
    if (typed === undefined || !isOpen || field.current?.closest('[inert]') != null) return
    stop()
    if (typed !== '') add(typed)
    field.current?.focus({ preventScroll: true })
  })
}

function hold(event: KeyboardEvent): void {
  const { key } = event
  if (held === undefined || event.ctrlKey || event.metaKey || event.altKey) return
  if (key === 'Backspace') held = Array.from(held).slice(0, -1).join('')
  // Keys with names are no text.
  else if (Array.from(key).length === 1) held += key
  else return
  event.preventDefault()
}
