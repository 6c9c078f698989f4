import { useId } from 'react'

/** Field for a name, with its fault or a hint below. */
export function NameField(props: {
  readonly name: string
  readonly fault: string | undefined
  readonly hint: string
  /** True where a dialog focuses it first; all of it is then selected. */
  readonly isFirst?: boolean
  readonly onChange: (name: string) => void
}) {
  const { name, fault, hint, isFirst = false, onChange } = props
  const id = useId()
  return (
    <>
      <label className="label" htmlFor={id}>
        Name
      </label>
      <div className={`field ${fault === undefined ? '' : 'bad'}`}>
        <input
          id={id}
          value={name}
          spellCheck={false}
          autoComplete="off"
          {...(isFirst ? { 'data-first': true } : {})}
          aria-invalid={fault !== undefined}
          aria-describedby={`${id}-hint`}
          onFocus={(event) => isFirst && event.target.select()}
          onChange={(event) => onChange(event.target.value)}
        />
      </div>
      <p id={`${id}-hint`} className={`small ${fault === undefined ? 't3' : 'err-t'}`}>
        {fault ?? hint}
      </p>
    </>
  )
}
