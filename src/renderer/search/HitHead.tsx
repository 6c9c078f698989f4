import { Archive } from 'lucide-react'
import { type CSSProperties, memo } from 'react'
import { backupWords } from '../../shared/model/backup/backup'
import { visibleText } from '../../shared/model/basics/visible'
import { libraryKeyOf } from '../../shared/model/conversation/conversation'
import { sourceLabel } from '../../shared/model/conversation/sources'
import { useLibraryState } from '../state/context'
import type { ListedHit } from '../state/search-state'
import { Icon } from '../ui/controls/Icon'
import { SourceMark } from '../ui/controls/SourceMark'
import { formatQuantity } from '../ui/format/format'

/** Head of a conversation in the list of hits. */
export const HitHead = memo(function HitHead(props: {
  readonly first: ListedHit
  readonly count: number
  readonly isSticky: boolean
  readonly style: CSSProperties
}) {
  const { hit } = props.first
  const { title, project, kept } = useHitTitle(props.first)
  return (
    <div
      className={`hit-head ${props.isSticky ? 'sticky' : ''}`}
      role="presentation"
      style={props.style}
    >
      {/* The names of the hits contain the conversation, since a list box may hold only options. */}
      <span aria-hidden="true">
        <SourceMark source={hit.source} />
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
