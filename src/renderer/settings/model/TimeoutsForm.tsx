import { type FormEvent, useId, useState } from 'react'
import { defaultTimeouts, Timeouts } from '../../../shared/model/settings/timeouts'
import { Button } from '../../ui/controls/Button'

/** Form for the timeouts of a provider, in seconds. Empty fields mean the defaults; Esc changes nothing. */
export function TimeoutsForm(props: {
  readonly name: string
  readonly timeouts: Timeouts | undefined
  readonly onKeep: (timeouts: Timeouts | null) => void
  readonly onCancel: () => void
}) {
  const { name, timeouts, onKeep, onCancel } = props
  const [first, setFirst] = useState(textOf(timeouts?.firstByteSeconds))
  const [between, setBetween] = useState(textOf(timeouts?.silenceSeconds))
  const id = useId()
  const { data: entered } = Timeouts.safeParse({
    firstByteSeconds: numberOf(first, defaultTimeouts.firstByteSeconds),
    silenceSeconds: numberOf(between, defaultTimeouts.silenceSeconds),
  })
  const isDefault = first.trim() === '' && between.trim() === ''

  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    if (entered !== undefined) onKeep(isDefault ? null : entered)
  }

  return (
    <form
      className="key-form"
      aria-label={`Timeouts of ${name}`}
      onSubmit={onSubmit}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onCancel()
      }}
    >
      <SecondsField
        id={`${id}-first`}
        label="Seconds to the first byte"
        value={first}
        placeholder={defaultTimeouts.firstByteSeconds}
        hint={`${id}-hint`}
        isFirst
        onChange={setFirst}
      />
      <SecondsField
        id={`${id}-between`}
        label="Seconds between pieces"
        value={between}
        placeholder={defaultTimeouts.silenceSeconds}
        hint={`${id}-hint`}
        onChange={setBetween}
      />
      <p id={`${id}-hint`} className="small t2">
        10 to 86,400 whole seconds. Empty: {defaultTimeouts.firstByteSeconds}.
      </p>
      <Button kind="primary" isSmall type="submit" isDisabled={entered === undefined}>
        Save
      </Button>
      <Button kind="ghost" isSmall onClick={onCancel}>
        Cancel
      </Button>
    </form>
  )
}

function SecondsField(props: {
  readonly id: string
  readonly label: string
  readonly value: string
  readonly placeholder: number
  readonly hint: string
  readonly isFirst?: boolean
  readonly onChange: (text: string) => void
}) {
  const { id, label, value, placeholder, hint, isFirst, onChange } = props
  return (
    <>
      <label className="small" htmlFor={id}>
        {label}
      </label>
      <div className="field setting-field">
        <input
          id={id}
          inputMode="numeric"
          value={value}
          placeholder={String(placeholder)}
          aria-describedby={hint}
          autoComplete="off"
          // biome-ignore lint/a11y/noAutofocus: the button in its row opened the form
          autoFocus={isFirst === true}
          onChange={(event) => onChange(event.target.value)}
        />
      </div>
    </>
  )
}

function textOf(seconds: number | undefined): string {
  return seconds === undefined ? '' : String(seconds)
}

/** Parses digits only: `Number` would accept "1e3" and "0x10". */
function numberOf(text: string, otherwise: number): number {
  const plain = text.trim()
  if (plain === '') return otherwise
  return /^\d+$/.test(plain) ? Number(plain) : Number.NaN
}
