import { Pencil, Plus, RotateCcw } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { mostKeystrokes } from '../../../shared/model/keys/key-table'
import { capsOf, spokenKeys } from '../../../shared/model/keys/key-words'
import { keystrokeOf } from '../../../shared/model/keys/keystroke'
import { type WindowCommand, windowCommands } from '../../../shared/model/keys/window-commands'
import { isComposing, recordsKeys } from '../../ui/behaviour/keys'
import { Button, IconButton, KeyHint } from '../../ui/controls/Button'
import { useKeyTable } from '../../ui/controls/command-keys'
import { Note } from '../../ui/notes/Note'
import { SettingRow } from '../rows/SettingRow'
import type { OwnKeysEdit } from './use-own-keys'

/** Row of a command in the sheet of shortcuts: its keys, and how they are changed. */
export function CommandRow(props: { readonly command: WindowCommand; readonly edit: OwnKeysEdit }) {
  const { command, edit } = props
  const table = useKeyTable()
  const { name } = windowCommands[command]
  const keys = table.keysOf(command)
  const isRecorded = edit.recorded?.command === command
  const row = useRef<HTMLDivElement>(null)
  const wasRecorded = useRef(false)
  useEffect(() => {
    // The focus was in the field that is gone now.
    if (wasRecorded.current && !isRecorded && document.activeElement === document.body)
      row.current?.querySelector('button')?.focus()
    wasRecorded.current = isRecorded
  }, [isRecorded])
  return (
    <div ref={row}>
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

/** Field that takes the keys which are pressed in it. Tab leaves it, Esc ends it. */
function KeyRecorder(props: { readonly name: string; readonly edit: OwnKeysEdit }) {
  const { name, edit } = props
  const { platform } = useKeyTable()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Tab' || isComposing(event.nativeEvent)) return
    event.preventDefault()
    event.stopPropagation()
    const isBare = !event.ctrlKey && !event.altKey && !event.metaKey && !event.shiftKey
    const isTaken = edit.question?.type === 'taken'
    if (event.key === 'Escape' && isBare) edit.cancel()
    else if (event.key === 'Enter' && isBare && isTaken) edit.confirm()
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
