import type { Ref } from 'react'

/** Field for a passphrase, which is shown by nothing, and kept by nobody but who types it. */
export function PassphraseField(props: {
  readonly label: string
  readonly value: string
  readonly isBad?: boolean
  /** Id of what is wrong with it. */
  readonly describedBy?: string
  readonly ref?: Ref<HTMLInputElement>
  readonly onChange: (value: string) => void
}) {
  const { label, value, isBad = false, describedBy, ref, onChange } = props
  return (
    <div className={`field setting-field ${isBad ? 'bad' : ''}`}>
      <input
        ref={ref}
        type="password"
        aria-label={label}
        placeholder={label}
        value={value}
        autoComplete="off"
        spellCheck={false}
        maxLength={1000}
        aria-invalid={isBad}
        aria-describedby={describedBy}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  )
}
