import { Button } from '../controls/Button'
import { Note } from './Note'

/** Note that loading failed, with the reason and a button to try again. */
export function FailureNote(props: {
  readonly title: string
  readonly failure: { readonly message: string; readonly detail?: string | undefined }
  readonly onAgain: () => void
}) {
  const { title, failure, onAgain } = props
  return (
    <Note
      tone="error"
      title={title}
      detail={failure.detail}
      actions={
        <Button isSmall onClick={onAgain}>
          Try again
        </Button>
      }
    >
      {failure.message}
    </Note>
  )
}
