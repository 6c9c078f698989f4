import { useEffect } from 'react'
import { keystrokeOf } from '../../../shared/model/keys/keystroke'
import { useKeyTable } from '../../ui/controls/command-keys'

/** A command that goes back or forward. */
type HistoryCommand = 'back' | 'forward'

/** Buttons of a mouse, as events number them. */
const mouseButtons: Readonly<Record<number, HistoryCommand>> = { 3: 'back', 4: 'forward' }

/** Keys that some keyboards have for it. */
const browserKeys: Readonly<Record<string, HistoryCommand>> = {
  BrowserBack: 'back',
  BrowserForward: 'forward',
}

/**
 * Runs the keys and the mouse buttons that go back and forward, among them those that some keyboards have for it. They are taken
 * before any list moves by the arrow.
 *
 * @param isRecorded whether the key being handled is for a field that records keys
 */
export function useHistoryKeys(
  run: (command: HistoryCommand) => void,
  isRecorded: () => boolean,
): void {
  const table = useKeyTable()
  useEffect(() => {
    const commandOf = (event: KeyboardEvent): HistoryCommand | undefined => {
      const keystroke = keystrokeOf(event, table.platform)
      const command = keystroke === undefined ? undefined : table.commandOf(keystroke)
      return command === 'back' || command === 'forward' ? command : browserKeys[event.key]
    }
    const onKeyDown = (event: KeyboardEvent) => {
      const command = isRecorded() ? undefined : commandOf(event)
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
  }, [table, run, isRecorded])
}
