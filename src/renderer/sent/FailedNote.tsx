import type { ErrorReport } from '../../shared/model/basics/errors'
import { Note } from '../ui/notes/Note'

/** Why what was sent cannot be shown. */
export function SentFailureNote(props: { readonly failure: ErrorReport }) {
  const { message, detail } = props.failure
  return (
    <Note tone="error" title="The request cannot be shown." detail={detail}>
      {message}
    </Note>
  )
}
