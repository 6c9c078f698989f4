import { useEffect } from 'react'
import { useStores } from '../../state/context'

/** A command that goes back or forward. */
type HistoryCommand = 'back' | 'forward'

/** Buttons of a mouse, as events number them. */
const mouseButtons: Readonly<Record<number, HistoryCommand>> = { 3: 'back', 4: 'forward' }

/**
 * Runs the keys and the mouse buttons that go back and forward: Alt and an arrow, on macOS Cmd and a bracket, and the keys
 * of some keyboards. They are taken before any list moves by the arrow.
 */
export function useHistoryKeys(run: (command: HistoryCommand) => void): void {
  const { app } = useStores()
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const command = commandOf(event, app.getState().status?.platform === 'darwin')
      if (command === undefined) return
      event.preventDefault()
      event.stopPropagation()
      run(command)
    }
    const onMouseUp = (event: MouseEvent) => {
      const command = mouseButtons[event.button]
      if (command === undefined) return
      event.preventDefault()
      run(command)
    }
    window.addEventListener('keydown', onKeyDown, { capture: true })
    window.addEventListener('mouseup', onMouseUp)
    return () => {
      window.removeEventListener('keydown', onKeyDown, { capture: true })
      window.removeEventListener('mouseup', onMouseUp)
    }
  }, [app, run])
}

function commandOf(event: KeyboardEvent, isMac: boolean): HistoryCommand | undefined {
  const { key, altKey, ctrlKey, metaKey, shiftKey } = event
  if (key === 'BrowserBack') return 'back'
  if (key === 'BrowserForward') return 'forward'
  if (shiftKey || ctrlKey) return undefined
  if (isMac && metaKey && !altKey) return key === '[' ? 'back' : key === ']' ? 'forward' : undefined
  if (isMac || metaKey || !altKey) return undefined
  return key === 'ArrowLeft' ? 'back' : key === 'ArrowRight' ? 'forward' : undefined
}
