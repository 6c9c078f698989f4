import { CornerDownLeft, type LucideIcon } from 'lucide-react'
import type { MouseEvent, ReactNode, Ref } from 'react'
import { type FocusTarget, focusTarget } from '../behaviour/focus'
import { type ShownKeys, useAriaKeys, useCaps } from './command-keys'
import { Icon } from './Icon'
import { Tooltip } from './Tooltip'

interface ButtonProps {
  readonly children: ReactNode
  readonly onClick?: (event: MouseEvent<HTMLButtonElement>) => void
  readonly kind?: 'plain' | 'primary' | 'ghost' | 'danger'
  readonly isSmall?: boolean
  readonly icon?: LucideIcon
  readonly keys?: ShownKeys
  readonly isDisabled?: boolean
  /** True for one that is disabled by its own press: the focus stays on it. */
  readonly keepsFocus?: boolean
  /** True while its action runs: it keeps its width and label. */
  readonly isBusy?: boolean
  readonly isPressed?: boolean
  readonly isExpanded?: boolean
  readonly type?: 'button' | 'submit'
  readonly tooltip?: string
  readonly className?: string
  readonly ref?: Ref<HTMLButtonElement>
  /** The target that it is for `focusOn`. */
  readonly focus?: FocusTarget
}

/** Button with a text. */
export function Button(props: ButtonProps) {
  const { kind = 'plain', isSmall, icon, keys, isDisabled, isBusy, className } = props
  const { keepsFocus = false } = props
  const ariaShortcuts = useAriaKeys(keys)
  const button = (
    <button
      ref={props.ref}
      type={props.type ?? 'button'}
      className={`button ${kind} ${isSmall ? 'small' : ''} ${isBusy ? 'busy' : ''} ${props.isPressed ? 'on' : ''} ${className ?? ''}`}
      onClick={isBusy || (keepsFocus && isDisabled) ? undefined : props.onClick}
      disabled={keepsFocus ? undefined : isDisabled}
      aria-disabled={(keepsFocus && isDisabled) || undefined}
      aria-busy={isBusy || undefined}
      aria-pressed={props.isPressed}
      aria-expanded={props.isExpanded}
      aria-keyshortcuts={ariaShortcuts}
      {...(props.focus === undefined ? {} : focusTarget(props.focus))}
    >
      {icon !== undefined && <Icon of={icon} />}
      {props.children}
      {keys !== undefined && <KeyHint keys={keys} />}
    </button>
  )
  return props.tooltip === undefined ? button : <Tooltip text={props.tooltip}>{button}</Tooltip>
}

/** Key caps of a shortcut, nothing where there are none; not read aloud, since the button tells the shortcut itself. */
export function KeyHint(props: { readonly keys: ShownKeys }) {
  const caps = useCaps(props.keys)
  if (caps.length === 0) return null
  return (
    <span className="keys" aria-hidden="true">
      {caps.map((key) => (
        <kbd key={key} className="key">
          {key}
        </kbd>
      ))}
    </span>
  )
}

/** Key cap of Enter, on the button that it presses. */
export function EnterHint() {
  return (
    <span className="keys" aria-hidden="true">
      <kbd className="key">
        <CornerDownLeft size="0.6875rem" strokeWidth={2} />
      </kbd>
    </span>
  )
}

interface IconButtonProps {
  readonly label: string
  readonly icon: LucideIcon
  readonly onClick: () => void
  readonly keys?: ShownKeys
  readonly size?: 'large' | 'medium' | 'small'
  readonly isPressed?: boolean
  readonly isExpanded?: boolean
  readonly isDisabled?: boolean
  /** True for one that is disabled by its own press: the focus stays on it. */
  readonly keepsFocus?: boolean
  readonly tabIndex?: number
}

/** Button with only an icon: its name is also its tooltip. */
export function IconButton(props: IconButtonProps) {
  const { label, icon, size = 'large', isPressed, isDisabled, keepsFocus = false } = props
  const ariaShortcuts = useAriaKeys(props.keys)
  return (
    <Tooltip text={label} {...(props.keys === undefined ? {} : { keys: props.keys })}>
      <button
        type="button"
        className={`icon-button ${size} ${isPressed || props.isExpanded ? 'on' : ''}`}
        aria-label={label}
        aria-pressed={isPressed}
        aria-expanded={props.isExpanded}
        aria-keyshortcuts={ariaShortcuts}
        disabled={keepsFocus ? undefined : isDisabled}
        aria-disabled={(keepsFocus && isDisabled) || undefined}
        tabIndex={props.tabIndex}
        onClick={keepsFocus && isDisabled ? undefined : props.onClick}
      >
        <Icon of={icon} />
      </button>
    </Tooltip>
  )
}
