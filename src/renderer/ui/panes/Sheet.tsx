import { X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { type ReactNode, type RefObject, useRef } from 'react'
import { focusOn } from '../behaviour/focus'
import { IconButton } from '../controls/Button'

/** A dialog: its head, what it asks or shows, and what can be answered. */
export function Sheet(props: {
  readonly title: string
  /** What it is about. */
  readonly about?: string | undefined
  readonly className?: string
  readonly isOpen?: boolean
  /** A selector of what gets the focus. */
  readonly first?: string
  /** Had the focus before, and gets it back; where it is absent, whatever has it when the dialog opens. */
  readonly before?: RefObject<Element | null>
  /** Before the focus goes into it. */
  readonly onOpen?: () => void
  readonly onClose: () => void
  /** When it is gone; true where the focus goes elsewhere than back. */
  readonly onClosed?: () => boolean
  /** Esc and a press beside it do not close it: words in it would be lost. */
  readonly holdsWords?: boolean
  readonly children: ReactNode
}) {
  const { title, about, className = '', isOpen = true, first = '[data-first]' } = props
  const { before, onOpen, onClose, onClosed, holdsWords = false } = props
  const atOpening = useRef<Element>(null)
  const keep = (event: Event) => {
    if (holdsWords) event.preventDefault()
  }
  return (
    <Dialog.Root open={isOpen} onOpenChange={(wanted) => !wanted && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="scrim" />
        <Dialog.Content
          className={`dialog ${className}`}
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            event.preventDefault()
            atOpening.current = document.activeElement
            onOpen?.()
            const { currentTarget: dialog } = event
            if (dialog instanceof HTMLElement) dialog.querySelector<HTMLElement>(first)?.focus()
          }}
          // One level out: the dialog alone.
          onEscapeKeyDown={(event) => {
            event.stopPropagation()
            keep(event)
          }}
          onPointerDownOutside={keep}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            if (onClosed?.()) return
            const element = (before ?? atOpening).current
            if (element instanceof HTMLElement && element.isConnected) element.focus()
            else focusOn('composer')
          }}
        >
          <header className="dialog-head">
            <Dialog.Title>{title}</Dialog.Title>
            <span className="t2 cut grow">{about}</span>
            <IconButton label="Close" icon={X} onClick={onClose} />
          </header>
          {props.children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
