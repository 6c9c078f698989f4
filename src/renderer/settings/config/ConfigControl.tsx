import { Switch } from 'radix-ui'
import type { ConfigValue } from '../../../shared/model/settings/settings'
import { TextSetting } from '../rows/TextSetting'
import { useEdited } from '../rows/use-edited'

/** Control for a value of its kind: a switch, a choice, a field, or a list with an item on each line. */
export function ConfigControl(props: {
  readonly id: string
  readonly value: ConfigValue
  /** The value that holds now; empty where none does. */
  readonly text: string
  readonly isBad: boolean
  /** Absent where the value is set elsewhere. */
  readonly onSave?: (text: string) => Promise<boolean>
  readonly onFocus: () => void
}) {
  const { id, value, text, isBad, onSave, onFocus } = props
  switch (value.kind) {
    case 'flag':
      return (
        <Switch.Root
          id={id}
          className="switch"
          checked={text === 'true'}
          disabled={onSave === undefined}
          onFocus={onFocus}
          onCheckedChange={(isOn) => void onSave?.(String(isOn))}
        >
          <Switch.Thumb className="switch-thumb" />
        </Switch.Root>
      )
    case 'choice': {
      const choices = value.choices ?? []
      return (
        <select
          id={id}
          className={`config-select ${isBad ? 'bad' : ''}`}
          value={text}
          disabled={onSave === undefined}
          onFocus={onFocus}
          onChange={(event) => void onSave?.(event.target.value)}
        >
          {text === '' && <option value="">not set</option>}
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
          {text !== '' && !choices.includes(text) && <option value={text}>{text}</option>}
        </select>
      )
    }
    case 'list':
      return <ListSetting {...props} />
    default:
      return (
        <TextSetting
          id={id}
          value={text}
          placeholder={value.fallback ?? 'none'}
          isBad={isBad}
          onFocus={onFocus}
          {...(onSave === undefined ? {} : { onSave })}
        />
      )
  }
}

/** A field with an item on each line; saved when it loses the focus, reset by Esc. */
function ListSetting(props: {
  readonly id: string
  readonly text: string
  readonly isBad: boolean
  readonly onSave?: (text: string) => Promise<boolean>
  readonly onFocus: () => void
}) {
  const { id, text, isBad, onSave, onFocus } = props
  const edited = useEdited(text, onSave, false)
  return (
    <textarea
      id={id}
      className={`config-list ${isBad ? 'bad' : ''}`}
      value={edited.text}
      rows={Math.min(6, edited.text.split('\n').length)}
      placeholder="one a line"
      readOnly={onSave === undefined}
      spellCheck={false}
      onChange={(event) => edited.setText(event.target.value)}
      onBlur={edited.save}
      onFocus={onFocus}
      onKeyDown={edited.onKeyDown}
    />
  )
}
