import { ChevronDown, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import type { SentMessage } from '../../../shared/model/run/sent'
import { ChangedText } from '../../ui/changes/ChangedText'
import { Button } from '../../ui/controls/Button'
import { formatCount, formatQuantity } from '../../ui/format/format'
import { MessageBody, MessageHead } from '../messages/MessageBlock'
import { MessageList } from '../messages/MessageList'
import type { MessageChange } from './align-messages'
import { ChangeMark } from './ChangeMark'

/** Changes that are drawn at first, and by each press of the button. */
const drawn = 100

/** List of changed messages, 100 at first; runs of equal ones are folded. */
export function MessageChanges(props: {
  readonly changes: readonly MessageChange[]
  readonly what: string
}) {
  const { changes, what } = props
  const [shown, setShown] = useState(drawn)
  const hidden = changes.length - shown
  if (changes.length === 0) return <p className="sent-none t3">None in either.</p>
  return (
    <>
      {changes.slice(0, shown).map((change, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: changes never move
        <Change key={index} change={change} what={what} />
      ))}
      {hidden > 0 && (
        <Button isSmall kind="ghost" onClick={() => setShown(shown + drawn)}>
          Show {formatCount(Math.min(drawn, hidden))} more of {formatCount(hidden)}
        </Button>
      )}
    </>
  )
}

function Change(props: { readonly change: MessageChange; readonly what: string }) {
  const { change } = props
  if (change.type === 'same') return <Equal messages={change.messages} what={props.what} />
  if (change.type === 'changed')
    return (
      <div className="sent-change changed">
        <MessageHead message={change.after} mark={<ChangeMark type="changed" />} />
        <ChangedText change={change.change} isCode={change.after.role === 'tool'} />
      </div>
    )
  const { type, message } = change
  const Tag = type === 'added' ? 'ins' : 'del'
  return (
    <Tag className={`sent-change ${type}`}>
      <MessageHead message={message} mark={<ChangeMark type={type} />} />
      <MessageBody message={message} />
    </Tag>
  )
}

/** Messages in both requests, drawn on demand. */
function Equal(props: { readonly messages: readonly SentMessage[]; readonly what: string }) {
  const { messages, what } = props
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="sent-equal">
      <Button
        isSmall
        kind="ghost"
        icon={isOpen ? ChevronDown : ChevronRight}
        isExpanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {formatQuantity(messages.length, `equal ${what}`)}
      </Button>
      {isOpen && <MessageList messages={messages} />}
    </div>
  )
}
