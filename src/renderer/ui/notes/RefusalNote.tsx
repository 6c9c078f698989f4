import { Button } from '../controls/Button'
import { Note } from './Note'

/** Why something that was asked was refused, where it was asked; the way to Settings where a model is what is missing. */
export function RefusalNote(props: {
  readonly title: string
  readonly refusal: {
    readonly code: string
    readonly message: string
    readonly detail?: string | undefined
  }
  /** Words were written, and they are still there. */
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
