import type { LucideIcon } from 'lucide-react'
import { ContextMenu as Part } from 'radix-ui'
import type { ReactElement } from 'react'
import { KeyHint } from './Button'
import { Icon } from './Icon'

/** Entry of a context menu. */
export interface MenuEntry {
  readonly label: string
  readonly icon: LucideIcon
  readonly keys?: readonly string[]
  readonly onChoose: () => void
}

/** Menu of the right button and of the menu key. */
export function ContextMenu(props: {
  readonly label: string
  readonly entries: readonly MenuEntry[]
  /** Called when the menu closes; sends the focus back. */
  readonly onClosed: () => void
  /** Its own `onContextMenu` gets the press; preventing the default there keeps the menu closed. */
  readonly children: ReactElement
}) {
  return (
    <Part.Root modal={false}>
      <Part.Trigger asChild>{props.children}</Part.Trigger>
      <Part.Portal>
        <Part.Content
          className="menu"
          aria-label={props.label}
          collisionPadding={8}
          loop
          // One level out: the menu alone.
          onEscapeKeyDown={(event) => event.stopPropagation()}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            props.onClosed()
          }}
        >
          {props.entries.map(({ label, icon, keys, onChoose }) => (
            <Part.Item key={label} className="menu-row" onSelect={onChoose}>
              <Icon of={icon} />
              <span className="grow">{label}</span>
              {keys !== undefined && <KeyHint keys={keys} />}
            </Part.Item>
          ))}
        </Part.Content>
      </Part.Portal>
    </Part.Root>
  )
}
