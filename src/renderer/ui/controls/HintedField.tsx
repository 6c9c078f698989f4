import { type Ref, useId } from 'react'

/** First field of a dialog, for one line of text, with its fault or a hint below. */
export function HintedField(props: {
  readonly label: string
  readonly value: string
  readonly fault: string | undefined
  readonly hint: string
  /** True where all of the text is selected when the field gets the focus. */
  readonly selectsAll?: boolean
  readonly ref?: Ref<HTMLInputElement>
  readonly onChange: (value: string) => void
}) {
  const { label, value, fault, hint, selectsAll = false, ref, onChange } = props
  const id = useId()
  return (
    <>
      <label className="label" htmlFor={id}>
        {label}
      </label>
      <div className={`field ${fault === undefined ? '' : 'bad'}`}>
        <input
          ref={ref}
          id={id}
          value={value}
          spellCheck={false}
          autoComplete="off"
          data-first
          aria-invalid={fault !== undefined}
          aria-describedby={`${id}-hint`}
          onFocus={(event) => selectsAll && event.target.select()}
          onChange={(event) => onChange(event.target.value)}
        />
      </div>
      <p id={`${id}-hint`} className={`small ${fault === undefined ? 't3' : 'err-t'}`}>
        {fault ?? hint}
      </p>
    </>
  )
}
