import { Switch } from 'radix-ui'
import { visibleText } from '../../../shared/model/basics/visible'
import type { SourceRootView } from '../../../shared/model/settings/source-roots'
import { SourceMark } from '../../ui/controls/SourceMark'
import { PathText } from '../../ui/text/PathText'
import { SettingRow } from '../rows/SettingRow'
import { rootOriginLabel, rootStateText } from './root-labels'

/** Row of a root: its source, its state, and whether it is read. */
export function SourceRow(props: {
  readonly root: SourceRootView
  readonly isEditable: boolean
  readonly onTurn: (isOn: boolean) => void
  readonly onRemove: () => void
}) {
  const { root, isEditable, onTurn, onRemove } = props
  const { label, origin, state } = root
  const shown = visibleText(root.shown)
  const name = `${label} ${shown}`
  const isBad = state.type === 'unreadable'
  return (
    <SettingRow
      name={label}
      groupName={name}
      mark={<SourceMark source={root.source} />}
      words={
        <span className={isBad ? 'err-t' : state.type === 'stopped' ? 'warn-t' : undefined}>
          {rootStateText(state)}
        </span>
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
  )
}
