import { Inbox } from 'lucide-react'
import { LongText } from '../ui/LongText'
import { visibleText } from '../ui/visible-text'
import type { DeliveredText } from './delivered'
import { Fold } from './Fold'
import { deliveredFold } from './unfold'

/** Messages of other contexts that went to the model with what a person wrote; folded. */
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
