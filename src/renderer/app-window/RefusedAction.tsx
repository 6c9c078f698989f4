import { useContexts } from '../state/context'
import { Note } from '../ui/notes/Note'

/** Why the last answer was not carried out; the question stays. */
export function RefusedAction() {
  const failure = useContexts((state) => state.failure)
  if (failure === undefined) return null
  return (
    <Note tone="error" title="Not done." detail={failure.detail}>
      {failure.message}
    </Note>
  )
}
