import { RotateCcw } from 'lucide-react'
import { useLost, useStores } from '../state/context'
import { useBarStart } from '../state/use-bar-start'
import { focusOn } from '../ui/behaviour/focus'
import { useFocusWhileOpen } from '../ui/behaviour/use-focus-while-open'
import { Button } from '../ui/controls/Button'
import { formatQuantity } from '../ui/format/format'
import { LiveRegion } from '../ui/notes/LiveRegion'
import { ProgressLine } from '../ui/notes/ProgressLine'
import { ScrolledPart } from '../ui/panes/ScrolledPart'
import { ViewFrame } from '../ui/panes/ViewFrame'
import { LostResults } from './LostResults'
import { unscannedText } from './lost-labels'

/**
 * View over the transcript of all that is lost: damaged lines, unreadable or gone conversations, lines of no
 * conversation.
 */
export function LostView() {
  const { lost } = useStores()
  const start = useBarStart()
  const number = useLost(({ found }) => found?.items.length)
  const isLooking = useLost((state) => state.isLooking)
  useFocusWhileOpen(
    () => focusOn('lost'),
    () => lost.getState().leavesFocus,
  )
  return (
    <ViewFrame
      pane="lost"
      label="Problems"
      title="Problems"
      start={start}
      closeLabel="Close problems"
      onClose={() => lost.getState().hide()}
      bar={
        <>
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
        </>
      }
    >
      <Waiting />
      <ScrolledPart label="Results" focus="lost" className="lost-scroll">
        <LostResults />
      </ScrolledPart>
    </ViewFrame>
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
        // Very large conversations are not part of the progress: they are not checked.
        <ProgressLine label="Checked" done={done} total={waiting === 0 ? 0 : done + waiting}>
          {words}
        </ProgressLine>
      )}
      {/* Read aloud at the beginning and the end only: each number in between would be noise. */}
      <LiveRegion>{waiting === 0 ? '' : 'Still checking conversations.'}</LiveRegion>
    </>
  )
}
