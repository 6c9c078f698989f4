import { RotateCcw } from 'lucide-react'
import { useMemo } from 'react'
import type { ErrorReport } from '../../shared/model/basics/errors'
import { visibleText } from '../../shared/model/basics/visible'
import { useLost, useStores } from '../state/context'
import { useDelayedFlag } from '../ui/behaviour/hooks'
import { Button } from '../ui/controls/Button'
import { Note } from '../ui/notes/Note'
import { LostSection } from './LostSection'
import { emptyListText, groupByKind } from './lost-labels'

/** Sections of the lost items, or what stands in their place: loading, failure, no problems. */
export function LostResults() {
  const found = useLost((state) => state.found)
  const failure = useLost((state) => state.failure)
  const isSlow = useDelayedFlag(found === undefined && failure === undefined, 120)
  const groups = useMemo(() => groupByKind(found?.items ?? []), [found])

  if (found === undefined)
    return failure === undefined ? isSlow && <GhostItems /> : <Failed failure={failure} />
  return (
    <>
      {failure !== undefined && (
        <div className="lost-note">
          <Note
            tone="error"
            title="The check failed."
            detail={failure.detail}
            actions={<TryAgain isSmall />}
          >
            {visibleText(failure.message)} Earlier results are shown.
          </Note>
        </div>
      )}
      {groups.length === 0 ? (
        <div className="words">
          <h2>No problems</h2>
          <p>{emptyListText(found)}</p>
          <p>Damaged lines, unreadable conversations and missing files appear here.</p>
        </div>
      ) : (
        groups.map((group) => <LostSection key={group.kind} group={group} />)
      )}
    </>
  )
}

function Failed(props: { readonly failure: ErrorReport }) {
  const { message, detail } = props.failure
  return (
    <div className="words" role="alert">
      <h2>Conversations could not be checked</h2>
      <p>{visibleText(message)}</p>
      <p>Nothing on disk has changed.</p>
      <div className="words-actions">
        <TryAgain />
      </div>
      {detail !== undefined && (
        <div className="words-detail">
          <Note tone="plain" title="Details" detail={detail} />
        </div>
      )}
    </div>
  )
}

function TryAgain(props: { readonly isSmall?: boolean }) {
  const { lost } = useStores()
  const isLooking = useLost((state) => state.isLooking)
  return (
    <Button
      icon={RotateCcw}
      isBusy={isLooking}
      onClick={() => void lost.getState().look()}
      {...props}
    >
      Try again
    </Button>
  )
}

function GhostItems() {
  return (
    <div className="ghost-lost" role="status" aria-label="Checking conversations">
      {['34%', '52%', '41%', '47%'].map((width) => (
        <div key={width} className="ghost-lost-item">
          <span className="ghost-line" style={{ width }} />
          <span className="ghost-line" style={{ width: '68%' }} />
        </div>
      ))}
    </div>
  )
}
