import { Switch } from 'radix-ui'
import { useId } from 'react'
import { visibleText } from '../../shared/model/basics/visible'
import type { SourceRootView } from '../../shared/model/settings/source-roots'
import { SourceMark } from '../ui/controls/SourceMark'
import { formatQuantity } from '../ui/format/format'
import { rootOriginLabel, rootStateText } from '../ui/format/root-labels'
import { PathText } from '../ui/text/PathText'

/** Row of a system that was found: its files in numbers, and whether it will be read. */
export function FoundRow(props: {
  readonly root: SourceRootView
  /** Whether it is the folder of imported exports, of several systems. */
  readonly isOfImports: boolean
  readonly onTurn: (isOn: boolean) => void
  /** Turns its backup on or off; left out where nothing can be turned. */
  readonly onBackUp?: ((isOn: boolean) => void) | undefined
}) {
  const { root, isOfImports, onTurn, onBackUp } = props
  const { origin, source, state } = root
  const label = isOfImports ? 'Imported exports' : root.label
  const shown = visibleText(root.shown)
  const name = `${label} ${shown}`
  return (
    <div
      className={`found-row ${state.type === 'off' ? 'off' : ''}`}
      {...{ role: 'group', 'aria-label': name }}
    >
      <SourceMark source={source} />
      <div className="found-name">
        <b>{label}</b>
        <span className="t3 small cut">
          <PathText path={shown} />
        </span>
      </div>
      {isOfImports ? (
        <span />
      ) : origin === 'default' ? (
        <Switch.Root
          className="switch"
          aria-label={`Read ${name}`}
          checked={state.type !== 'off'}
          onCheckedChange={onTurn}
        >
          <Switch.Thumb className="switch-thumb" />
        </Switch.Root>
      ) : (
        <span className="origin-chip override">{rootOriginLabel(origin)}</span>
      )}
      <span className={`found-words small number ${state.type === 'unreadable' ? 'err-t' : 't2'}`}>
        {rootStateText(state)}
      </span>
      {onBackUp !== undefined && !isOfImports && (
        <BackupOffer root={root} name={name} onTurn={onBackUp} />
      )}
    </div>
  )
}

/** Offer to back up what a system deletes by itself; off until a person allows it. */
function BackupOffer(props: {
  readonly root: SourceRootView
  readonly name: string
  readonly onTurn: (isOn: boolean) => void
}) {
  const { backup, label } = props.root
  const id = useId()
  if (backup === null || backup.deletesAfterDays === null) return null
  const days = formatQuantity(backup.deletesAfterDays, 'day')
  return (
    <div className="found-backup small">
      <span id={id} className="t2">
        {label} deletes conversations after {days}.
        {backup.isOn && ' They are copied when the library opens.'}
      </span>
      <span className="t2" aria-hidden="true">
        Back up
      </span>
      <Switch.Root
        className="switch"
        aria-label={`Back up ${props.name}`}
        aria-describedby={id}
        checked={backup.isOn}
        onCheckedChange={props.onTurn}
      >
        <Switch.Thumb className="switch-thumb" />
      </Switch.Root>
    </div>
  )
}
