import { Archive, ChevronDown, ChevronRight } from 'lucide-react'
import { type CSSProperties, memo } from 'react'
import { backupWords } from '../../shared/model/backup/backup'
import { visibleText } from '../../shared/model/basics/visible'
import { libraryKeyOf } from '../../shared/model/conversation/conversation'
import { sourceLabel } from '../../shared/model/conversation/sources'
import { useLibraryState, useStores } from '../state/context'
import type { ListedHit } from '../state/search-state'
import { Icon } from '../ui/controls/Icon'
import { SourceMark } from '../ui/controls/SourceMark'
import { formatQuantity } from '../ui/format/format'

/** Head of a conversation in the list of hits. With its hits folded behind it, it is an option of the list. */
export const HitHead = memo(function HitHead(props: {
  readonly first: ListedHit
  readonly count: number
  readonly isSticky: boolean
  readonly isFolded: boolean
  /** Of the option. */
  readonly id: string
  readonly isSelected: boolean
  readonly isCursor: boolean
  readonly position: number
  readonly total: number
  readonly style: CSSProperties
}) {
  const { search } = useStores()
  const { first, isFolded, isSelected, isCursor } = props
  const { title, project, kept } = useHitTitle(first)
  const option = isFolded
    ? {
        id: props.id,
        role: 'option' as const,
        'aria-selected': isSelected,
        'aria-setsize': props.total,
        'aria-posinset': props.position,
      }
    : { role: 'presentation' as const }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list box has the keys for all of its options
    // biome-ignore lint/a11y/noStaticElementInteractions: it is an option, or folds by the keys of the list box
    <div
      className={`hit-head ${props.isSticky ? 'sticky' : ''} ${isSelected ? 'selected' : ''} ${isCursor ? 'cursor' : ''}`}
      style={props.style}
      {...option}
      onClick={() => {
        search.getState().select(first.id)
        search.getState().setFolded(first.group, !isFolded)
      }}
    >
      <Icon of={isFolded ? ChevronRight : ChevronDown} size={12} />
      {/* The names of the hits contain the conversation, since a list box may hold only options. */}
      <span aria-hidden="true">
        <SourceMark source={first.hit.source} />
      </span>
      <span className="strong cut" title={title}>
        {title}
      </span>
      {kept !== undefined && (
        <span className="hit-backup t3 small" title={kept}>
          <Icon of={Archive} size={12} />
          backup
        </span>
      )}
      {project !== null && <span className="t3 small cut hit-project">{project}</span>}
      <span className="hit-count t3 small number">{formatQuantity(props.count, 'hit')}</span>
      {isFolded && <span className="unseen">, folded</span>}
    </div>
  )
})

/**
 * Returns the title and project of a hit's conversation, its key in place of a title that the library does not have; and why it
 * is read from a backup, where it is.
 */
export function useHitTitle({ hit }: ListedHit): {
  readonly title: string
  readonly project: string | null
  readonly kept: string | undefined
} {
  const key = libraryKeyOf(hit.source, hit.key)
  const summary = useLibraryState(({ conversations }) =>
    conversations.find((known) => known.key === key),
  )
  const backup = summary?.backup
  return {
    title: visibleText(summary?.title ?? hit.key),
    project: summary?.project ?? null,
    kept: backup === undefined ? undefined : backupWords(backup, sourceLabel(hit.source)),
  }
}
