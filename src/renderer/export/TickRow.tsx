import { useId } from 'react'

/** Row of a box to tick, with its label and a count. */
export function TickRow(props: {
  readonly label: string
  readonly words?: string | undefined
  readonly count?: string | undefined
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
}) {
  const { label, words, count, isOn, onChange } = props
  const id = useId()
  return (
    <label className="export-check">
      <input
        type="checkbox"
        checked={isOn}
        aria-describedby={words === undefined && count === undefined ? undefined : `${id}-more`}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span className="grow">{label}</span>
      <span id={`${id}-more`} className="t3 small number">
        {words !== undefined && <span className="unseen">{words} </span>}
        {count}
      </span>
    </label>
  )
}
