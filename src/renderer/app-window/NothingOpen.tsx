import { useActions, useContexts, useLibraryState } from '../state/context'
import { Button } from '../ui/controls/Button'

/** Middle pane while no conversation is open. */
export function NothingOpen() {
  const { newConversation } = useActions()
  const isEmpty = useLibraryState(
    ({ conversations, phase }) => phase === 'ready' && conversations.length === 0,
  )
  const destroyed = useContexts((state) => state.destroyed)
  if (destroyed !== undefined) return <InTheTrash name={destroyed.title} />
  return (
    <div className="words">
      <h2>{isEmpty ? 'No conversations yet' : 'Nothing is open'}</h2>
      <p>
        {isEmpty ? 'Write a message to start one.' : 'Choose a conversation or start a new one.'}
      </p>
      <div className="words-actions">
        <Button kind="primary" keys="new-conversation" onClick={newConversation}>
          {isEmpty ? 'Write the first message' : 'New conversation'}
        </Button>
      </div>
    </div>
  )
}

/** Page after the open context was moved to the trash. */
function InTheTrash(props: { readonly name: string }) {
  const { newConversation } = useActions()
  return (
    <div className="words" role="status">
      <h2>“{props.name}” is in the trash</h2>
      <p>You can restore its folder from there. Choose another conversation or start a new one.</p>
      <div className="words-actions">
        <Button kind="primary" keys="new-conversation" onClick={newConversation}>
          New conversation
        </Button>
      </div>
    </div>
  )
}
