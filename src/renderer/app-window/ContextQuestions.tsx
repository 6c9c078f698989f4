import { type ReactNode, type RefObject, useId, useState } from 'react'
import type { LibraryKey } from '../../shared/model/conversation/conversation'
import { useContexts, useDetails, useLibraryState, useSettings, useStores } from '../state/context'
import { useShownTitle } from '../state/use-shown-title'
import { Button } from '../ui/controls/Button'
import { formatQuantity } from '../ui/format/format'
import { Sheet } from '../ui/panes/Sheet'
import { ColorQuestion } from './ColorQuestion'
import { CompactQuestion } from './CompactQuestion'
import { PromptQuestion } from './PromptQuestion'
import { RefusedAction } from './RefusedAction'
import { RenameQuestion } from './RenameQuestion'

/**
 * Dialog that asks before an action on a context: rename, prompt, color, clear, compact or move to trash; nothing while
 * none is open.
 */
export function ContextQuestions(props: { readonly before: RefObject<Element | null> }) {
  const question = useContexts((state) => state.question)
  if (question === undefined) return null
  const { key, type } = question
  const given = { contextKey: key, before: props.before }
  switch (type) {
    case 'rename':
      return <RenameQuestion key={key} {...given} />
    case 'prompt':
      return <PromptQuestion key={key} {...given} />
    case 'color':
      return <ColorQuestion key={key} {...given} />
    case 'clear':
      return <ClearQuestion key={key} {...given} />
    case 'compact':
      return <CompactQuestion key={key} {...given} />
    case 'destroy':
      return <DestroyQuestion key={key} {...given} />
  }
}

interface QuestionProps {
  readonly contextKey: LibraryKey
  readonly before: RefObject<Element | null>
}

function ClearQuestion({ contextKey, before }: QuestionProps) {
  const { contexts } = useStores()
  const isKept = useSettings(({ view }) => view?.preferences.keepPage ?? false)
  const [withPage, setPage] = useState(isKept)
  const id = useId()
  return (
    <Confirm
      title="Start fresh for the model"
      act="Start fresh"
      contextKey={contextKey}
      before={before}
      onAct={() => void contexts.getState().clear(withPage)}
    >
      <p>The model starts fresh here: earlier messages and their summary are no longer sent.</p>
      <p className="t2">Nothing is deleted: every entry stays in the conversation and in search.</p>
      <label className="check-line" htmlFor={id}>
        <input
          id={id}
          type="checkbox"
          checked={withPage}
          onChange={(event) => setPage(event.target.checked)}
        />
        <span>
          Also save earlier messages to transcript.md
          <span className="t3 small check-words">
            Plain text. If the file exists, this is always done.
          </span>
        </span>
      </label>
    </Confirm>
  )
}

function DestroyQuestion({ contextKey, before }: QuestionProps) {
  const { contexts } = useStores()
  const listed = useLibraryState(
    ({ conversations }) => conversations.find(({ key }) => key === contextKey)?.entries,
  )
  // The library does not count very large conversations; the details pane counts the open one.
  const counts = useDetails((state) =>
    state.key === contextKey ? state.details?.summary.entries : undefined,
  )
  const entries = listed ?? counts
  const held =
    entries === undefined ? 'all of its entries' : formatQuantity(entries, 'entry', 'entries')
  return (
    <Confirm
      title="Move to trash"
      act="Move to trash"
      isDanger
      contextKey={contextKey}
      before={before}
      onAct={() => void contexts.getState().destroy()}
    >
      <p>
        Its folder goes to the system’s trash, with {held}, its notes and its settings. You can
        restore it from there.
      </p>
      <p className="t2">Its branches stay: they have their own copies.</p>
    </Confirm>
  )
}

/** A question with one action. The focus begins on Cancel, so that Enter alone does nothing. */
function Confirm(props: {
  readonly title: string
  readonly act: string
  readonly isDanger?: boolean
  readonly contextKey: LibraryKey
  readonly before: RefObject<Element | null>
  readonly onAct: () => void
  readonly children: ReactNode
}) {
  const { title, act, isDanger, contextKey, before, onAct } = props
  const isBusy = useContexts((state) => state.isBusy)
  const leave = useContexts((state) => state.leave)
  return (
    <Sheet title={title} about={useShownTitle(contextKey)} before={before} onClose={leave}>
      <div className="dialog-body question">
        {props.children}
        <RefusedAction />
      </div>
      <footer className="dialog-foot">
        <span className="grow" />
        <button type="button" className="button plain" data-first onClick={leave}>
          Cancel
        </button>
        <Button kind={isDanger ? 'danger' : 'primary'} isBusy={isBusy} onClick={onAct}>
          {act}
        </Button>
      </footer>
    </Sheet>
  )
}
