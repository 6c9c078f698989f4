import { useEffect } from 'react'

/** Keys that focus the card, as they are shown. */
export const consentShortcut: readonly string[] = ['Ctrl', 'J']

/** Calls `reach` when the keys are pressed anywhere in the window, while `isOn`. */
export function useConsentShortcut(isOn: boolean, reach: () => void): void {
  useEffect(() => {
    if (!isOn) return
    const onKeyDown = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
      if (event.key.toLowerCase() !== 'j') return
      event.preventDefault()
      reach()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [isOn, reach])
}
