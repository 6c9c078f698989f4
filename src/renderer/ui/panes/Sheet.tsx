import { X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { type ReactNode, type RefObject, useRef } from 'react'
import { focusOn } from '../behaviour/focus'
import { useKeptFocus } from '../behaviour/use-kept-focus'
import { IconButton } from '../controls/Button'

/** Dialog with a head and its content. */
export function Sheet(props: {
  readonly title: string
  /** Subject of the dialog, such as a conversation's title. */
  readonly about?: string | undefined
  readonly className?: string
  readonly isOpen?: boolean
  /** Selector of the element that gets the focus. */
  readonly first?: string
  /** Element that gets the focus back; without it, the one that had it when the dialog opened. */
  readonly before?: RefObject<Element | null>
  /** Called before the focus goes into it. */
  readonly onOpen?: () => void
  readonly onClose: () => void
  /** Called when it has closed; returns true where it moved the focus itself. */
  readonly onClosed?: () => boolean
  /** True where text in it would be lost: Esc and a press outside do not close it. */
  readonly holdsWords?: boolean
  /** True where it begins with its content: the title is read aloud alone, and Esc or a press outside closes it. */
  readonly isBare?: boolean
  readonly children: ReactNode
}) {
  const { title, about, className = '', isOpen = true, first = '[data-first]' } = props
  const { before, onOpen, onClose, onClosed, holdsWords = false, isBare = false } = props
  const atOpening = useRef<Element>(null)
  const content = useRef<HTMLDivElement>(null)
  const keep = (event: Event) => {
    if (holdsWords) event.preventDefault()
  }
  return (
    <Dialog.Root open={isOpen} onOpenChange={(wanted) => !wanted && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="scrim" />
        <Dialog.Content
          ref={content}
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
          {isBare ? (
            <Dialog.Title className="unseen">{title}</Dialog.Title>
          ) : (
            <header className="dialog-head">
              <Dialog.Title>{title}</Dialog.Title>
              <span className="t2 cut grow">{about}</span>
              <IconButton label="Close" icon={X} onClick={onClose} />
            </header>
          )}
          {props.children}
          <KeptFocus of={content} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/** Keeps the focus in a dialog whose field or button is disabled; inside of it, since it is drawn later than its sheet. */
function KeptFocus(props: { readonly of: RefObject<HTMLDivElement | null> }) {
  useKeptFocus(props.of, () => props.of.current?.focus())
  return null
}
