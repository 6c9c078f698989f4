import { type RefObject, useEffect, useRef } from 'react'

/**
 * Keeps the focus in a view or a dialog: where the element that has it goes away or is disabled, such as a button whose
 * act leaves nothing for it to do, `recover` sends it elsewhere. An act that moves the focus itself comes first.
 */
export function useKeptFocus(view: RefObject<HTMLElement | null>, recover: () => void): void {
  const latest = useRef(recover)
  latest.current = recover
  useEffect(() => {
    const element = view.current
    if (element === null) return
    const { activeElement } = document
    let last: Element | null = element.contains(activeElement) ? activeElement : null
    // Once the focus is elsewhere, as in a dialog, what happens to the element is no loss.
    const remember = ({ target }: FocusEvent) => {
      last = target instanceof Element && element.contains(target) ? target : null
    }
    const observer = new MutationObserver(() => {
      if (last === null || (last.isConnected && !last.matches(':disabled'))) return
      // The browser takes the focus from a disabled element in its next frame.
      const isLost = [last, document.body].includes(document.activeElement ?? document.body)
      last = null
      if (isLost) latest.current()
    })
    document.addEventListener('focusin', remember)
    observer.observe(element, { childList: true, subtree: true, attributeFilter: ['disabled'] })
    return () => {
      observer.disconnect()
      document.removeEventListener('focusin', remember)
    }
  }, [view])
}
