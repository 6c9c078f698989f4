import { type RefObject, useLayoutEffect, useRef } from 'react'
import { visibleText } from '../../shared/model/basics/visible'
import {
  useActions,
  useApp,
  useContexts,
  useLibraryState,
  useStores,
  useTags,
  useTitles,
} from '../state/context'
import { useFollowedRoute } from '../state/context-state'
import { focusLibrarySoon } from '../ui/behaviour/focus'
import { Button } from '../ui/controls/Button'
import { PlacedMenu } from '../ui/controls/PlacedMenu'
import { Note } from '../ui/notes/Note'
import { RefusalNote } from '../ui/notes/RefusalNote'
import { conversationActs } from './acts/conversation-acts'
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
  /** The element that had the focus before the menu, or before a question that no menu opened. */
  const before = useRef<Element>(null)
  const isTitling = useTitles(({ question }) => question !== undefined)
  const isTagging = useTags(({ key }) => key !== undefined)
  const isAsking = useContexts(({ question }) => question !== undefined) || isTitling || isTagging
  // Before the question takes the focus, which it does a moment later.
  useLayoutEffect(() => {
    const here = document.activeElement
    const isOfMenu =
      here === null || here === document.body || here.closest('[role="menu"]') !== null
    if (isAsking && !isOfMenu) before.current = here
  }, [isAsking])
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
  const stores = useStores()
  const { contexts, titles, tags } = stores
  const actions = useActions()
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
  const acts = conversationActs(stores, actions, { key: contextKey, openKey, row, isArchived })
  return (
    <PlacedMenu
      label={`Actions for ${row?.title ?? contextKey}`}
      x={x}
      y={y}
      entries={acts.map(({ label, icon, choose }) => ({ label, icon, onChoose: choose }))}
      onClose={() => contexts.getState().closeMenu()}
      onClosed={() => {
        // A question has the focus already, and gives it back later.
        if (contexts.getState().question !== undefined) return
        if (titles.getState().question !== undefined) return
        if (tags.getState().key !== undefined) return
        // Its act may have emptied the list meanwhile.
        if (before.current instanceof HTMLElement && before.current.isConnected)
          before.current.focus()
        else focusLibrarySoon()
      }}
    />
  )
}
