import type { Sent, SentTool } from '../../shared/model/sent'
import { count, counted } from '../ui/format'
import { LongText } from '../ui/LongText'
import { visibleText } from '../ui/visible-text'
import { saidOf, systemOf } from './content'
import { MessageList } from './MessageList'
import { Part } from './Part'

/** A request part by part. What is long and last stands last: the messages. */
export function RequestView(props: { readonly sent: Sent }) {
  const { sent } = props
  const system = systemOf(sent)
  const said = saidOf(sent)
  const parameters = Object.entries(sent.parameters)
  return (
    <>
      <Part title="System prompt" amount={tokensOf(system)} isOpenFirst>
        {system.length === 0 ? (
          <p className="sent-none t3">None.</p>
        ) : (
          <MessageList messages={system} />
        )}
      </Part>
      <Part
        title="Tools"
        amount={`${count(sent.tools.length)} · ${tokensOf(sent.tools)}`}
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
      </Part>
      <Part title="Parameters" amount={count(parameters.length)} isOpenFirst={false}>
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
      </Part>
      <Part title="Messages" amount={`${count(said.length)} · ${tokensOf(said)}`} isOpenFirst>
        {said.length === 0 ? (
          <p className="sent-none t3">None.</p>
        ) : (
          <MessageList messages={said} />
        )}
      </Part>
    </>
  )
}

function tokensOf(parts: readonly { readonly tokens: number }[]): string {
  return counted(
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
        <span className="t3 small number">{counted(tokens, 'token')}</span>
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
