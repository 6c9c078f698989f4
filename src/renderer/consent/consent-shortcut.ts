import { useEffect } from 'react'

/** The keys that lead to the question, as they are shown. */
export const consentShortcut: readonly string[] = ['Ctrl', 'J']

/** Calls the function when its keys are pressed anywhere in the window, while it is on. */
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
