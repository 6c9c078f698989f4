import { Switch } from 'radix-ui'
import { visibleText } from '../../shared/model/basics/visible'
import type { SourceRootView } from '../../shared/model/settings/source-roots'
import { SourceMark } from '../ui/controls/SourceMark'
import { rootOriginLabel, rootStateText } from '../ui/format/root-labels'
import { PathText } from '../ui/text/PathText'

/** Row of a system that was found: its files in numbers, and whether it will be read. */
export function FoundRow(props: {
  readonly root: SourceRootView
  /** Whether it is the folder of imported exports, of several systems. */
  readonly isOfImports: boolean
  readonly onTurn: (isOn: boolean) => void
}) {
  const { root, isOfImports, onTurn } = props
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
    </div>
  )
}
