import { Toast } from 'radix-ui'
import { useEffect, useRef } from 'react'
import { visibleText } from '../../../shared/model/basics/visible'
import { parseLibraryKey } from '../../../shared/model/conversation/conversation'
import { useActions, useLibraryState, useStores, useUndo } from '../../state/context'
import type { ReversibleChange, UndoableAct } from '../../state/context-state'
import { focusSoon } from '../../ui/behaviour/focus'
import { isKeyAlone } from '../../ui/behaviour/keys'
import { Button } from '../../ui/controls/Button'
import { formatQuantity } from '../../ui/format/format'
import { LiveRegion } from '../../ui/notes/LiveRegion'

/** How long an undo is offered, in ms. The time stands still under the pointer, with the focus, and in a window behind. */
const offeredMs = 6000

/** Offer to undo what was done at once to a whole conversation. F8 goes to it. */
export function UndoToast() {
  const { undo: store } = useStores()
  const { undo } = useActions()
  const act = useUndo((state) => state.act)
  const id = useUndo((state) => state.id)
  const told = useUndo((state) => state.told)
  const title = useLibraryState(
    ({ conversations }) => conversations.find(({ key }) => key === act?.key)?.title,
  )

  const viewport = useRef<HTMLOListElement>(null)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (isKeyAlone(event, 'F8')) viewport.current?.focus()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])

  async function takeBack(): Promise<void> {
    const undone = await undo()
    focusSoon(undone?.type === 'branched' ? 'composer' : 'library')
  }

  return (
    <Toast.Provider label="Undo" duration={offeredMs} swipeDirection="left">
      <LiveRegion label="Undo">{told}</LiveRegion>
      {act !== undefined && (
        <Toast.Root
          key={id}
          className="toast"
          open
          onOpenChange={(isOpen) => !isOpen && store.getState().dismiss()}
          onEscapeKeyDown={() => focusSoon('composer')}
        >
          <Toast.Title className="toast-words">
            {wordsOf(act)}
            {(act.type !== 'several' || act.keys.length === 1) &&
              `: ${visibleText(title ?? parseLibraryKey(act.key).key)}`}
          </Toast.Title>
          <Toast.Action asChild altText="Press F8, then Enter, to undo">
            <Button isSmall onClick={() => void takeBack()}>
              Undo
            </Button>
          </Toast.Action>
        </Toast.Root>
      )}
      <Toast.Viewport
        ref={viewport}
        className="toasts"
        label="Undo (F8)"
        // Its own hotkey holds with every modifier, and a command may have Ctrl+F8.
        hotkey={[]}
        // F8 goes to the button at once.
        onFocus={({ target, currentTarget }) => {
          if (target === currentTarget) currentTarget.querySelector('button')?.focus()
        }}
      />
    </Toast.Provider>
  )
}

const doneWords = {
  archived: 'Archived',
  unarchived: 'Listed again',
  pinned: 'Pinned',
  unpinned: 'Not pinned any more',
} as const

const severalWords = {
  ...doneWords,
  tagged: 'Tagged',
  untagged: 'Removed the tag',
  hidden: 'Hidden',
  unhidden: 'Shown again',
} as const

function wordsOf(act: UndoableAct): string {
  if (act.type === 'branched')
    return parseLibraryKey(act.from).source === 'chibi' ? 'Branch created' : 'Copy created'
  if (act.type !== 'several') return doneWords[act.type]
  // One alone is named behind these words.
  const several =
    act.keys.length === 1 ? undefined : formatQuantity(act.keys.length, 'conversation')
  const { change } = act
  return [changeWords(change), ...(several === undefined ? [] : [several])].join(': ')
}

function changeWords(change: ReversibleChange): string {
  if (change.type === 'colored')
    return change.color === null ? 'Color removed' : `Color: ${change.color}`
  return 'tag' in change
    ? `${severalWords[change.type]} “${visibleText(change.tag)}”`
    : severalWords[change.type]
}
