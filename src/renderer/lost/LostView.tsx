import { RotateCcw, X } from 'lucide-react'
import { isPaneOpen } from '../state/app/layout'
import { useLayout, useLost, useStores } from '../state/context'
import { focusOn, focusTarget } from '../ui/behaviour/focus'
import { useFocusWhileOpen } from '../ui/behaviour/use-focus-while-open'
import { Button, IconButton } from '../ui/controls/Button'
import { formatQuantity } from '../ui/format/format'
import { LiveRegion } from '../ui/notes/LiveRegion'
import { ShowLibraryButton } from '../ui/panes/ShowLibraryButton'
import { LostResults } from './LostResults'
import { unscannedText } from './lost-labels'

/**
 * View over the transcript of all that is lost: damaged lines, unreadable or gone conversations, lines of no
 * conversation.
 */
export function LostView() {
  const { layout, lost } = useStores()
  const isLibraryOpen = useLayout((state) => isPaneOpen(state, 'library'))
  const number = useLost(({ found }) => found?.items.length)
  const isLooking = useLost((state) => state.isLooking)
  useFocusWhileOpen(
    () => focusOn('lost'),
    () => lost.getState().leavesFocus,
  )
  return (
    <main className="page lost" aria-label="Problems" data-pane="lost">
      <div className="bar lost-bar">
        <ShowLibraryButton
          isHidden={!isLibraryOpen}
          onShow={() => layout.getState().toggle('library')}
        />
        <h1 className="lost-title">Problems</h1>
        <span className="t3 small cut grow number">
          {number === undefined || number === 0 ? '' : formatQuantity(number, 'item')}
        </span>
        <Button
          kind="ghost"
          isSmall
          icon={RotateCcw}
          isBusy={isLooking}
          onClick={() => void lost.getState().look()}
        >
          Check again
        </Button>
        <IconButton
          label="Close problems"
          keys={['Esc']}
          icon={X}
          onClick={() => lost.getState().hide()}
        />
      </div>
      <Waiting />
      <div className="lost-frame">
        {/* The scrolled part takes the focus: keys scroll it, and Tab continues from its start. */}
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset groups controls */}
        <div
          className="scroll lost-scroll"
          role="group"
          aria-label="Results"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
          tabIndex={0}
          {...focusTarget('lost')}
        >
          <LostResults />
        </div>
      </div>
    </main>
  )
}

/** Progress of the check; nothing when it is complete. */
function Waiting() {
  const words = useLost(({ found }) => (found === undefined ? undefined : unscannedText(found)))
  const failure = useLost((state) => state.failure)
  const done = useLost(({ found }) => found?.counted ?? 0)
  const waiting = useLost(({ found }) => found?.waiting ?? 0)
  return (
    <>
      {words !== undefined && failure === undefined && (
        <div className="lost-waiting">
          {/* Very large conversations are not part of the progress: they are not checked. */}
          {waiting > 0 && (
            <progress
              className="lost-progress"
              aria-label="Checked"
              max={done + waiting}
              value={done}
            />
          )}
          <span className="number">{words}</span>
        </div>
      )}
      {/* Read aloud at the beginning and the end only: each number in between would be noise. */}
      <LiveRegion>{waiting === 0 ? '' : 'Still checking conversations.'}</LiveRegion>
    </>
  )
}
