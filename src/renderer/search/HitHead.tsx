import { type CSSProperties, memo } from 'react'
import { visibleText } from '../../shared/model/basics/visible'
import { libraryKeyOf } from '../../shared/model/conversation/conversation'
import { useLibraryState } from '../state/context'
import type { ListedHit } from '../state/search-state'
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
  const { title, project } = useHitTitle(props.first)
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
      {project !== null && <span className="t3 small cut hit-project">{project}</span>}
      <span className="hit-count t3 small number">{formatQuantity(props.count, 'hit')}</span>
    </div>
  )
})

/**
 * Returns the title and project of a hit's conversation; its key in place of a title that the library does not have.
 */
export function useHitTitle({ hit }: ListedHit): {
  readonly title: string
  readonly project: string | null
} {
  const key = libraryKeyOf(hit.source, hit.key)
  const summary = useLibraryState(({ conversations }) =>
    conversations.find((known) => known.key === key),
  )
  return { title: visibleText(summary?.title ?? hit.key), project: summary?.project ?? null }
}
