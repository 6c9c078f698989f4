import { Archive, FileX, Lock, Pin, TriangleAlert, Unlink } from 'lucide-react'
import { type CSSProperties, memo } from 'react'
import { backupWords } from '../../shared/model/backup/backup'
import { isoMs } from '../../shared/model/basics/time'
import { visibleText } from '../../shared/model/basics/visible'
import {
  type ConversationSummary,
  parseLibraryKey,
} from '../../shared/model/conversation/conversation'
import { sourceLabel } from '../../shared/model/conversation/sources'
import type { LibrarySort } from '../state/app/layout'
import { ColorMark } from '../ui/controls/ColorMark'
import { Icon } from '../ui/controls/Icon'
import { NewsDot } from '../ui/controls/NewsDot'
import { SourceMark } from '../ui/controls/SourceMark'
import { exactTime, formatQuantity } from '../ui/format/format'
import type { MemberWords } from './member-words'
import { type RowMeta, rowMeta } from './order/row-meta'

/** Row of a conversation: source, title, state and time; a gone one says so in place of the time. */
export const ConversationRow = memo(function ConversationRow(props: {
  readonly id: string
  readonly summary: ConversationSummary
  readonly nowMs: number
  readonly isSelected: boolean
  /** It is one of several that are chosen; undefined while none is. */
  readonly isChosen: boolean | undefined
  /** Another program wrote to it within the last seconds. */
  readonly isGrowing: boolean
  /** Skein has an active run in it, whether it is open or not. */
  readonly isRunning: boolean
  /** Entries came since it was seen. */
  readonly hasNews: boolean
  /** It is under the head of its date, so that its time needs no day. */
  readonly isUnderDate: boolean
  /** The order of the library: what it is by stands at the end of the row. */
  readonly sort: LibrarySort
  readonly isCursor: boolean
  /** Set below its family: its texts there. */
  readonly member?: MemberWords | undefined
  /** The list is a tree: it has families. */
  readonly isInTree: boolean
  /** The head that it is the first row of: screen readers do not read heads. */
  readonly under: string | undefined
  readonly position: number
  readonly total: number
  readonly style: CSSProperties
  readonly onOpen: (summary: ConversationSummary) => void
}) {
  const { summary, nowMs, isSelected, isCursor, isGrowing, isRunning, isUnderDate, hasNews } = props
  const state = stateOf(summary, isGrowing || isRunning)
  const { under, member } = props
  const kept = backupOf(summary)
  const ms = isoMs(summary.updated)
  const told = titleOf(summary, ms, isGrowing, member)
  const title = visibleText(hasNews ? `${told}\nNew entries since you were here.` : told)
  const meta = rowMeta(summary, props.sort, nowMs, isUnderDate)
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list box has the keys for all of its options
    // biome-ignore lint/a11y/noStaticElementInteractions: it is an option of a list box, or an item of a tree
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles have what it is given
    <div
      id={props.id}
      data-key={summary.key}
      role={props.isInTree ? 'treeitem' : 'option'}
      aria-level={props.isInTree ? (member === undefined ? 1 : 2) : undefined}
      aria-selected={props.isChosen ?? isSelected}
      aria-current={isSelected && props.isChosen !== undefined ? 'true' : undefined}
      aria-setsize={props.total}
      aria-posinset={props.position}
      className={`library-row ${member === undefined ? '' : 'member'} ${isSelected ? 'selected' : ''} ${props.isChosen === true ? 'chosen' : ''} ${isCursor ? 'cursor' : ''} ${summary.gone ? 'gone' : ''} ${summary.provisional ? 'provisional' : ''} ${summary.unreadable === undefined ? '' : 'unreadable'}`}
      style={props.style}
      title={title}
      aria-description={under === undefined ? title : `${under}. ${title}`}
      onClick={() => props.onOpen(summary)}
    >
      <span className="library-mark" aria-hidden="true">
        <SourceMark source={summary.source} />
      </span>
      {summary.color !== undefined && <ColorMark color={summary.color} />}
      <span className="library-title">{visibleText(member?.words ?? summary.title)}</span>
      {hasNews && <NewsDot />}
      {member !== undefined && <span className="library-tags">{visibleText(member.name)}</span>}
      {summary.tags !== undefined && (
        <span className="library-tags">
          <span className="unseen">tags</span> {summary.tags.join(', ')}
        </span>
      )}
      {summary.pinned === true && (
        <span className="library-meta">
          <Icon of={Pin} size={12} />
          <span className="unseen">pinned</span>
        </span>
      )}
      {kept !== undefined && (
        <span className="library-meta backup">
          <Icon of={Archive} size={12} />
          <span className="unseen">{kept}</span>
        </span>
      )}
      {state !== undefined && state.type !== 'live' && (
        <span className={`library-meta ${state.type}`}>
          <Icon of={state.icon} size={12} />
          <span className={state.type === 'gone' ? undefined : 'unseen'}>{state.words}</span>
        </span>
      )}
      {state?.type === 'live' ? (
        <span className="live">live</span>
      ) : (
        state?.type !== 'gone' && <RowEnd meta={meta} />
      )}
    </div>
  )
})

/** End of a row: its time, or what the library is sorted by. */
export function RowEnd({ meta }: { readonly meta: RowMeta }) {
  return (
    <span className="library-meta">
      {meta.text}
      {meta.unit !== undefined && <span className="unseen"> {meta.unit}</span>}
    </span>
  )
}

/** Says why a conversation is read from a backup; undefined for one that is not. */
function backupOf({ backup, source }: ConversationSummary): string | undefined {
  return backup === undefined ? undefined : backupWords(backup, sourceLabel(source))
}

/** Returns the state of a conversation that its row shows; the most pressing one. */
function stateOf(summary: ConversationSummary, isGrowing: boolean) {
  const { unreadable, running, lock, gone, damaged = 0 } = summary
  if (gone) return { type: 'gone', icon: Unlink, words: 'missing from disk' } as const
  if (unreadable !== undefined)
    return { type: 'bad', icon: FileX, words: `cannot be read: ${unreadable}` } as const
  if (running || isGrowing || lock.state === 'ours') return { type: 'live', words: 'live' } as const
  if (lock.state === 'held')
    return { type: 'held', icon: Lock, words: `locked by ${lock.holder}` } as const
  if (damaged > 0)
    return {
      type: 'warn',
      icon: TriangleAlert,
      words: formatQuantity(damaged, 'damaged line'),
    } as const
  return undefined
}

function titleOf(
  summary: ConversationSummary,
  ms: number | undefined,
  isGrowing: boolean,
  member: MemberWords | undefined,
): string {
  const state = stateOf(summary, isGrowing)
  const kept = backupOf(summary)
  return [
    ...(member === undefined || member.words === summary.title ? [] : [member.words]),
    summary.title,
    ...(member === undefined ? [] : [parseLibraryKey(summary.key).key]),
    ...(summary.titled !== undefined && summary.source === 'chibi'
      ? [`Context ${summary.key}`]
      : []),
    ...(summary.tags === undefined ? [] : [`Tags: ${summary.tags.join(', ')}`]),
    ...(summary.color === undefined ? [] : [`Color: ${summary.color}`]),
    ...(summary.pinned === true ? ['Pinned'] : []),
    ...(summary.hidden === true ? ['Hidden'] : []),
    ...(ms === undefined ? [] : [exactTime(ms)]),
    ...(summary.entries === undefined ? [] : [formatQuantity(summary.entries, 'entry', 'entries')]),
    ...(state === undefined || state.type === 'live' ? [] : [state.words]),
    ...(kept === undefined ? [] : [kept]),
    ...(isGrowing ? ['Another program is writing to it.'] : []),
    ...(summary.provisional ? ['Not read yet: this is the name and the time of its file.'] : []),
  ].join('\n')
}
