import { Pencil, Plus, RotateCcw } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { mostKeystrokes } from '../../../shared/model/keys/key-table'
import { capsOf, spokenKeys } from '../../../shared/model/keys/key-words'
import { keystrokeOf } from '../../../shared/model/keys/keystroke'
import { type WindowCommand, windowCommands } from '../../../shared/model/keys/window-commands'
import { isComposing, isKeyAlone, recordsKeys } from '../../ui/behaviour/keys'
import { useKeptFocus } from '../../ui/behaviour/use-kept-focus'
import { Button, IconButton, KeyHint } from '../../ui/controls/Button'
import { useKeyTable } from '../../ui/controls/command-keys'
import { Note } from '../../ui/notes/Note'
import { SettingRow } from '../rows/SettingRow'
import { KeptNote } from './KeptNote'
import type { OwnKeysEdit } from './use-own-keys'

/** Row of a command in the sheet of shortcuts: its keys, and how they are changed. */
export function CommandRow(props: { readonly command: WindowCommand; readonly edit: OwnKeysEdit }) {
  const { command, edit } = props
  const table = useKeyTable()
  const { name } = windowCommands[command]
  const keys = table.keysOf(command)
  const isRecorded = edit.recorded?.command === command
  const row = useRef<HTMLDivElement>(null)
  // Buttons go with what they have done: Undo with its note, Cancel with the field.
  useKeptFocus(row, () => row.current?.querySelector('button')?.focus())

  function onKeyDown(event: KeyboardEvent): void {
    if (!isRecorded || !isKeyAlone(event, 'Escape') || isComposing(event.nativeEvent)) return
    event.preventDefault()
    // Settings stay open.
    event.stopPropagation()
    if (!event.repeat) edit.cancel()
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Esc ends the recording, whichever of its controls has the focus
    <div ref={row} onKeyDown={onKeyDown}>
      <SettingRow
        name={name}
        groupName={name}
        isSelected={isRecorded}
        control={isRecorded ? <KeyRecorder name={name} edit={edit} /> : <KeyList keys={keys} />}
        from={
          isRecorded ? (
            <>
              <Button kind="ghost" isSmall onClick={edit.clear}>
                No key
              </Button>
              <Button kind="ghost" isSmall keys={['Esc']} onClick={edit.cancel}>
                Cancel
              </Button>
            </>
          ) : (
            edit.own !== undefined && (
              <>
                <IconButton
                  label={`Change the keys of ${name}`}
                  icon={Pencil}
                  size="small"
                  onClick={() => edit.record(command, false)}
                />
                {keys.length > 0 && keys.length < mostKeystrokes && (
                  <IconButton
                    label={`Add keys to ${name}`}
                    icon={Plus}
                    size="small"
                    onClick={() => edit.record(command, true)}
                  />
                )}
                {edit.own[command] !== undefined && (
                  <IconButton
                    label={`Back to the standard: ${name}`}
                    icon={RotateCcw}
                    size="small"
                    onClick={() => edit.reset(command)}
                  />
                )}
              </>
            )
          )
        }
      />
      {isRecorded && edit.question !== undefined && (
        <Note
          tone="warn"
          title={edit.question.words}
          actions={
            edit.question.type === 'taken' && (
              <Button isSmall keys={['Enter']} onClick={edit.confirm}>
                Give it to “{name}”
              </Button>
            )
          }
        >
          {edit.question.type === 'taken'
            ? 'A key does one thing: the other command loses it.'
            : 'Press other keys.'}
        </Note>
      )}
      {edit.kept?.command === command && <KeptNote edit={edit} />}
    </div>
  )
}

/** Keys that a command has, or that it has none. */
export function KeyList(props: { readonly keys: readonly string[] }) {
  const { platform } = useKeyTable()
  if (props.keys.length === 0) return <span className="small t3">no key</span>
  return (
    <span className="shortcut-keys">
      {props.keys.map((keystroke) => (
        <span key={keystroke}>
          <KeyHint keys={capsOf(keystroke, platform)} />
          <span className="unseen">{spokenKeys(keystroke, platform)}</span>
        </span>
      ))}
    </span>
  )
}

const modifierKeys: ReadonlySet<string> = new Set([
  'Control',
  'Alt',
  'Shift',
  'Meta',
  'AltGraph',
  'OS',
])

/** Field that takes the keys which are pressed in it. Tab leaves it; Esc is the row's. */
function KeyRecorder(props: { readonly name: string; readonly edit: OwnKeysEdit }) {
  const { name, edit } = props
  const { platform } = useKeyTable()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Tab' || isKeyAlone(event, 'Escape') || isComposing(event.nativeEvent)) return
    event.preventDefault()
    event.stopPropagation()
    // A key that is held, such as the Enter which opened the field, is pressed once.
    if (event.repeat) return
    if (isKeyAlone(event, 'Enter') && edit.question?.type === 'taken') edit.confirm()
    else if (!modifierKeys.has(event.key)) edit.press(keystrokeOf(event.nativeEvent, platform))
  }

  return (
    <input
      ref={field}
      className="field setting-field"
      readOnly
      aria-label={`New keys of ${name}`}
      placeholder="Press keys"
      onKeyDown={onKeyDown}
      {...recordsKeys}
    />
  )
}
