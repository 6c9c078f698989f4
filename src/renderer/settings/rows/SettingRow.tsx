import type { ReactNode } from 'react'
import type { SettingValue } from '../../../shared/model/settings/settings'

/** Row of a setting: name, description, control and origin. */
export function SettingRow(props: {
  readonly name: string
  /** Shown before the name and not read aloud: the name has the same meaning. */
  readonly mark?: ReactNode
  /** Name of the whole row as a group, where several rows are alike. */
  readonly groupName?: string
  readonly configKey?: string
  readonly words?: ReactNode
  readonly control: ReactNode
  readonly from?: ReactNode
  readonly labelFor?: string
  readonly isSelected?: boolean
}) {
  const { name, mark, groupName, configKey, words, control, from, labelFor, isSelected } = props
  return (
    <div
      className={`settings-row ${isSelected ? 'selected' : ''}`}
      {...(groupName === undefined ? {} : { role: 'group', 'aria-label': groupName })}
    >
      <div className="settings-name">
        {mark !== undefined && (
          <span className="settings-mark" aria-hidden="true">
            {mark}
          </span>
        )}
        {labelFor === undefined ? (
          <span className="label">{name}</span>
        ) : (
          <label className="label" htmlFor={labelFor}>
            {name}
          </label>
        )}{' '}
        {configKey !== undefined && <span className="mono micro t3">{configKey}</span>}
        {words !== undefined && <div className="small t2 settings-words">{words}</div>}
      </div>
      <div className="settings-control">{control}</div>
      <div className="settings-from">{from}</div>
    </div>
  )
}

/** Button with the origin of a value; it opens the pane that explains the value. */
export function OriginButton(props: {
  readonly value: Pick<SettingValue, 'origin' | 'where'> | undefined
  readonly name: string
  readonly isFault?: boolean
  readonly onExplain: () => void
}) {
  const { value, name, isFault, onExplain } = props
  const kind = isFault
    ? 'fault'
    : value === undefined || value.origin === 'default'
      ? 'default'
      : value.origin === 'run-option' || value.origin === 'local.toml'
        ? 'override'
        : 'file'
  const words =
    value === undefined ? 'not set' : value.origin === 'default' ? 'default' : value.where
  return (
    <button
      type="button"
      className={`origin-chip ${kind}`}
      aria-label={`${name} comes from: ${words}`}
      title="Where this value comes from"
      onClick={onExplain}
    >
      {words}
    </button>
  )
}
