import { useEdited } from './use-edited'

/** Text field of a setting that saves at Enter and when it loses the focus; Esc discards the change. */
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
  const edited = useEdited(value, onSave, true)
  const isFixed = onSave === undefined
  return (
    <div className={`field setting-field ${isFixed ? 'fixed' : ''} ${isBad ? 'bad' : ''}`}>
      <input
        id={id}
        value={edited.text}
        title={edited.text}
        placeholder={placeholder}
        readOnly={isFixed}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => edited.setText(event.target.value)}
        onBlur={edited.save}
        onFocus={onFocus}
        onKeyDown={edited.onKeyDown}
      />
    </div>
  )
}
