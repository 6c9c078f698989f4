import { type KeyboardEvent, useState } from 'react'

/** A text that is kept when the field is left or Enter is pressed; Esc takes the change back. */
export function TextSetting(props: {
  readonly id: string
  readonly value: string
  readonly placeholder: string
  /** Absent where the value is set elsewhere. */
  readonly onSave?: (value: string) => Promise<boolean>
  readonly isBad?: boolean
  readonly onFocus: () => void
}) {
  const { id, value, placeholder, onSave, isBad, onFocus } = props
  const [edited, setEdited] = useState<string>()
  const isFixed = onSave === undefined

  async function save(): Promise<void> {
    if (edited === undefined || edited.trim() === value || onSave === undefined)
      return setEdited(undefined)
    // What was refused stays in the field, so that it can be mended.
    if (await onSave(edited.trim())) setEdited(undefined)
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Enter') void save()
    if (event.key === 'Escape' && edited !== undefined) {
      event.stopPropagation()
      setEdited(undefined)
    }
  }
  return (
    <div className={`field setting-field ${isFixed ? 'fixed' : ''} ${isBad ? 'bad' : ''}`}>
      <input
        id={id}
        value={edited ?? value}
        title={edited ?? value}
        placeholder={placeholder}
        readOnly={isFixed}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => setEdited(event.target.value)}
        onBlur={() => void save()}
        onFocus={onFocus}
        onKeyDown={onKeyDown}
      />
    </div>
  )
}
