import { type Ref, useId } from 'react'
import { PassphraseField } from './PassphraseField'

/** A new passphrase as it is typed: twice, since nobody sees it. */
export interface TypedPassphrase {
  readonly first: string
  readonly again: string
}

/** A passphrase of which nothing is typed yet. */
export const noPassphrase: TypedPassphrase = { first: '', again: '' }

/** Says what is wrong with a new passphrase; undefined where nothing is. */
export function passphraseFault({ first, again }: TypedPassphrase): string | undefined {
  if (first === '') return 'The passphrase is empty.'
  if (first.trim() === '') return 'The passphrase has blanks alone.'
  return first === again ? undefined : 'The two passphrases are not the same.'
}

/** Two fields for a new passphrase, with what is wrong with it once that was tried. */
export function NewPassphrase(props: {
  readonly typed: TypedPassphrase
  readonly isTried: boolean
  readonly ref?: Ref<HTMLInputElement>
  readonly onChange: (typed: TypedPassphrase) => void
}) {
  const { typed, isTried, ref, onChange } = props
  const id = useId()
  const fault = isTried ? passphraseFault(typed) : undefined
  const described = fault === undefined ? {} : { describedBy: id }
  return (
    <>
      <PassphraseField
        {...(ref === undefined ? {} : { ref })}
        label="Passphrase"
        value={typed.first}
        isBad={fault !== undefined}
        {...described}
        onChange={(first) => onChange({ ...typed, first })}
      />
      <PassphraseField
        label="The same again"
        value={typed.again}
        isBad={fault !== undefined && typed.first !== ''}
        {...described}
        onChange={(again) => onChange({ ...typed, again })}
      />
      {fault !== undefined && (
        <p id={id} role="alert" className="small err-t">
          {fault}
        </p>
      )}
    </>
  )
}
