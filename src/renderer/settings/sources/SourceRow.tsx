import { Switch } from 'radix-ui'
import { useId, useState } from 'react'
import { visibleText } from '../../../shared/model/basics/visible'
import type { SourceDrift } from '../../../shared/model/drift/drift'
import type { RootBackup, SourceRootView } from '../../../shared/model/settings/source-roots'
import { SourceMark } from '../../ui/controls/SourceMark'
import { rootOriginLabel, rootStateText } from '../../ui/format/root-labels'
import { PathText } from '../../ui/text/PathText'
import { SettingRow } from '../rows/SettingRow'
import { BackupRow } from './BackupRow'
import { SourceDriftList, SourceDriftWords } from './SourceDriftPart'

/** Row of a root: its source, its state, and whether it is read. */
export function SourceRow(props: {
  readonly root: SourceRootView
  /** News in the source's histories, on the row that says so. */
  readonly drift?: SourceDrift | undefined
  readonly isEditable: boolean
  readonly onTurn: (isOn: boolean) => void
  readonly onRemove: () => void
  readonly onBackUp: (isOn: boolean) => void
  readonly onDeleteBackup: () => Promise<boolean>
}) {
  const { root, drift, isEditable, onTurn, onRemove } = props
  const backup = shownBackup(root, isEditable)
  const { label, origin, state } = root
  const shown = visibleText(root.shown)
  const name = `${label} ${shown}`
  const isBad = state.type === 'unreadable'
  const [isOpen, setOpen] = useState(false)
  const listId = useId()
  return (
    <div className="source-row">
      <SettingRow
        name={label}
        groupName={name}
        mark={<SourceMark source={root.source} />}
        words={
          <>
            <span className={isBad ? 'err-t' : state.type === 'stopped' ? 'warn-t' : undefined}>
              {rootStateText(state)}
            </span>
            {drift !== undefined && (
              <SourceDriftWords
                drift={drift}
                isOpen={isOpen}
                listId={listId}
                onToggle={() => setOpen(!isOpen)}
              />
            )}
          </>
        }
        control={<PathText path={shown} />}
        from={
          isEditable && origin === 'default' ? (
            <Switch.Root
              className="switch"
              data-root-control=""
              aria-label={`Read ${name}`}
              checked={state.type !== 'off'}
              onCheckedChange={onTurn}
            >
              <Switch.Thumb className="switch-thumb" />
            </Switch.Root>
          ) : isEditable && origin === 'added' ? (
            // Named after its root: for a screen reader "Remove" alone says too little.
            <button
              type="button"
              className="button danger small"
              data-root-control=""
              aria-label={`Remove ${name}`}
              onClick={onRemove}
            >
              Remove
            </button>
          ) : (
            <span className="origin-chip override">{rootOriginLabel(origin)}</span>
          )
        }
      />
      {backup !== null && (
        <BackupRow
          root={root}
          backup={backup}
          isEditable={isEditable}
          onTurn={props.onBackUp}
          onDelete={props.onDeleteBackup}
        />
      )}
      <div id={listId}>{isOpen && drift !== undefined && <SourceDriftList drift={drift} />}</div>
    </div>
  )
}

/** A root without conversations has nothing to copy, unless it had some; where nothing can be turned on there is a backup or none. */
function shownBackup({ backup, state }: SourceRootView, isEditable: boolean): RootBackup | null {
  if (backup === null || backup.isOn || backup.files > 0) return backup
  return isEditable && 'conversations' in state && state.conversations > 0 ? backup : null
}
