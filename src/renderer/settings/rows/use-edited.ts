import { type KeyboardEvent, useRef, useState } from 'react'
import { isComposing } from '../../ui/behaviour/keys'

/** A field whose text is kept when it is left; Esc takes the change back. */
export interface Edited {
  readonly text: string
  setText(text: string): void
  /** Keeps what was written. */
  save(): void
  /** Takes care of Esc, and of Enter where that keeps the text. */
  onKeyDown(event: KeyboardEvent): void
}

/**
 * @param value what holds now
 * @param onSave absent where the value is set elsewhere; tells whether the text was kept
 */
export function useEdited(
  value: string,
  onSave: ((text: string) => Promise<boolean>) | undefined,
  keepsAtEnter: boolean,
): Edited {
  const [edited, setEdited] = useState<string>()
  /** What is on its way: leaving the field right after Enter must not ask for the same again. */
  const saving = useRef<string>(undefined)

  async function save(): Promise<void> {
    if (edited === undefined || edited === saving.current) return
    if (edited.trim() === value || onSave === undefined) return setEdited(undefined)
    saving.current = edited
    const isKept = await onSave(edited.trim())
    if (saving.current === edited) saving.current = undefined
    // What was refused stays in the field, so that it can be mended; and so does what was written meanwhile.
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
