import { useContexts } from '../state/context'
import { Note } from '../ui/notes/Note'

/** Note in an open question that its action failed; nothing without a failure. */
export function RefusedAction() {
  const failure = useContexts((state) => state.failure)
  if (failure === undefined) return null
  return (
    <Note tone="error" title="Not done." detail={failure.detail}>
      {failure.message}
    </Note>
  )
}
