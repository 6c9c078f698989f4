import { useActions, useLibraryState } from '../state/context'
import { Button } from '../ui/Button'

/** The middle pane while no conversation is open. */
export function NothingOpen() {
  const { newConversation } = useActions()
  const isEmpty = useLibraryState(
    ({ conversations, phase }) => phase === 'ready' && conversations.length === 0,
  )
  return (
    <div className="words">
      <h2>{isEmpty ? 'No conversations yet' : 'Nothing is open'}</h2>
      <p>
        {isEmpty
          ? 'The first message makes one.'
          : 'Choose a conversation in the library, or begin a new one.'}
      </p>
      <div className="words-actions">
        <Button kind="primary" keys={['Ctrl', 'N']} onClick={newConversation}>
          {isEmpty ? 'Write the first message' : 'New conversation'}
        </Button>
      </div>
    </div>
  )
}
