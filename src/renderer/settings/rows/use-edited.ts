import { type KeyboardEvent, useRef, useState } from 'react'
import { isComposing } from '../../ui/behaviour/keys'

/** Text field that saves when it loses the focus; Esc discards the change. */
export interface Edited {
  readonly text: string
  setText(text: string): void
  /** Saves a changed text. */
  save(): void
  /** Handles Esc, and Enter where it saves. */
  onKeyDown(event: KeyboardEvent): void
}

/**
 * Returns a text field over a stored value. A refused text stays in the field; unchanged text is not saved.
 *
 * @param value the stored value
 * @param onSave absent where the value is set elsewhere; resolves to whether the text was saved
 */
export function useEdited(
  value: string,
  onSave: ((text: string) => Promise<boolean>) | undefined,
  keepsAtEnter: boolean,
): Edited {
  const [edited, setEdited] = useState<string>()
  /** The text being saved: leaving the field right after Enter must not save it twice. */
  const saving = useRef<string>(undefined)

  async function save(): Promise<void> {
    if (edited === undefined || edited === saving.current) return
    if (edited.trim() === value || onSave === undefined) return setEdited(undefined)
    saving.current = edited
    const isKept = await onSave(edited.trim())
    if (saving.current === edited) saving.current = undefined
    // A refused text stays in the field for correction, and so does text typed meanwhile.
    if (isKept) setEdited((now) => (now === edited ? undefined : now))
  }

  return {
    text: edited ?? value,
    setText: setEdited,
    save: () => void save(),
    onKeyDown(event) {
      // An input method takes both keys for its own candidates.
      if (isComposing(event.nativeEvent)) return
      if (event.key === 'Enter' && keepsAtEnter) void save()
      if (event.key === 'Escape' && edited !== undefined) {
        event.stopPropagation()
        setEdited(undefined)
      }
    },
  }
}
