import { Button } from '../controls/Button'
import { RefusalNote } from './RefusalNote'

/** Note that loading failed, with the reason and a button to try again. */
export function FailureNote(props: {
  readonly title: string
  readonly failure: { readonly message: string; readonly detail?: string | undefined }
  readonly onAgain: () => void
}) {
  const { title, failure, onAgain } = props
  return (
    <RefusalNote
      title={title}
      refusal={failure}
      actions={
        <Button isSmall onClick={onAgain}>
          Try again
        </Button>
      }
    />
  )
}
