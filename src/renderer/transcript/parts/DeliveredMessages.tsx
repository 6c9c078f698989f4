import { Inbox } from 'lucide-react'
import { visibleText } from '../../../shared/model/basics/visible'
import { LongText } from '../../ui/text/LongText'
import type { DeliveredText } from '../entries/delivered-messages'
import { deliveredFold } from '../items/folds'
import { Fold } from './Fold'

/** Fold of the inbox messages that went to the model before a user message. */
export function DeliveredMessages(props: {
  readonly itemKey: string
  readonly delivered: DeliveredText
}) {
  const { from, messages } = props.delivered
  return (
    <Fold
      name={deliveredFold(props.itemKey)}
      icon={Inbox}
      head={(isOpen) => (
        <>
          <b>From the inbox</b>
          {from.length > 0 && <span className="cut">{visibleText(from.join(', '))}</span>}
          {!isOpen && <span className="cut t3">{visibleText(messages.slice(0, 200))}</span>}
        </>
      )}
    >
      <LongText text={messages} firstLines={12} label="Messages" />
    </Fold>
  )
}
