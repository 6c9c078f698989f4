import {
  Box,
  GitBranch,
  type LucideIcon,
  Settings2,
  SquareTerminal,
  Type,
  User,
  Zap,
} from 'lucide-react'
import { type CSSProperties, memo, useMemo } from 'react'
import { visibleText } from '../../shared/model/basics/visible'
import type { SearchHit } from '../../shared/model/search'
import type { ListedHit } from '../state/search-state'
import { Icon } from '../ui/controls/Icon'
import { exactTime, formatCount, formatQuantity, listTime } from '../ui/format/format'
import { useHitTitle } from './HitHead'
import { snippetParts } from './snippet'

/** Row of a hit: speaker or field, time, and the snippet. */
export const HitRow = memo(function HitRow(props: {
  readonly id: string
  readonly found: ListedHit
  readonly nowMs: number
  readonly unitsBeforeMark: number
  readonly isSelected: boolean
  readonly isCursor: boolean
  readonly position: number
  readonly total: number
  readonly style: CSSProperties
  readonly onOpen: (found: ListedHit) => void
  readonly onPoint: (id: number) => void
}) {
  const { found, isSelected, isCursor, unitsBeforeMark } = props
  const { hit } = found
  const { title } = useHitTitle(found)
  const parts = useMemo(
    () => snippetParts(hit.snippet, hit.ranges, unitsBeforeMark),
    [hit, unitsBeforeMark],
  )
  const { icon, words } = speakerOf(hit)
  const ms = hit.timestamp === null ? undefined : hit.timestamp * 1000
  const isCode = hit.field === 'arguments' || hit.field === 'result'
  const others = hit.also?.length ?? 0
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list box has the keys for all of its options
    // biome-ignore lint/a11y/useFocusableInteractive: the list box has the focus and names its active option
    <div
      id={props.id}
      role="option"
      aria-selected={isSelected}
      aria-setsize={props.total}
      aria-posinset={props.position}
      className={`hit ${isSelected ? 'selected' : ''} ${isCursor ? 'cursor' : ''}`}
      style={props.style}
      title={placeOf(hit, ms)}
      onClick={() => props.onOpen(found)}
      onPointerMove={() => props.onPoint(found.id)}
    >
      <Icon of={icon} />
      <span className="hit-body">
        <span className="hit-meta">
          <span className="label t2 cut">{words}</span>
          {hit.line !== null && <span className="mono hit-line">line {formatCount(hit.line)}</span>}
          {others > 0 && (
            <span className="chip hit-also">
              <Icon of={GitBranch} size={12} />
              {`also in ${formatQuantity(others, 'other')}`}
            </span>
          )}
          {ms !== undefined && <span className="hit-time number">{listTime(ms, props.nowMs)}</span>}
        </span>
        <span className={`hit-snippet ${isCode ? 'mono' : ''}`} dir="auto">
          {parts.map(({ text, isMarked }, index) =>
            isMarked ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, in its order
              <mark key={index}>{visibleText(text)}</mark>
            ) : (
              // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, in its order
              <span key={index}>{visibleText(text)}</span>
            ),
          )}
        </span>
      </span>
      <span className="unseen">in {title}</span>
    </div>
  )
})

function speakerOf({ field, role, tool }: SearchHit): {
  readonly icon: LucideIcon
  readonly words: string
} {
  const name = tool === undefined ? undefined : visibleText(tool)
  switch (field) {
    case 'title':
      return { icon: Type, words: 'Title' }
    case 'arguments':
      return { icon: Zap, words: name === undefined ? 'Tool call' : `Arguments of ${name}` }
    case 'result':
      return {
        icon: SquareTerminal,
        words: name === undefined ? 'Tool result' : `Result of ${name}`,
      }
    case 'content':
      if (role === 'user') return { icon: User, words: 'You' }
      if (role === 'agent') return { icon: Box, words: 'Answer' }
      if (role === 'system') return { icon: Settings2, words: 'System' }
      return { icon: Box, words: 'Text' }
  }
}

function placeOf({ file, line, also = [] }: SearchHit, ms: number | undefined): string {
  return [
    ...(ms === undefined ? [] : [exactTime(ms)]),
    ...(file === undefined ? [] : [line === null ? file : `${file}, line ${formatCount(line)}`]),
    ...also.map(({ source, key }) => `also in ${source}: ${key}`),
  ]
    .map(visibleText)
    .join('\n')
}
