import { useState } from 'react'
import type { SentMessage } from '../../../shared/model/run/sent'
import { Button } from '../../ui/controls/Button'
import { formatCount } from '../../ui/format/format'
import { MessageBlock } from './MessageBlock'

/** Messages drawn at first, and by each press of the button: drawing thousands freezes the window. */
const drawn = 100

/**
 * List of messages in order. Of more than 100 the last ones are drawn first, since they are nearest to the answer.
 */
export function MessageList(props: { readonly messages: readonly SentMessage[] }) {
  const { messages } = props
  const [shown, setShown] = useState(drawn)
  const hidden = Math.max(0, messages.length - shown)
  return (
    <>
      {hidden > 0 && (
        <Button isSmall kind="ghost" onClick={() => setShown(shown + drawn)}>
          Show {formatCount(Math.min(drawn, hidden))} more of {formatCount(hidden)} earlier messages
        </Button>
      )}
      <ol className="sent-list" start={hidden + 1}>
        {messages.slice(hidden).map((message, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the position of a message among all of them
          <li key={hidden + index}>
            <MessageBlock message={message} />
          </li>
        ))}
      </ol>
    </>
  )
}
