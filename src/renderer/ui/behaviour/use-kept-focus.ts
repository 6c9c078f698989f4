import { type RefObject, useLayoutEffect, useRef } from 'react'

/**
 * Keeps the focus in a view: where the element that has it goes away, such as a button whose act leaves nothing for it
 * to do, `recover` sends it elsewhere. An act that moves the focus itself comes first.
 */
export function useKeptFocus(view: RefObject<HTMLElement | null>, recover: () => void): void {
  const latest = useRef(recover)
  latest.current = recover
  useLayoutEffect(() => {
    const element = view.current
    if (element === null) return
    let last: Node | undefined
    const remember = ({ target }: FocusEvent) => {
      last = target instanceof Node ? target : undefined
    }
    const observer = new MutationObserver(() => {
      if (last === undefined || last.isConnected) return
      last = undefined
      if (document.activeElement === document.body) latest.current()
    })
    element.addEventListener('focusin', remember)
    observer.observe(element, { childList: true, subtree: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('focusin', remember)
    }
  }, [view])
}
