import { usePrompts, useStores } from '../state/context'
import { focusOn } from '../ui/behaviour/focus'
import { Button } from '../ui/controls/Button'
import { Note } from '../ui/notes/Note'
import { RefusalNote } from '../ui/notes/RefusalNote'

/** Notes that a message was saved as a prompt, with its undo, or that a prompt could not be taken, until they are dismissed. */
export function SavedPromptNote() {
  const { prompts: store } = useStores()
  const written = usePrompts((state) => state.written)
  const unread = usePrompts((state) => state.unread)
  // While a name is asked for, the refusal is of that dialog.
  const refusal = usePrompts((state) => (state.question === undefined ? state.refusal : undefined))
  if (written === undefined && unread === undefined) return null
  return (
    <div className="composer-note">
      <RefusalNote
        title="The prompt is not in your message."
        refusal={unread}
        onDismiss={() => {
          store.getState().dismissUnread()
          focusOn('composer')
        }}
      />
      {written !== undefined && <RefusalNote title="Not undone." refusal={refusal} />}
      {written !== undefined && (
        <Note
          tone="plain"
          title={`${written.before === null ? 'Saved' : 'Replaced'} as /${written.name}.`}
          actions={
            <>
              <Button
                isSmall
                onClick={() => {
                  void store.getState().undo()
                  focusOn('composer')
                }}
              >
                Undo
              </Button>
              <Button
                isSmall
                kind="ghost"
                onClick={() => {
                  store.getState().dismissWritten()
                  focusOn('composer')
                }}
              >
                Dismiss
              </Button>
            </>
          }
        />
      )}
    </div>
  )
}
