import type { LucideIcon } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { isComposing } from '../behaviour/keys'
import { rowForKey } from '../behaviour/list-keys'
import { Icon } from './Icon'

/** Rows that a page key goes. */
const pageRows = 8

/** Returns the id of an option of a picker's list, which its field names as the active one. */
export function optionId(list: string, index: number): string {
  return `${list}-${index}`
}

/** Field of a picker: what is typed finds options of a list, in which arrows move while the focus stays here. Enter chooses. */
export function PickerField(props: {
  readonly icon: LucideIcon
  readonly label: string
  readonly placeholder: string
  /** Id of the list box; its options have the ids of `optionId`. */
  readonly list: string
  readonly count: number
  /** The active option; -1 where there is none. */
  readonly here: number
  readonly value: string
  readonly onType: (value: string) => void
  readonly onMove: (index: number) => void
  readonly onEnter: () => void
}) {
  const { list, count, here, onType, onMove, onEnter } = props

  function onKeyDown(event: KeyboardEvent): void {
    if (isComposing(event.nativeEvent) || event.ctrlKey || event.metaKey || event.altKey) return
    const target = rowForKey(event.key, { count, here, pageRows, isInField: true })
    if (target !== undefined) onMove(target)
    else if (event.key === 'Enter') onEnter()
    else return
    event.preventDefault()
  }

  return (
    <div className="picker-field">
      <Icon of={props.icon} />
      <input
        role="combobox"
        aria-label={props.label}
        aria-expanded="true"
        aria-controls={list}
        aria-autocomplete="list"
        {...(here >= 0 ? { 'aria-activedescendant': optionId(list, here) } : {})}
        value={props.value}
        maxLength={1000}
        placeholder={props.placeholder}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => onType(event.target.value)}
        onKeyDown={onKeyDown}
      />
    </div>
  )
}
