import { Button } from '../controls/Button'
import { Note } from './Note'

/** Note that an action was refused, with the reason; where a model or its key is missing, with a way to Settings. */
export function RefusalNote(props: {
  readonly title: string
  readonly refusal: {
    readonly code: string
    readonly message: string
    readonly detail?: string | undefined
  }
  /** A written text is still there. */
  readonly isTextKept: boolean
  readonly onSettings: () => void
  readonly onDismiss: () => void
}) {
  const { title, refusal, isTextKept, onSettings, onDismiss } = props
  const isOfModel = refusal.code === 'no-key' || refusal.code === 'no-model'
  return (
    <Note
      tone="error"
      title={title}
      detail={refusal.detail}
      actions={
        <>
          {isOfModel && (
            <Button isSmall onClick={onSettings}>
              Settings
            </Button>
          )}
          <Button isSmall kind="ghost" onClick={onDismiss}>
            Dismiss
          </Button>
        </>
      }
    >
      {refusal.message} {isTextKept && 'Your text is kept here.'}
    </Note>
  )
}
