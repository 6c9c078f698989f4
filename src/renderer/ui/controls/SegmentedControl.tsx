import { useId } from 'react'

/** Choice of a few options side by side: native radio buttons, so that arrow keys choose. */
export function SegmentedControl<T extends string>(props: {
  readonly label: string
  readonly value: T
  readonly options: Readonly<Record<T, string>>
  readonly onChoose: (value: T) => void
}) {
  const { label, value, options, onChoose } = props
  const name = useId()
  return (
    <div className="segments" role="radiogroup" aria-label={label}>
      {(Object.keys(options) as T[]).map((option) => (
        <label key={option} className="segment">
          <input
            type="radio"
            className="segment-input"
            name={name}
            checked={option === value}
            onChange={() => onChoose(option)}
          />
          {options[option]}
        </label>
      ))}
    </div>
  )
}
