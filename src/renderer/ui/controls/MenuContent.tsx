import { DropdownMenu } from 'radix-ui'
import type { ReactNode } from 'react'

/** Properties of `MenuContent`. */
interface MenuContentProps {
  /** The edge of its button that the menu is in line with. */
  readonly align: 'start' | 'end'
  /** Name for screen readers; the name of its button without it. */
  readonly label?: string
  readonly className?: string
  readonly children: ReactNode
}

/** List of the menu of a button, below it. Escape closes the menu alone. */
export function MenuContent({ align, label, className, children }: MenuContentProps) {
  return (
    <DropdownMenu.Portal>
      <DropdownMenu.Content
        className={`menu ${className ?? ''}`}
        {...(label === undefined ? {} : { 'aria-label': label })}
        align={align}
        sideOffset={4}
        collisionPadding={8}
        loop
        // One level out: the menu alone.
        onEscapeKeyDown={(event) => event.stopPropagation()}
      >
        {children}
      </DropdownMenu.Content>
    </DropdownMenu.Portal>
  )
}
