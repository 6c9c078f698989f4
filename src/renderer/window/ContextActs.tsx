import {
  Archive,
  ArchiveRestore,
  Eraser,
  FileText,
  FoldVertical,
  type LucideIcon,
  Pencil,
  Trash2,
} from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { type RefObject, useLayoutEffect, useRef } from 'react'
import type { LibraryKey } from '../../shared/model/conversation'
import { useStores } from '../state/context'
import type { ContextsStore } from '../state/contexts'
import { useContexts, useFollowedPlace } from '../state/use-contexts'
import { Icon } from '../ui/Icon'
import { RefusalNote } from '../ui/RefusalNote'
import { ContextQuestions } from './ContextQuestions'

/** What can be done to a context as a whole: the menu, wherever it was asked for, and the questions that it leads to. */
export function ContextActs() {
  const { contexts, app } = useStores()
  const menu = useContexts((state) => state.menu)
  const failure = useContexts((state) => (state.question === undefined ? state.failure : undefined))
  /** Had the focus when the menu was asked for. */
  const before = useRef<Element>(null)
  useFollowedPlace()
  return (
    <>
      {menu !== undefined && (
        <Menu key={`${menu.key} ${menu.x} ${menu.y}`} x={menu.x} y={menu.y} before={before} />
      )}
      <ContextQuestions before={before} />
      {failure !== undefined && (
        <RefusalNote
          title="Not done."
          refusal={failure}
          isTextKept={false}
          onSettings={() => app.getState().openSettings('model')}
          onDismiss={() => contexts.getState().dismissFailure()}
        />
      )}
    </>
  )
}

function Menu(props: {
  readonly x: number
  readonly y: number
  readonly before: RefObject<Element | null>
}) {
  const { x, y, before } = props
  const { contexts } = useStores()
  const contextKey = useContexts((state) => state.menu?.key)
  const isArchived = useContexts(({ archived }) => archived.has(contextKey ?? ''))
  // Before the menu takes the focus, which it does a moment later.
  useLayoutEffect(() => {
    before.current = document.activeElement
  }, [before])
  if (contextKey === undefined) return null
  return (
    <DropdownMenu.Root
      defaultOpen
      modal={false}
      onOpenChange={(isOpen) => !isOpen && contexts.getState().closeMenu()}
    >
      {/* The place that the menu opens at; nobody can reach it. */}
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
          aria-label={`What can be done with ${contextKey}`}
          aria-labelledby={undefined}
          align="start"
          collisionPadding={8}
          loop
          // One level out: the menu alone.
          onEscapeKeyDown={(event) => event.stopPropagation()}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            // A question has the focus already, and gives it back later.
            if (contexts.getState().question !== undefined) return
            if (before.current instanceof HTMLElement) before.current.focus()
          }}
        >
          {entriesOf(contexts, contextKey, isArchived).map(({ label, icon, choose }) => (
            <DropdownMenu.Item key={label} className="menu-row" onSelect={choose}>
              <Icon of={icon} />
              <span className="grow">{label}</span>
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

interface Act {
  readonly label: string
  readonly icon: LucideIcon
  readonly choose: () => void
}

function entriesOf(contexts: ContextsStore, key: LibraryKey, isArchived: boolean): readonly Act[] {
  const { ask, setArchived } = contexts.getState()
  return [
    { label: 'Rename…', icon: Pencil, choose: () => ask('rename', key) },
    { label: 'System prompt…', icon: FileText, choose: () => ask('prompt', key) },
    { label: 'Compact window…', icon: FoldVertical, choose: () => ask('compact', key) },
    { label: 'Clear window…', icon: Eraser, choose: () => ask('clear', key) },
    {
      label: isArchived ? 'Unarchive' : 'Archive',
      icon: isArchived ? ArchiveRestore : Archive,
      choose: () => void setArchived(key, !isArchived),
    },
    { label: 'Move to trash…', icon: Trash2, choose: () => ask('destroy', key) },
  ]
}
