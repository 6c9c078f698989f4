import { CornerUpLeft, Image, Wrench } from 'lucide-react'
import type { ReactNode } from 'react'
import { visibleText } from '../../../shared/model/basics/visible'
import type { SentMessage } from '../../../shared/model/run/sent'
import { useSent } from '../../state/context'
import { IconButton } from '../../ui/controls/Button'
import { Icon } from '../../ui/controls/Icon'
import { formatQuantity } from '../../ui/format/format'
import { LongText } from '../../ui/text/LongText'

/** Lines of a message before it is cut. */
const firstLines = 14

/** Message of a request, exactly as sent: text, calls, images, and a way to its entry in the transcript. */
export function MessageBlock(props: { readonly message: SentMessage }) {
  return (
    <div className="sent-message">
      <MessageHead message={props.message} />
      <MessageBody message={props.message} />
    </div>
  )
}

/** Body of a message: text, calls and the number of images. */
export function MessageBody(props: { readonly message: SentMessage }) {
  const { role, text, calls, images } = props.message
  return (
    <>
      {text !== '' && (
        <LongText
          text={text}
          firstLines={firstLines}
          // Results of tools are most often code or tables.
          className={role === 'tool' ? '' : 'sent-words'}
          label="Text"
        />
      )}
      {calls.map((call, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: calls never move
        <div key={index} className="sent-call">
          <p className="sent-line small">
            <Icon of={Wrench} size={12} />
            <span className="t2">calls</span>
            <b className="mono">{visibleText(call.name)}</b>
            <span className="t3 mono">{visibleText(call.id)}</span>
          </p>
          <LongText text={call.arguments} firstLines={8} label={`Arguments of ${call.name}`} />
        </div>
      ))}
      {images > 0 && (
        <p className="sent-line small t2">
          <Icon of={Image} size={12} /> {formatQuantity(images, 'image')}
        </p>
      )}
      {text === '' && calls.length === 0 && images === 0 && <p className="t3 small">Empty.</p>}
    </>
  )
}

/** Head of a message: role, tokens and a way to its entry; `mark` shows its change in a comparison. */
export function MessageHead(props: { readonly message: SentMessage; readonly mark?: ReactNode }) {
  const { role, callId, tokens, entryIds } = props.message
  const leaveFor = useSent((state) => state.leaveFor)
  const [entry] = entryIds
  return (
    <div className="sent-message-head">
      {props.mark}
      <b>{visibleText(role)}</b>
      {callId !== undefined && (
        <span className="t3 small cut">
          answers <span className="mono">{visibleText(callId)}</span>
        </span>
      )}
      <span className="t3 small number">{formatQuantity(tokens, 'token')}</span>
      <span className="grow" />
      {entry !== undefined && (
        <IconButton
          label="Show in transcript"
          icon={CornerUpLeft}
          size="small"
          onClick={() => leaveFor(entry)}
        />
      )}
    </div>
  )
}
