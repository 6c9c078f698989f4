import { visibleText } from '../../shared/model/basics/visible'
import type { Sent, SentTool } from '../../shared/model/run/sent'
import { formatCount, formatQuantity } from '../ui/format/format'
import { LongText } from '../ui/text/LongText'
import { MessageList } from './messages/MessageList'
import { conversationMessagesOf, systemMessagesOf } from './messages/message-content'
import { RequestPart } from './RequestPart'

/** View of a request in parts, the messages last. */
export function RequestView(props: { readonly sent: Sent }) {
  const { sent } = props
  const system = systemMessagesOf(sent)
  const conversation = conversationMessagesOf(sent)
  const parameters = Object.entries(sent.parameters)
  return (
    <>
      <RequestPart title="System prompt" amount={tokensOf(system)} isOpenFirst>
        {system.length === 0 ? (
          <p className="sent-none t3">None.</p>
        ) : (
          <MessageList messages={system} />
        )}
      </RequestPart>
      <RequestPart
        title="Tools"
        amount={`${formatCount(sent.tools.length)} · ${tokensOf(sent.tools)}`}
        isOpenFirst={false}
      >
        {sent.tools.length === 0 ? (
          <p className="sent-none t3">None.</p>
        ) : (
          <ul className="sent-list">
            {sent.tools.map((tool, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: tools never move, and may share a name
              <Tool key={index} tool={tool} />
            ))}
          </ul>
        )}
      </RequestPart>
      <RequestPart title="Parameters" amount={formatCount(parameters.length)} isOpenFirst={false}>
        {parameters.length === 0 ? (
          <p className="sent-none t3">Only the model.</p>
        ) : (
          <dl className="sent-parameters">
            {parameters.map(([name, value]) => (
              <div key={name}>
                <dt className="mono">{visibleText(name)}</dt>
                <dd>
                  <LongText text={value} firstLines={6} label={name} />
                </dd>
              </div>
            ))}
          </dl>
        )}
      </RequestPart>
      <RequestPart
        title="Messages"
        amount={`${formatCount(conversation.length)} · ${tokensOf(conversation)}`}
        isOpenFirst
      >
        {conversation.length === 0 ? (
          <p className="sent-none t3">None.</p>
        ) : (
          <MessageList messages={conversation} />
        )}
      </RequestPart>
    </>
  )
}

function tokensOf(parts: readonly { readonly tokens: number }[]): string {
  return formatQuantity(
    parts.reduce((sum, { tokens }) => sum + tokens, 0),
    'token',
  )
}

function Tool(props: { readonly tool: SentTool }) {
  const { name, description, parameters, tokens } = props.tool
  return (
    <li className="sent-message">
      <div className="sent-message-head">
        <b className="mono">{visibleText(name)}</b>
        <span className="t3 small number">{formatQuantity(tokens, 'token')}</span>
      </div>
      {description !== '' && <p className="sent-words">{visibleText(description)}</p>}
      {parameters === undefined ? (
        <p className="t3 small">Schema unknown.</p>
      ) : (
        <details className="sent-schema">
          <summary className="small">Schema</summary>
          <LongText text={parameters} firstLines={40} label={`Schema of ${name}`} />
        </details>
      )}
    </li>
  )
}
