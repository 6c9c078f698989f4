import { DropdownMenu } from 'radix-ui'
import type { MenuEntry } from './ContextMenu'
import { Icon } from './Icon'

/** Entry of a menu that opens at a place. */
export interface PlacedMenuEntry extends Omit<MenuEntry, 'keys'> {
  readonly isDisabled?: boolean
}

/** Menu that is open from the beginning, at a place of the window. */
export function PlacedMenu(props: {
  readonly label: string
  /** In pixels of the window. */
  readonly x: number
  readonly y: number
  readonly entries: readonly PlacedMenuEntry[]
  readonly onClose: () => void
  /** Called when it is gone; sends the focus back. */
  readonly onClosed: () => void
}) {
  const { label, x, y, entries, onClose, onClosed } = props
  return (
    <DropdownMenu.Root defaultOpen modal={false} onOpenChange={(isOpen) => !isOpen && onClose()}>
      {/* The menu opens at this point; no pointer or key reaches the button itself. */}
      <DropdownMenu.Trigger asChild>
        <button
          type="button"
          className="menu-place"
          style={{ left: x, top: y }}
          tabIndex={-1}
          aria-hidden="true"
        />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          className="menu"
          aria-label={label}
          aria-labelledby={undefined}
          align="start"
          collisionPadding={8}
          loop
          // One level out: the menu alone.
          onEscapeKeyDown={(event) => event.stopPropagation()}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            onClosed()
          }}
        >
          {entries.map(({ label, icon, isDisabled = false, onChoose }) => (
            <DropdownMenu.Item
              key={label}
              className="menu-row"
              disabled={isDisabled}
              onSelect={onChoose}
            >
              <Icon of={icon} />
              <span className="grow">{label}</span>
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}
