import { visibleText } from '../../../shared/model/basics/visible'
import type { ModelMessage } from '../../../shared/model/conversation/model-view'
import { formatQuantity } from '../../ui/format/format'
import { DetailsSection } from './DetailsSection'

/** Folded section of the messages that another system sends its model; they repeat the transcript. */
export function ModelView(props: { readonly messages: readonly ModelMessage[] }) {
  const { messages } = props
  return (
    <DetailsSection title="Sent to its model" count={messages.length}>
      <details className="model-view">
        <summary>Last {formatQuantity(messages.length, 'message')}</summary>
        <ol>
          {messages.map(({ role, content }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list is replaced whole, never moved
            <li key={at}>
              <span className="t3 small">{role}</span>
              <p>{visibleText(content)}</p>
            </li>
          ))}
        </ol>
      </details>
    </DetailsSection>
  )
}
