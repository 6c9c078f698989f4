import { Pencil, Plus, RotateCcw } from 'lucide-react'
import { useRef } from 'react'
import { mostKeystrokes } from '../../../shared/model/keys/key-table'
import { type WindowCommand, windowCommands } from '../../../shared/model/keys/window-commands'
import { useKeptFocus } from '../../ui/behaviour/use-kept-focus'
import { Button, IconButton } from '../../ui/controls/Button'
import { useKeyTable } from '../../ui/controls/command-keys'
import { Note } from '../../ui/notes/Note'
import { SettingRow } from '../rows/SettingRow'
import { KeptNote } from './KeptNote'
import { KeyList } from './KeyList'
import { escEnds, KeyRecorder } from './KeyRecorder'
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

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Esc ends the recording, whichever of its controls has the focus
    <div ref={row} onKeyDown={escEnds(isRecorded, edit.cancel)}>
      <SettingRow
        name={name}
        groupName={name}
        isSelected={isRecorded}
        control={
          isRecorded ? (
            <KeyRecorder
              label={`New keys of ${name}`}
              onPress={edit.press}
              onConfirm={edit.question?.type === 'taken' ? edit.confirm : undefined}
            />
          ) : (
            <KeyList keys={keys} />
          )
        }
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
