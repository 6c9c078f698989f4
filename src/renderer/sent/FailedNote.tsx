import type { ErrorReport } from '../../shared/model/errors'
import { Note } from '../ui/Note'

/** Why what was sent cannot be shown. */
export function SentFailureNote(props: { readonly failure: ErrorReport }) {
  const { message, detail } = props.failure
  return (
    <Note tone="error" title="The request cannot be shown." detail={detail}>
      {message}
    </Note>
  )
}
