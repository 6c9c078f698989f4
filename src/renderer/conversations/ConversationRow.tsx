import { FileX, Lock, TriangleAlert } from 'lucide-react'
import { type CSSProperties, memo } from 'react'
import type { ConversationSummary } from '../../shared/model/conversation'
import { counted, exactTime, listTime } from '../ui/format'
import { Icon, SourceMark } from '../ui/Icon'

/** One conversation of the library: its mark, title, state and time. */
export const ConversationRow = memo(function ConversationRow(props: {
  readonly id: string
  readonly summary: ConversationSummary
  readonly nowMs: number
  readonly isSelected: boolean
  readonly isCursor: boolean
  readonly position: number
  readonly total: number
  readonly style: CSSProperties
  readonly onOpen: (summary: ConversationSummary) => void
}) {
  const { summary, nowMs, isSelected, isCursor } = props
  const state = stateOf(summary)
  const ms = summary.updated === null ? undefined : Date.parse(summary.updated)
  const time = ms === undefined ? '' : listTime(ms, nowMs)
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list box has the keys for all of its options
    // biome-ignore lint/a11y/useFocusableInteractive: the list box has the focus and names its active option
    <div
      id={props.id}
      role="option"
      aria-selected={isSelected}
      aria-setsize={props.total}
      aria-posinset={props.position}
      className={`library-row ${isSelected ? 'selected' : ''} ${isCursor ? 'cursor' : ''} ${summary.unreadable === undefined ? '' : 'unreadable'}`}
      style={props.style}
      title={titleOf(summary, ms)}
      onClick={() => props.onOpen(summary)}
    >
      <span className="library-mark" aria-hidden="true">
        <SourceMark source={summary.source} />
      </span>
      <span className="library-title">{summary.title}</span>
      {state !== undefined && state.type !== 'live' && (
        <span className={`library-meta ${state.type}`}>
          <Icon of={state.icon} size={12} />
          <span className="unseen">{state.words}</span>
        </span>
      )}
      {state?.type === 'live' ? (
        <span className="live">live</span>
      ) : (
        <span className="library-meta">{time}</span>
      )}
    </div>
  )
})

/** What a row says of its conversation besides title and time; the most pressing first. */
function stateOf(summary: ConversationSummary) {
  const { unreadable, running, lock, damaged = 0 } = summary
  if (unreadable !== undefined)
    return { type: 'bad', icon: FileX, words: `cannot be read: ${unreadable}` } as const
  if (running || lock.state === 'ours') return { type: 'live', words: 'live' } as const
  if (lock.state === 'held')
    return { type: 'held', icon: Lock, words: `locked by ${lock.holder}` } as const
  if (damaged > 0)
    return {
      type: 'warn',
      icon: TriangleAlert,
      words: counted(damaged, 'damaged line'),
    } as const
  return undefined
}

function titleOf(summary: ConversationSummary, ms: number | undefined): string {
  const state = stateOf(summary)
  return [
    summary.title,
    ...(ms === undefined ? [] : [exactTime(ms)]),
    ...(summary.entries === undefined ? [] : [counted(summary.entries, 'entry', 'entries')]),
    ...(state === undefined || state.type === 'live' ? [] : [state.words]),
  ].join('\n')
}
