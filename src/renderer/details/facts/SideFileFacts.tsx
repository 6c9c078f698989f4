import type { ReactNode } from 'react'
import type { ContextSideFiles, InboxItem } from '../../../shared/model/conversation/conversation'
import { formatCount, formatQuantity } from '../../ui/format/format'
import { Note } from '../../ui/notes/Note'
import { ShortTime } from '../../ui/text/ShortTime'
import { DetailsSection } from './DetailsSection'

/** Note that chibi will delete the context; nothing where it will not. Skein never deletes it. */
export function ExpiryNote(props: { readonly beside: ContextSideFiles }) {
  const { expiresAt } = props.beside
  if (expiresAt === null) return null
  return (
    <div className="details-note">
      <Note tone="warn" title="chibi will delete this.">
        On its next start after <ShortTime ms={expiresAt * 1000} />. Skein does not delete it.
      </Note>
    </div>
  )
}

/** Facts of a context's system prompt and of its flag in chibi. */
export function SideFileFacts(props: {
  readonly beside: ContextSideFiles
  /** Button that makes it the current one. */
  readonly makeCurrent?: ReactNode
}) {
  const { mark, hasSystemPrompt } = props.beside
  return (
    <>
      <dt>System prompt</dt>
      <dd>{hasSystemPrompt ? 'Its own, in system_prompt.md' : 'Default'}</dd>
      {(mark !== null || props.makeCurrent !== undefined) && (
        <>
          <dt>In chibi</dt>
          <dd>
            {mark === 'current'
              ? 'Current context'
              : mark === 'previous'
                ? 'Previous context'
                : 'Not current'}
            {mark !== 'current' && props.makeCurrent}
          </dd>
        </>
      )}
    </>
  )
}

/** List of a context's inbox messages, as plain text, since anybody may have sent them. */
export function WaitingMessages(props: {
  readonly beside: ContextSideFiles
  /** Editor in place of a message's text. */
  readonly bodyOf?: (message: InboxItem) => ReactNode
  readonly actsOf?: (message: InboxItem) => ReactNode
}) {
  const { bodyOf, actsOf } = props
  const { inbox, inboxCount, inboxDamaged } = props.beside
  if (inboxCount === 0 && inboxDamaged === 0) return null
  return (
    <DetailsSection title="Inbox" count={inboxCount}>
      <ul className="details-notices details-inbox">
        {inbox.map((message, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines may repeat, and the list is replaced as a whole
          <li key={index}>
            <div className="row-x">
              <p className="t3 grow">
                {message.from === '' ? 'Unknown sender' : message.from},{' '}
                <ShortTime ms={message.at * 1000} />
              </p>
              {actsOf?.(message)}
            </div>
            {bodyOf?.(message) || <p className="details-message">{message.text}</p>}
          </li>
        ))}
        {inboxCount > inbox.length && <li>And {formatCount(inboxCount - inbox.length)} more.</li>}
        {inboxDamaged > 0 && (
          <li>
            {formatQuantity(inboxDamaged, 'line is', 'lines are')} damaged. Skein moves them to
            inbox.damaged.skein.jsonl at the next delivery.
          </li>
        )}
      </ul>
    </DetailsSection>
  )
}
