import { X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import type { ReactNode, RefObject } from 'react'
import { IconButton } from '../ui/Button'
import { focusOn } from '../ui/focus'

/** A dialog about a context: its head, what it asks, and what can be answered. */
export function Sheet(props: {
  readonly title: string
  /** The context that it is about. */
  readonly about: string
  /** Had the focus before, and gets it back. */
  readonly before: RefObject<Element | null>
  readonly onClose: () => void
  /** Esc and a press beside it do not close it: words in it would be lost. */
  readonly holdsWords?: boolean
  readonly children: ReactNode
}) {
  const { title, about, before, onClose, holdsWords = false } = props
  const keep = (event: Event) => {
    if (holdsWords) event.preventDefault()
  }
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="scrim" />
        <Dialog.Content
          className="dialog"
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            event.preventDefault()
            const { currentTarget: dialog } = event
            if (dialog instanceof HTMLElement)
              dialog.querySelector<HTMLElement>('[data-first]')?.focus()
          }}
          // One level out: the dialog alone.
          onEscapeKeyDown={(event) => {
            event.stopPropagation()
            keep(event)
          }}
          onPointerDownOutside={keep}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            const element = before.current
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
