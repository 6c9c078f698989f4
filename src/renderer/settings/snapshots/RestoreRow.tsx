import { type FormEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { visibleText } from '../../../shared/model/basics/visible'
import { useSnapshots, useStores } from '../../state/context'
import { Button } from '../../ui/controls/Button'
import { SettingRow } from '../rows/SettingRow'
import { PassphraseField } from './PassphraseField'

/** Row that makes a folder of a snapshot; where that is encrypted, it asks for the passphrase. */
export function RestoreRow() {
  const { snapshots } = useStores()
  const isRestoring = useSnapshots(({ running }) => running === 'restore')
  const locked = useSnapshots((state) => state.locked)
  const button = useRef<HTMLButtonElement>(null)
  return (
    <>
      <SettingRow
        name="Restore"
        words="Makes a new folder of a snapshot, outside of the home. Nothing that is there is written over."
        control={
          <Button
            ref={button}
            isSmall
            isBusy={isRestoring}
            onClick={() => void snapshots.getState().begin('restore')}
          >
            Restore a snapshot…
          </Button>
        }
      />
      {locked !== undefined && (
        <SettingRow
          name="Passphrase of the snapshot"
          words={visibleText(locked)}
          control={<PassphraseForm isBusy={isRestoring} back={button} />}
        />
      )}
    </>
  )
}

function PassphraseForm(props: {
  readonly isBusy: boolean
  /** Gets the focus once the form goes. */
  readonly back: RefObject<HTMLButtonElement | null>
}) {
  const { isBusy, back } = props
  const { snapshots } = useStores()
  const [passphrase, setPassphrase] = useState('')
  const form = useRef<HTMLFormElement>(null)
  const field = useRef<HTMLInputElement>(null)

  // Once, so that a focus which went elsewhere meanwhile is not called back.
  useLayoutEffect(() => {
    const drawn = form.current
    field.current?.focus()
    return () => {
      if (drawn?.contains(document.activeElement)) back.current?.focus()
    }
  }, [back])

  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    if (passphrase === '' || isBusy) return
    setPassphrase('')
    // Its button is disabled by this, and would lose the focus.
    field.current?.focus()
    void snapshots.getState().begin('restore', passphrase)
  }

  return (
    <form
      ref={form}
      className="key-form"
      onSubmit={onSubmit}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        snapshots.getState().giveUpPassphrase()
      }}
    >
      <PassphraseField
        ref={field}
        label="Passphrase of the snapshot"
        value={passphrase}
        onChange={setPassphrase}
      />
      <Button kind="primary" isSmall type="submit" isBusy={isBusy} isDisabled={passphrase === ''}>
        Decrypt
      </Button>
      <Button kind="ghost" isSmall onClick={() => snapshots.getState().giveUpPassphrase()}>
        Cancel
      </Button>
    </form>
  )
}
