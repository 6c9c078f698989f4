import type { ErrorReport } from '../../shared/model/basics/errors'
import { Note } from '../ui/notes/Note'

/** Note that a request cannot be shown, with the reason. */
export function SentFailureNote(props: { readonly failure: ErrorReport }) {
  const { message, detail } = props.failure
  return (
    <Note tone="error" title="The request cannot be shown." detail={detail}>
      {message}
    </Note>
  )
}
