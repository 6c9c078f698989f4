import { FolderOpen, RotateCcw } from 'lucide-react'
import type { ErrorReport } from '../../../shared/model/basics/errors'
import { parseLibraryKey } from '../../../shared/model/conversation/conversation'
import { useActions, useApp, useStores, useTranscript } from '../../state/context'
import { useDelayedFlag } from '../../ui/behaviour/hooks'
import { Button } from '../../ui/controls/Button'
import { formatByteSize } from '../../ui/format/format'
import { Note } from '../../ui/notes/Note'

/** Layout of a transcript without text while it loads; after a second it says how much is being read. */
export function LoadingTranscript(props: { readonly sizeBytes: number | undefined }) {
  const { app, transcript } = useStores()
  const isLong = useDelayedFlag(true, 1000)

  function cancel(): void {
    transcript.getState().close()
    app.getState().show({ type: 'none' })
  }
  return (
    <div className="transcript-frame" data-pane="transcript">
      <div className="transcript-loading" role="status" aria-label="Reading the conversation">
        <div className="turn first">
          <span className="knot user" />
          <div className="turn-head">
            <span className="ghost-line" style={{ width: '6rem' }} />
          </div>
          <div className="bubble ghost-bubble">
            <span className="ghost-line" style={{ width: '88%' }} />
            <span className="ghost-line" style={{ width: '52%' }} />
          </div>
        </div>
        <div className="turn">
          <span className="knot model" />
          <div className="turn-head">
            <span className="ghost-line" style={{ width: '22%' }} />
          </div>
          <div className="ghost-lines">
            {['96%', '91%', '94%', '38%'].map((width) => (
              <span key={width} className="ghost-line" style={{ width }} />
            ))}
          </div>
        </div>
      </div>
      {isLong && (
        <div className="loading-foot">
          <span className="number">
            {props.sizeBytes === undefined ? 'Read' : `${formatByteSize(props.sizeBytes)}, read`}{' '}
            from its end
          </span>
          <span className="grow" />
          <Button kind="ghost" isSmall onClick={cancel}>
            Cancel
          </Button>
        </div>
      )}
    </div>
  )
}

/** Page for a conversation that cannot be shown: the reason, and what can be done. */
export function FailedTranscript(props: { readonly failure: ErrorReport }) {
  const { failure } = props
  const { app } = useStores()
  const { openConversation } = useActions()
  const key = useTranscript((state) => state.key)
  const home = useApp(({ status }) => status?.home.shown ?? '')
  const isGone = failure.code === 'not-found'
  const isOurs = key === undefined || parseLibraryKey(key).source === 'chibi'
  return (
    <div className="transcript-frame" data-pane="transcript">
      <div className="words">
        <h2>
          {isGone ? 'This conversation is missing from disk' : 'This conversation cannot be read'}
        </h2>
        <p>{failure.message}</p>
        {isGone && !isOurs && (
          <p>
            Skein has no other copy. It stays in the list, and opens again if its files come back.
          </p>
        )}
        {isGone && isOurs && (
          <p>
            Skein has no other copy. If its folder comes back as{' '}
            <span className="mono small">{home}</span>, it opens again.
          </p>
        )}
        <div className="words-actions">
          {key !== undefined && (
            <Button icon={RotateCcw} onClick={() => openConversation(key)}>
              Try again
            </Button>
          )}
          {(isOurs || !isGone) && (
            <Button
              kind="ghost"
              icon={FolderOpen}
              onClick={() => void app.getState().reveal(isGone ? '' : (key ?? ''), '')}
            >
              Show the folder
            </Button>
          )}
        </div>
        {failure.detail !== undefined && (
          <div className="words-detail">
            <Note tone="plain" title="Details" detail={failure.detail} />
          </div>
        )}
      </div>
    </div>
  )
}
