import {
  Box,
  FileWarning,
  GitBranch,
  type LucideIcon,
  Settings2,
  SquareTerminal,
  Type,
  User,
  Zap,
} from 'lucide-react'
import { type CSSProperties, memo } from 'react'
import { visibleText } from '../../shared/model/basics/visible'
import type { SearchHit } from '../../shared/model/search'
import type { ListedHit } from '../state/search-state'
import { Icon } from '../ui/controls/Icon'
import { exactTime, formatCount, formatQuantity, listTime } from '../ui/format/format'
import { hitSpeaker } from '../ui/format/hit-speaker'
import { MarkedSnippet } from '../ui/text/MarkedSnippet'
import { useHitTitle } from './HitHead'

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
  readonly onPress: (found: ListedHit) => void
  readonly onPoint: (id: number) => void
}) {
  const { found, isSelected, isCursor, unitsBeforeMark } = props
  const { hit } = found
  const { title, kept } = useHitTitle(found)
  const ms = hit.timestamp === null ? undefined : hit.timestamp * 1000
  const isCode = hit.field !== 'content' && hit.field !== 'title'
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
      onClick={() => props.onPress(found)}
      onPointerMove={() => props.onPoint(found.id)}
    >
      <Icon of={iconOf(hit)} />
      <span className="hit-body">
        <span className="hit-meta">
          <span className="label t2 cut">{hitSpeaker(hit)}</span>
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
          <MarkedSnippet
            snippet={hit.snippet}
            ranges={hit.ranges}
            unitsBeforeMark={unitsBeforeMark}
          />
        </span>
      </span>
      <span className="unseen">
        in {title}
        {kept !== undefined && `, ${kept}`}
      </span>
    </div>
  )
})

function iconOf({ field, role }: SearchHit): LucideIcon {
  if (field === 'title') return Type
  if (field === 'arguments') return Zap
  if (field === 'result') return SquareTerminal
  if (field === 'damaged') return FileWarning
  return role === 'user' ? User : role === 'system' ? Settings2 : Box
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
