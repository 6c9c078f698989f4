import { Switch } from 'radix-ui'
import { useRef } from 'react'
import { visibleText } from '../../../shared/model/basics/visible'
import type { RootBackup, SourceRootView } from '../../../shared/model/settings/source-roots'
import { focusWhenDrawn } from '../../ui/behaviour/focus'
import { Button } from '../../ui/controls/Button'
import { SettingRow } from '../rows/SettingRow'
import { backupText, backupWarning } from './backup-labels'

/** Row below a root's: what its backup has, and whether new files are copied. */
export function BackupRow(props: {
  readonly root: SourceRootView
  readonly backup: RootBackup
  readonly isEditable: boolean
  readonly onTurn: (isOn: boolean) => void
  /** Resolves to whether it was deleted. */
  readonly onDelete: () => Promise<boolean>
}) {
  const { root, backup, isEditable, onTurn, onDelete } = props
  const name = `${root.label} ${visibleText(root.shown)}`
  const warning = backupWarning(backup)
  const turn = useRef<HTMLButtonElement>(null)

  /** The button goes with the backup: the focus goes to the switch beside it. */
  async function remove(): Promise<void> {
    if (await onDelete()) focusWhenDrawn(() => turn.current)
  }

  return (
    <div className="backup-row">
      <SettingRow
        name="Backup"
        groupName={`Backup of ${name}`}
        words={
          <>
            {backupText(backup, root.label)}
            {warning !== undefined && <span className="err-t backup-problem">{warning}</span>}
          </>
        }
        control={
          isEditable &&
          backup.files > 0 && (
            <Button kind="ghost" isSmall isBusy={backup.isRunning} onClick={() => void remove()}>
              Delete backup…<span className="unseen"> {name}</span>
            </Button>
          )
        }
        from={
          isEditable && (
            <Switch.Root
              ref={turn}
              className="switch"
              aria-label={`Back up ${name}`}
              checked={backup.isOn}
              onCheckedChange={onTurn}
            >
              <Switch.Thumb className="switch-thumb" />
            </Switch.Root>
          )
        }
      />
    </div>
  )
}
