import { type KeyboardEvent, useEffect, useRef } from 'react'
import { type Keystroke, keystrokeOf } from '../../../shared/model/keys/keystroke'
import { isComposing, isKeyAlone, recordsKeys } from '../../ui/behaviour/keys'
import { useKeyTable } from '../../ui/controls/command-keys'

const modifierKeys: ReadonlySet<string> = new Set([
  'Control',
  'Alt',
  'Shift',
  'Meta',
  'AltGraph',
  'OS',
])

/**
 * Returns what a row does with a key while it has the field: Esc ends the recording, whichever of its controls has the focus, and Settings
 * stay open.
 */
export function escEnds(isRecorded: boolean, cancel: () => void): (event: KeyboardEvent) => void {
  return (event) => {
    if (!isRecorded || !isKeyAlone(event, 'Escape') || isComposing(event.nativeEvent)) return
    event.preventDefault()
    event.stopPropagation()
    if (!event.repeat) cancel()
  }
}

/** Field that takes the keys which are pressed in it. Tab leaves it, Esc is the row's, Enter confirms what is asked. */
export function KeyRecorder(props: {
  readonly label: string
  /** Undefined for a key that nothing can have. */
  readonly onPress: (keystroke: Keystroke | undefined) => void
  /** Absent while nothing is asked. */
  readonly onConfirm?: (() => void) | undefined
}) {
  const { label, onPress, onConfirm } = props
  const { platform } = useKeyTable()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Tab' || isKeyAlone(event, 'Escape') || isComposing(event.nativeEvent)) return
    event.preventDefault()
    event.stopPropagation()
    // A key that is held, such as the Enter which opened the field, is pressed once.
    if (event.repeat) return
    if (isKeyAlone(event, 'Enter') && onConfirm !== undefined) onConfirm()
    else if (!modifierKeys.has(event.key)) onPress(keystrokeOf(event.nativeEvent, platform))
  }

  return (
    <input
      ref={field}
      className="field setting-field"
      readOnly
      aria-label={label}
      placeholder="Press keys"
      onKeyDown={onKeyDown}
      {...recordsKeys}
    />
  )
}
