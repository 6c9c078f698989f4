import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef } from 'react'
import { isComposing } from './keys'
import { useGrowth } from './use-growth'

/**
 * Makes a text area edit a message in place: as high as its text, with the focus at its end. Enter accepts,
 * Shift+Enter and Alt+Enter break the line, Esc cancels; an input method keeps its keys.
 *
 * @param onAccept undefined while nothing can be accepted: Enter does nothing then
 * @param onCancel undefined while the edit cannot be left: Esc is not taken then
 */
export function useMessageField(
  text: string,
  onAccept: (() => void) | undefined,
  onCancel: (() => void) | undefined,
): {
  readonly ref: RefObject<HTMLTextAreaElement | null>
  readonly onKeyDown: (event: KeyboardEvent) => void
} {
  const ref = useRef<HTMLTextAreaElement>(null)
  useGrowth(ref, text)
  useLayoutEffect(() => {
    const element = ref.current
    if (element === null) return
    element.focus({ preventScroll: true })
    element.setSelectionRange(element.value.length, element.value.length)
  }, [])

  function onKeyDown(event: KeyboardEvent): void {
    // An input method takes Enter and Esc for its own candidates.
    if (isComposing(event.nativeEvent)) return
    if (event.key === 'Enter' && !event.shiftKey && !event.altKey) {
      event.preventDefault()
      onAccept?.()
    } else if (event.key === 'Escape' && onCancel !== undefined) {
      event.preventDefault()
      event.stopPropagation()
      onCancel()
    }
  }
  return { ref, onKeyDown }
}
