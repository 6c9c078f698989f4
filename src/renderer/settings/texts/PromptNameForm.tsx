import { type FormEvent, useId, useState } from 'react'
import { Button } from '../../ui/controls/Button'

/** Field for the name of a saved prompt: Enter or the button accepts it, Esc cancels. */
export function PromptNameForm(props: {
  readonly label: string
  readonly initial: string
  /** Text of the button. */
  readonly act: string
  readonly faultOf: (name: string) => string | undefined
  readonly onName: (name: string) => void
  readonly onCancel: () => void
}) {
  const { label, initial, act, faultOf, onName, onCancel } = props
  const id = useId()
  const [name, setName] = useState(initial)
  const typed = name.trim().replace(/^\//, '').normalize('NFC')
  const fault = typed === '' ? undefined : faultOf(typed)
  const isReady = typed !== '' && fault === undefined

  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    if (isReady) onName(typed)
  }
  return (
    <form className="prompt-name" onSubmit={onSubmit}>
      <div className="key-form">
        <div className={`field setting-field ${fault === undefined ? '' : 'bad'}`}>
          <input
            aria-label={label}
            aria-invalid={fault !== undefined}
            aria-describedby={`${id}-hint`}
            value={name}
            placeholder="Such as review"
            autoComplete="off"
            spellCheck={false}
            // biome-ignore lint/a11y/noAutofocus: the button in its place opened the field
            autoFocus
            onFocus={(event) => event.target.select()}
            onChange={(event) => setName(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Escape') return
              event.stopPropagation()
              onCancel()
            }}
          />
        </div>
        <Button kind="primary" isSmall type="submit" isDisabled={!isReady}>
          {act}
        </Button>
        <Button kind="ghost" isSmall onClick={onCancel}>
          Cancel
        </Button>
      </div>
      <p id={`${id}-hint`} className={`small ${fault === undefined ? 't3' : 'err-t'}`}>
        {fault ?? (typed === '' ? 'Letters, digits, “-”, “_” and “.”' : `prompts/${typed}.md`)}
      </p>
    </form>
  )
}
