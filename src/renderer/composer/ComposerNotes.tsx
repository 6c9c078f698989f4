import { useStores } from '../state/context'
import { Button } from '../ui/Button'
import { Note } from '../ui/Note'
import type { Composing } from './use-composer'

const titles = {
  message: 'Not sent.',
  retry: 'Not asked again.',
  stop: 'Not stopped.',
} as const

/** What stands above the field: why a message was refused, why none can be answered. */
export function ComposerNotes(props: { readonly composing: Composing }) {
  const { refusal, notReady, isNotKept, dismissRefusal } = props.composing
  const { app } = useStores()
  const isOfModel = refusal?.code === 'no-key' || refusal?.code === 'no-model'
  return (
    <>
      {refusal !== undefined && (
        <div className="composer-note">
          <Note
            tone="error"
            title={titles[refusal.of]}
            detail={refusal.detail}
            actions={
              <>
                {isOfModel && (
                  <Button isSmall onClick={() => app.getState().openSettings('model')}>
                    Settings
                  </Button>
                )}
                <Button isSmall kind="ghost" onClick={dismissRefusal}>
                  Dismiss
                </Button>
              </>
            }
          >
            {refusal.message} {refusal.of === 'message' && 'Your text is kept here.'}
          </Note>
        </div>
      )}
      {notReady !== undefined && (
        <div className="composer-note">
          <Note tone="plain" title="No model can answer yet.">
            {notReady}
          </Note>
        </div>
      )}
      {isNotKept && (
        <div className="composer-note">
          <Note tone="warn" title="This draft is too long to be kept.">
            It is lost when the window closes before it is sent.
          </Note>
        </div>
      )}
    </>
  )
}
