import type { ErrorReport } from '../../../shared/model/basics/errors'
import { Button } from '../../ui/controls/Button'
import { Note } from '../../ui/notes/Note'
import { RefusalNote } from '../../ui/notes/RefusalNote'

/** Note that a key was not saved, with the reason; where only a weak keychain is in the way, with a button to save it anyway. */
export function KeyRefusal(props: {
  readonly title: string
  readonly refusal: ErrorReport | undefined
  /** Undefined where something else is in the way. */
  readonly onSaveAnyway: (() => void) | undefined
}) {
  const { title, refusal, onSaveAnyway } = props
  if (refusal === undefined || onSaveAnyway === undefined)
    return <RefusalNote title={title} refusal={refusal} />
  return (
    <Note
      tone="warn"
      title="The key is not saved yet."
      detail={refusal.detail}
      actions={
        <Button isSmall onClick={onSaveAnyway}>
          Save anyway
        </Button>
      }
    >
      {refusal.message}
    </Note>
  )
}
