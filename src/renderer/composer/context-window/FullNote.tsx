import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import { useContextWindowSize, useStores } from '../../state/context'
import { Button } from '../../ui/controls/Button'
import { Note } from '../../ui/notes/Note'
import { fullnessOf } from './fullness'

/** Note that the next request exceeds the model's context length, with a way to summarize; nothing while it fits. */
export function FullNote(props: { readonly contextKey: LibraryKey | undefined }) {
  const { contextKey } = props
  const { contexts } = useStores()
  const key = useContextWindowSize((state) => state.key)
  const isFull = useContextWindowSize(
    ({ size, draft }) => size !== undefined && fullnessOf(size, draft) === 'full',
  )
  const isAutomatic = useContextWindowSize(
    ({ size }) => size != null && size.compactPercent !== null,
  )
  if (!isFull || contextKey === undefined || key !== contextKey) return null
  return (
    <div className="composer-note">
      <Note
        tone="warn"
        title="The context window is full."
        actions={
          <Button isSmall onClick={() => contexts.getState().ask('compact', contextKey)}>
            Summarize earlier messages…
          </Button>
        }
      >
        {isAutomatic
          ? 'Earlier messages are summarized before the next request.'
          : 'The next request is longer than the model accepts and may be refused. A summary of earlier messages makes room; the transcript stays.'}
      </Note>
    </div>
  )
}
