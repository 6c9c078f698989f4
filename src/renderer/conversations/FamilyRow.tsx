import { ChevronDown, ChevronRight } from 'lucide-react'
import { type CSSProperties, memo } from 'react'
import { visibleText } from '../../shared/model/basics/visible'
import type { LibrarySort } from '../state/app/layout'
import { Icon } from '../ui/controls/Icon'
import { NewsDot } from '../ui/controls/NewsDot'
import { SourceMark } from '../ui/controls/SourceMark'
import { formatCount, formatQuantity } from '../ui/format/format'
import { RowEnd } from './ConversationRow'
import type { JoinedRow } from './order/groups'
import { rowMeta } from './order/row-meta'

/** Row of conversations that share a beginning; a press opens the first of them, its sign shows all. */
export const FamilyRow = memo(function FamilyRow(props: {
  readonly id: string
  readonly row: JoinedRow
  readonly nowMs: number
  /** The open conversation is one of them, and has no row of its own. */
  readonly isSelected: boolean
  /** It is one of several that are chosen; undefined while none is. */
  readonly isChosen: boolean | undefined
  readonly isLive: boolean
  /** Entries came to one of them, and it has no row of its own. */
  readonly hasNews: boolean
  readonly isUnderDate: boolean
  /** The order of the library: what it is by stands at the end of the row. */
  readonly sort: LibrarySort
  readonly isCursor: boolean
  readonly under: string | undefined
  readonly style: CSSProperties
  readonly onOpen: (row: JoinedRow) => void
  readonly onToggle: (row: JoinedRow, isOpen: boolean) => void
}) {
  const { row, nowMs, isSelected, isLive, isUnderDate, isCursor, under } = props
  const { summary, members, isOpen } = row
  const count = formatQuantity(members.length, 'conversation')
  const name = visibleText(summary.title)
  const about = `${name}\n${count} with the same beginning`
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree has the keys for all of its rows
    // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus and names its active row
    <div
      id={props.id}
      data-key={row.key}
      role="treeitem"
      aria-level={1}
      aria-expanded={isOpen}
      aria-selected={props.isChosen ?? isSelected}
      aria-current={isSelected && props.isChosen !== undefined ? 'true' : undefined}
      aria-setsize={row.setSize}
      aria-posinset={row.inSet}
      className={`library-row family ${isSelected ? 'selected' : ''} ${props.isChosen === true ? 'chosen' : ''} ${isCursor ? 'cursor' : ''}`}
      style={props.style}
      title={about}
      aria-description={under === undefined ? about : `${under}. ${about}`}
      onClick={() => props.onOpen(row)}
    >
      {/* For the pointer alone: the tree has keys for it. */}
      <span
        className="library-fold"
        aria-hidden="true"
        onClick={(event) => {
          event.stopPropagation()
          props.onToggle(row, !isOpen)
        }}
      >
        <Icon of={isOpen ? ChevronDown : ChevronRight} size={12} />
      </span>
      <span className="library-mark" aria-hidden="true">
        <SourceMark source={summary.source} />
      </span>
      <span className="library-title">{name}</span>
      {props.hasNews && <NewsDot />}
      <span className="library-count number">
        {formatCount(members.length)}
        <span className="unseen"> conversations</span>
      </span>
      {isLive ? (
        <span className="live">live</span>
      ) : (
        <RowEnd meta={rowMeta(summary, props.sort, nowMs, isUnderDate)} />
      )}
    </div>
  )
})
