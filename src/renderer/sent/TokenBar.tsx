import { visibleText } from '../../shared/model/basics/visible'
import type { Sent, TokenPart } from '../../shared/model/run/sent'
import { formatCount } from '../ui/format/format'

const parts: readonly (readonly [part: TokenPart, name: string])[] = [
  ['system', 'System'],
  ['history', 'History'],
  ['tools', 'Tools'],
  ['attachments', 'Attachments'],
]

/** Bar of the tokens of a request by part, with their numbers and the provider's own count. */
export function TokenBar(props: { readonly sent: Sent }) {
  const { sent } = props
  const all = parts.reduce((sum, [part]) => sum + sent.parts[part], 0)
  return (
    <div className="sent-tokens small">
      {/* Hidden from screen readers: the legend has the numbers. */}
      <div className="sent-bar" aria-hidden="true">
        {parts
          .filter(([part]) => sent.parts[part] > 0)
          .map(([part]) => (
            <span key={part} className={`sent-${part}`} style={{ flexGrow: sent.parts[part] }} />
          ))}
      </div>
      <ul className="sent-legend" aria-label="Tokens by part">
        {parts.map(([part, name]) => (
          <li key={part} className={sent.parts[part] === 0 ? 't3' : ''}>
            <span className={`sent-swatch sent-${part}`} aria-hidden="true" />
            {name} <span className="number">{formatCount(sent.parts[part])}</span>
          </li>
        ))}
        <li className="sent-sum">
          <span className="label number">{formatCount(all)} tokens</span>
          <span className="t2">{countedBy(sent)}</span>
        </li>
        {sent.told?.input !== undefined && (
          <li className="t2 number">
            the provider counted {formatCount(sent.told.input)}
            {sent.told.cached ? `, ${formatCount(sent.told.cached)} of them from the cache` : ''}
          </li>
        )}
      </ul>
    </div>
  )
}

function countedBy({ countedBy: by }: Sent): string {
  return by.by === 'estimate' ? 'estimated' : `by tokenizer ${visibleText(by.name)}`
}
