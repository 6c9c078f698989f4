import type { LibraryKey } from '../../shared/model/conversation'
import { useStores, useWindowSize } from '../state/context'
import { Button } from '../ui/Button'
import { Note } from '../ui/Note'
import { fullnessOf } from './fullness'

/** What can be done where the next request is more than the model takes, and nothing is done by itself. */
export function FullNote(props: { readonly contextKey: LibraryKey | undefined }) {
  const { contextKey } = props
  const { contexts } = useStores()
  const key = useWindowSize((state) => state.key)
  const isFull = useWindowSize(
    ({ size, draft }) => size !== undefined && fullnessOf(size, draft) === 'full',
  )
  const isAutomatic = useWindowSize(({ size }) => size != null && size.compactPercent !== null)
  if (!isFull || contextKey === undefined || key !== contextKey) return null
  return (
    <div className="composer-note">
      <Note
        tone="warn"
        title="The model’s window is full."
        actions={
          <Button isSmall onClick={() => contexts.getState().ask('compact', contextKey)}>
            Compact window…
          </Button>
        }
      >
        {isAutomatic
          ? 'Older messages are summarized before the next request, so far as that makes room.'
          : 'The next request is more than the model takes, and may be refused. Compacting makes room; the transcript stays.'}
      </Note>
    </div>
  )
}
