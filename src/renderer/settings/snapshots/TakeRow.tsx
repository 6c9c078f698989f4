import { Switch } from 'radix-ui'
import { useId, useRef, useState } from 'react'
import { useSnapshots, useStores } from '../../state/context'
import { Button } from '../../ui/controls/Button'
import { SettingRow } from '../rows/SettingRow'
import { NewPassphrase, noPassphrase, passphraseFault } from './NewPassphrase'

/** Rows that write the home into one file, which a passphrase encrypts where a person wants it. */
export function TakeRow() {
  const { snapshots } = useStores()
  const isTaking = useSnapshots(({ running }) => running === 'take')
  const [encrypts, setEncrypts] = useState(false)
  const [typed, setTyped] = useState(noPassphrase)
  const [isTried, setTried] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const id = useId()

  function forget(): void {
    setTyped(noPassphrase)
    setTried(false)
  }

  async function take(): Promise<void> {
    if (!encrypts) return snapshots.getState().begin('take')
    if (passphraseFault(typed) !== undefined) {
      setTried(true)
      field.current?.focus()
      return
    }
    await snapshots.getState().begin('take', typed.first)
    // Where none was taken it may be taken again with it.
    if (snapshots.getState().done?.act === 'take') forget()
  }

  return (
    <>
      <SettingRow
        name="Snapshot"
        words="The whole home and Skein’s settings, imports and backups, with titles and tags of all conversations, in one dated file that is read back to be sure. Keys of the keychain and lists of the library are not in it."
        control={
          <Button isSmall isBusy={isTaking} onClick={() => void take()}>
            Take a snapshot…
          </Button>
        }
      />
      <SettingRow
        name="Encrypt with a passphrase"
        labelFor={id}
        words={
          encrypts
            ? 'Nothing opens the snapshot without it. Take four or five words that nobody guesses, and keep them elsewhere.'
            : 'For a snapshot that goes where others can read it.'
        }
        control={
          <Switch.Root
            id={id}
            className="switch"
            checked={encrypts}
            onCheckedChange={(wanted) => {
              setEncrypts(wanted)
              forget()
            }}
          >
            <Switch.Thumb className="switch-thumb" />
          </Switch.Root>
        }
      />
      {encrypts && (
        <SettingRow
          name="Passphrase"
          words="Typed twice, since it is not shown."
          control={
            <div className="key-form">
              <NewPassphrase ref={field} typed={typed} isTried={isTried} onChange={setTyped} />
            </div>
          }
        />
      )}
    </>
  )
}
