import { Pencil } from 'lucide-react'
import { useRef, useState } from 'react'
import { spokenKeys, writtenKeys } from '../../../shared/model/keys/key-words'
import type { Keystroke } from '../../../shared/model/keys/keystroke'
import { type QuickKeyState, quickKeyRefusal } from '../../../shared/model/keys/quick-key'
import { windowCommands } from '../../../shared/model/keys/window-commands'
import { useApp, useSettings, useStores } from '../../state/context'
import { useKeptFocus } from '../../ui/behaviour/use-kept-focus'
import { Button, IconButton } from '../../ui/controls/Button'
import { useKeyTable } from '../../ui/controls/command-keys'
import { Note } from '../../ui/notes/Note'
import { SettingRow } from '../rows/SettingRow'
import { KeyList } from './KeyList'
import { escEnds, KeyRecorder } from './KeyRecorder'

const name = 'Quick entry, from every program'

/** Row of the key that opens the quick entry from every program; it is off until a person sets it. */
export function QuickKeyRow() {
  const { app } = useStores()
  const table = useKeyTable()
  const wanted = useSettings(({ view }) => view?.preferences.quickKey)
  const setPreferences = useSettings((state) => state.setPreferences)
  const state = useApp(({ quickKey }) => quickKey)
  const [isRecorded, setRecorded] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  const [before, setBefore] = useState<Keystroke>()
  const row = useRef<HTMLDivElement>(null)
  // Buttons go with what they have done.
  useKeptFocus(row, () => row.current?.querySelector('button')?.focus())
  if (wanted === undefined) return null

  function end(): void {
    setRecorded(false)
    setRefusal(undefined)
  }

  async function keep(quickKey: Keystroke, undone?: Keystroke | undefined): Promise<void> {
    end()
    setBefore(undefined)
    // Where it is refused the reason is told, and there is nothing to undo.
    if (await setPreferences({ quickKey })) setBefore(undone)
  }

  function press(keystroke: Keystroke | undefined): void {
    const words = keystroke === undefined ? 'It cannot be that key.' : reasonAgainst(keystroke)
    if (keystroke === undefined || words !== undefined) setRefusal(words)
    else void keep(keystroke, wanted)
  }

  function reasonAgainst(keystroke: Keystroke): string | undefined {
    const holder = table.commandOf(keystroke)
    if (holder === undefined) return quickKeyRefusal(keystroke, table.platform)
    return `${writtenKeys(keystroke, table.platform)} is of “${windowCommands[holder].name}”.`
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Esc ends the recording, whichever of its controls has the focus
    <div ref={row} onKeyDown={escEnds(isRecorded, end)}>
      <SettingRow
        name={name}
        groupName={name}
        isSelected={isRecorded}
        words="A small window for one message, which begins a conversation or goes on with the open one. skein://new opens it, too."
        control={
          isRecorded ? (
            <KeyRecorder label={`New keys of ${name}`} onPress={press} />
          ) : (
            <KeyList keys={wanted === '' ? [] : [wanted]} none="off" />
          )
        }
        from={
          isRecorded ? (
            <Button kind="ghost" isSmall keys={['Esc']} onClick={end}>
              Cancel
            </Button>
          ) : (
            <>
              <IconButton
                label={`Change the keys of ${name}`}
                icon={Pencil}
                size="small"
                onClick={() => {
                  setBefore(undefined)
                  setRecorded(true)
                }}
              />
              {wanted !== '' && (
                <Button kind="ghost" isSmall onClick={() => void keep('', wanted)}>
                  Turn off
                </Button>
              )}
            </>
          )
        }
      />
      {refusal !== undefined && (
        <Note tone="warn" title={refusal}>
          Press other keys.
        </Note>
      )}
      {!isRecorded && state !== undefined && problems[state] !== undefined && (
        <Note
          tone="warn"
          title={problems[state]?.[0]}
          actions={
            state === 'taken' && (
              <Button isSmall onClick={() => void app.getState().loadQuickKey()}>
                Try again
              </Button>
            )
          }
        >
          {problems[state]?.[1]}
        </Note>
      )}
      {before !== undefined && (
        <Note
          tone="plain"
          title={
            wanted === ''
              ? 'The quick entry has no key now.'
              : `${spokenKeys(wanted, table.platform)} opens the quick entry now.`
          }
          actions={
            <Button isSmall onClick={() => void keep(before)}>
              Undo
            </Button>
          }
        />
      )}
    </div>
  )
}

/** What is said where the key does not work, and what to do. */
const problems: Readonly<Partial<Record<QuickKeyState, readonly [string, string]>>> = {
  taken: [
    'Another program has this key.',
    'Free it there and try again, or press another one here.',
  ],
  wayland: [
    'Wayland gives no program a key of the whole system.',
    'In the keyboard settings of your desktop, give a key to the command “xdg-open skein://new”.',
  ],
}
