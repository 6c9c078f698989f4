import { useContexts } from '../state/context'
import { RefusalNote } from '../ui/notes/RefusalNote'

/** Note in an open question that its action failed; nothing without a failure. */
export function RefusedAction() {
  const failure = useContexts((state) => state.failure)
  if (failure === undefined) return null
  return <RefusalNote title="Not done." refusal={failure} />
}
