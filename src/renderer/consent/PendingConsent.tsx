import { useCallback, useEffect, useRef } from 'react'
import { visibleText } from '../../shared/model/basics/visible'
import type { LibraryKey } from '../../shared/model/conversation/conversation'
import { useConsent } from '../state/context'
import { focusOn } from '../ui/behaviour/focus'
import { formatCount } from '../ui/format/format'
import { LiveRegion } from '../ui/notes/LiveRegion'
import { ConsentCard } from './ConsentCard'
import { consentShortcut, useConsentShortcut } from './consent-shortcut'

/** Most characters that are read aloud: a hostile model's path could be endless. */
const saidCharacters = 200

/**
 * Calls of a conversation that wait for consent, one at a time, above its composer. A new one is read aloud, and
 * takes the focus only from nowhere or from the card before.
 */
export function PendingConsent(props: { readonly contextKey: LibraryKey }) {
  const { contextKey } = props
  const first = useConsent(({ waiting }) => waiting.find(({ key }) => key === contextKey))
  const total = useConsent(({ waiting }) => waiting.filter(({ key }) => key === contextKey).length)
  const card = useRef<HTMLElement>(null)
  const reach = useCallback(() => card.current?.focus(), [])
  useConsentShortcut(first !== undefined, reach)
  useFocusOf(card, first?.consentId)
  return (
    <div className={first === undefined ? undefined : 'consent-frame'}>
      <LiveRegion label="Approval needed">
        {first !== undefined && announcement(first.tool, first.title, total)}
      </LiveRegion>
      {first !== undefined && (
        <ConsentCard key={first.consentId} ref={card} asked={first} total={total} />
      )}
    </div>
  )
}

function useFocusOf(card: { readonly current: HTMLElement | null }, consentId: string | undefined) {
  /** True where the card that goes has the focus, which is nowhere afterwards. */
  const hadFocus = useRef(false)
  useEffect(() => {
    const isNowhere = () =>
      document.activeElement === null || document.activeElement === document.body
    if (consentId !== undefined && isNowhere()) card.current?.focus()
    if (consentId === undefined && hadFocus.current && isNowhere()) focusOn('composer')
    hadFocus.current = false
    const follow = () => {
      hadFocus.current = card.current?.contains(document.activeElement) === true
    }
    follow()
    document.addEventListener('focusin', follow)
    return () => document.removeEventListener('focusin', follow)
  }, [card, consentId])
}

function announcement(tool: string, title: string, total: number): string {
  const more = total > 1 ? ` ${formatCount(total)} calls are waiting.` : ''
  const what = visibleText(title.slice(0, saidCharacters))
  return `${visibleText(tool)} needs your approval: ${what}.${more} Press ${consentShortcut.join('+')} to answer.`
}
