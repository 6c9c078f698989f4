import { Check, CircleAlert, CircleHelp, type LucideIcon, ScrollText, Wrench } from 'lucide-react'
import { visibleText } from '../../shared/model/basics/visible'
import type { Sent } from '../../shared/model/run/sent'
import { Icon } from '../ui/controls/Icon'
import { TokenBar } from './TokenBar'

const origins: Readonly<Record<Sent['origin'], readonly [words: string, icon: LucideIcon]>> = {
  log: ['From the request log', ScrollText],
  rebuilt: ['Rebuilt from the transcript', Wrench],
}
const matches: Readonly<Record<Sent['match'], readonly [string, LucideIcon, tone: string]>> = {
  exact: ['exactly what was sent', Check, 'ok'],
  different: ['differs from what was sent', CircleAlert, 'warn'],
  unknown: ['unverified', CircleHelp, 'line'],
}

/** Facts of a request: its origin, whether it equals what was sent, and its tokens. */
export function SentFacts(props: { readonly sent: Sent }) {
  const { sent } = props
  const [origin, originIcon] = origins[sent.origin]
  const [match, matchIcon, tone] = matches[sent.match]
  return (
    <div className="sent-facts">
      <div className="sent-proof">
        <span className="chip line">
          <Icon of={originIcon} size={12} />
          {origin}
        </span>
        <span className={`chip ${tone}`}>
          <Icon of={matchIcon} size={12} />
          {match}
        </span>
      </div>
      {sent.notes.length > 0 && (
        <ul className="sent-notes small t2" aria-label="Possible differences">
          {sent.notes.map((note) => (
            <li key={note}>{visibleText(note)}</li>
          ))}
        </ul>
      )}
      <TokenBar sent={sent} />
    </div>
  )
}
