import { Check, ChevronDown } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import type { ReactNode } from 'react'
import { formatCount } from '../format/format'
import { Icon } from './Icon'
import { MenuContent } from './MenuContent'

/** Option of a menu. */
export interface MenuOption<T> {
  readonly value: T
  readonly label: string
  /** A description, where the label does not say it. */
  readonly title?: string
  /** How many it is of. */
  readonly count?: number
  /** Sign before the label; either all options of a menu have room for one or none. */
  readonly mark?: ReactNode
}

/** Button with a menu in which one of several options is chosen. Its text names the chosen one. */
export function ChoiceMenu<T>(props: {
  /** Content of the button. */
  readonly text: ReactNode
  readonly options: readonly MenuOption<T>[]
  readonly value: T
  readonly onChoose: (value: T) => void
  readonly align?: 'start' | 'end'
  readonly className: string
  /** True where the choice leaves something out: the button is marked. */
  readonly isNarrowed?: boolean
  /** Further rows of the menu. */
  readonly children?: ReactNode
}) {
  const { options, value, onChoose } = props
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className={props.className} data-chosen={props.isNarrowed}>
        <span className="cut">{props.text}</span>
        <Icon of={ChevronDown} size={12} />
      </DropdownMenu.Trigger>
      <MenuContent align={props.align ?? 'start'}>
        <MenuOptions options={options} value={value} onChoose={onChoose} />
        {props.children}
      </MenuContent>
    </DropdownMenu.Root>
  )
}

/** Further options of a menu, below a label. */
export function MenuChoices<T>(props: {
  readonly label: string
  readonly options: readonly MenuOption<T>[]
  readonly value: T
  readonly isDisabled?: boolean
  readonly onChoose: (value: T) => void
}) {
  return (
    <DropdownMenu.Group aria-label={props.label}>
      <DropdownMenu.Label className="menu-label">{props.label}</DropdownMenu.Label>
      <MenuOptions {...props} />
    </DropdownMenu.Group>
  )
}

function MenuOptions<T>(props: {
  readonly options: readonly MenuOption<T>[]
  readonly value: T
  readonly isDisabled?: boolean
  readonly onChoose: (value: T) => void
}) {
  const { options, value, isDisabled = false, onChoose } = props
  // Options are told apart by their places: a value may be any text.
  const chosen = options.findIndex((option) => option.value === value)
  const hasMarks = options.some((option) => option.mark !== undefined)
  return (
    <DropdownMenu.RadioGroup value={String(chosen)}>
      {options.map((option, at) => (
        <DropdownMenu.RadioItem
          // biome-ignore lint/suspicious/noArrayIndexKey: options have no other name
          key={at}
          value={String(at)}
          className="menu-row"
          title={option.title ?? option.label}
          disabled={isDisabled}
          onSelect={() => onChoose(option.value)}
        >
          {hasMarks && (
            <span className="menu-mark" aria-hidden="true">
              {option.mark}
            </span>
          )}
          <span className="grow cut">{option.label}</span>
          {option.count !== undefined && (
            <span className="menu-hint number">{formatCount(option.count)}</span>
          )}
          <MenuCheck />
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.RadioGroup>
  )
}

/** Row of a menu that is on or off. */
export function MenuSwitch(props: {
  readonly label: string
  readonly isOn: boolean
  readonly onToggle: () => void
}) {
  return (
    <DropdownMenu.CheckboxItem className="menu-row" checked={props.isOn} onSelect={props.onToggle}>
      <span className="grow">{props.label}</span>
      <MenuCheck />
    </DropdownMenu.CheckboxItem>
  )
}

function MenuCheck() {
  return (
    <DropdownMenu.ItemIndicator asChild>
      <Icon of={Check} />
    </DropdownMenu.ItemIndicator>
  )
}
