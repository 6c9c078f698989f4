import { type FormEvent, useState } from 'react'
import { Button } from '../../ui/controls/Button'

/** Field in a row that asks for a text: Enter or Save accepts it, Esc cancels. */
export function InlineField(props: {
  readonly label: string
  readonly initial: string
  readonly isSecret: boolean
  /** Called when the text changes: a pending confirmation is then void. */
  readonly onChange?: () => void
  readonly onKeep: (text: string) => void
  readonly onCancel: () => void
}) {
  const { label, initial, isSecret, onChange, onKeep, onCancel } = props
  const [text, setText] = useState(initial)
  const isEmpty = text.trim() === ''

  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    if (!isEmpty) onKeep(text.trim())
  }

  return (
    <form className="key-form" onSubmit={onSubmit}>
      <div className="field setting-field">
        <input
          type={isSecret ? 'password' : 'text'}
          aria-label={label}
          value={text}
          autoComplete="off"
          spellCheck={false}
          // biome-ignore lint/a11y/noAutofocus: the button in its place opened the field
          autoFocus
          onChange={(event) => {
            setText(event.target.value)
            onChange?.()
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return
            event.stopPropagation()
            onCancel()
          }}
        />
      </div>
      <Button kind="primary" isSmall type="submit" isDisabled={isEmpty}>
        Save
      </Button>
      <Button kind="ghost" isSmall onClick={onCancel}>
        Cancel
      </Button>
    </form>
  )
}
