import {
  Archive,
  ArchiveRestore,
  Delete,
  Eraser,
  FileText,
  FolderPen,
  FoldVertical,
  GitCompareArrows,
  type LucideIcon,
  Pencil,
  Sparkles,
  SquareTerminal,
  Tags,
  Trash2,
} from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { type RefObject, useLayoutEffect, useRef } from 'react'
import { visibleText } from '../../shared/model/basics/visible'
import {
  type ConversationSummary,
  type LibraryKey,
  parseLibraryKey,
} from '../../shared/model/conversation/conversation'
import { ContinuableSource } from '../../shared/model/export'
import { useActions, useApp, useContexts, useLibraryState, useStores } from '../state/context'
import {
  type ContextQuestion,
  type ContextsStore,
  type TagsStore,
  type TitleQuestion,
  type TitlesStore,
  useFollowedRoute,
} from '../state/context-state'
import { Button } from '../ui/controls/Button'
import { Icon } from '../ui/controls/Icon'
import { Note } from '../ui/notes/Note'
import { RefusalNote } from '../ui/notes/RefusalNote'
import { BranchQuestion } from './BranchQuestion'
import { ContextQuestions } from './ContextQuestions'
import { TagQuestion } from './TagQuestion'
import { TitleQuestions } from './TitleQuestions'

/** Menu of actions on a context and on the title of any conversation, with the questions that they open. */
export function ContextActions() {
  const { contexts, app } = useStores()
  const menu = useContexts((state) => state.menu)
  const failure = useContexts((state) => (state.question === undefined ? state.failure : undefined))
  const copied = useContexts((state) => state.copied)
  /** The element that had the focus when the menu opened. */
  const before = useRef<Element>(null)
  useFollowedRoute()
  return (
    <>
      {menu !== undefined && (
        <Menu key={`${menu.key} ${menu.x} ${menu.y}`} x={menu.x} y={menu.y} before={before} />
      )}
      <ContextQuestions before={before} />
      <TitleQuestions before={before} />
      <TagQuestion before={before} />
      <BranchQuestion />
      {copied !== undefined && (
        <Note
          tone="info"
          title="Copied. Paste it into a terminal:"
          actions={
            <Button isSmall kind="ghost" onClick={() => contexts.getState().dismissCopied()}>
              Dismiss
            </Button>
          }
        >
          <code>{visibleText(copied)}</code>
        </Note>
      )}
      {failure !== undefined && (
        <RefusalNote
          title="Not done."
          refusal={failure}
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
  const { contexts, titles, tags } = useStores()
  const { compare, setArchived } = useActions()
  const openKey = useApp(({ place }) => (place.type === 'conversation' ? place.key : undefined))
  const contextKey = useContexts((state) => state.menu?.key)
  const row = useLibraryState(({ conversations }) =>
    conversations.find(({ key }) => key === contextKey),
  )
  const isArchived = useContexts(({ archived }) => archived.has(contextKey ?? ''))
  // Before the menu takes the focus, which it does a moment later.
  useLayoutEffect(() => {
    before.current = document.activeElement
  }, [before])
  if (contextKey === undefined) return null
  const ofAll = [
    ...givenEntriesOf(titles, tags, contextKey, row),
    compareEntryOf(contextKey, openKey, compare),
    ...continueEntryOf(contexts, contextKey),
  ]
  return (
    <DropdownMenu.Root
      defaultOpen
      modal={false}
      onOpenChange={(isOpen) => !isOpen && contexts.getState().closeMenu()}
    >
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
          aria-label={`Actions for ${row?.title ?? contextKey}`}
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
            if (titles.getState().question !== undefined) return
            if (tags.getState().key !== undefined) return
            if (before.current instanceof HTMLElement) before.current.focus()
          }}
        >
          {(isContext(contextKey)
            ? entriesOf(contexts, contextKey, isArchived, setArchived, ofAll)
            : ofAll
          ).map(({ label, icon, choose }) => (
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

function isContext(key: LibraryKey): boolean {
  return parseLibraryKey(key).source === 'chibi'
}

/** Entries for conversations of every source: titles and tags are labels, kept apart from the files. */
function givenEntriesOf(
  titles: TitlesStore,
  tags: TagsStore,
  key: LibraryKey,
  row: ConversationSummary | undefined,
): readonly Act[] {
  const open = (type: TitleQuestion) => titles.getState().open(type, key)
  const isOwn = row?.titled?.by === 'person'
  return [
    { label: 'Rename…', icon: Pencil, choose: () => open('write') },
    ...(isOwn ? [] : [{ label: 'Generate title…', icon: Sparkles, choose: () => open('ask') }]),
    ...(row?.titled === undefined
      ? []
      : [
          { label: 'Remove title', icon: Delete, choose: () => void titles.getState().remove(key) },
        ]),
    { label: 'Tags…', icon: Tags, choose: () => tags.getState().open(key, 'menu') },
  ]
}

/** Compares with the open conversation; of that one, asks with what. */
function compareEntryOf(
  key: LibraryKey,
  openKey: LibraryKey | undefined,
  compare: ReturnType<typeof useActions>['compare'],
): Act {
  return openKey === undefined || openKey === key
    ? { label: 'Compare with…', icon: GitCompareArrows, choose: () => compare({ key }) }
    : {
        label: 'Compare with open conversation',
        icon: GitCompareArrows,
        choose: () => compare({ key: openKey }, { key }),
      }
}

/** Copies the command by which the conversation's own program goes on with it, where there is one. */
function continueEntryOf(contexts: ContextsStore, key: LibraryKey): readonly Act[] {
  if (!ContinuableSource.safeParse(parseLibraryKey(key).source).success) return []
  const write = (text: string) => navigator.clipboard.writeText(text)
  return [
    {
      label: 'Copy command to continue',
      icon: SquareTerminal,
      choose: () => void contexts.getState().copyCommand(key, write),
    },
  ]
}

function entriesOf(
  contexts: ContextsStore,
  key: LibraryKey,
  isArchived: boolean,
  setArchived: ReturnType<typeof useActions>['setArchived'],
  ofTitle: readonly Act[],
): readonly Act[] {
  const ask = (type: ContextQuestion) => contexts.getState().ask(type, key)
  return [
    ...ofTitle,
    { label: 'Rename folder…', icon: FolderPen, choose: () => ask('rename') },
    { label: 'System prompt…', icon: FileText, choose: () => ask('prompt') },
    { label: 'Summarize earlier messages…', icon: FoldVertical, choose: () => ask('compact') },
    { label: 'Start fresh for the model…', icon: Eraser, choose: () => ask('clear') },
    {
      label: isArchived ? 'Unarchive' : 'Archive',
      icon: isArchived ? ArchiveRestore : Archive,
      choose: () => void setArchived(key, !isArchived),
    },
    { label: 'Move to trash…', icon: Trash2, choose: () => ask('destroy') },
  ]
}
