import { CodeXml } from 'lucide-react'
import type { ReactNode } from 'react'
import { useReading, useStores } from '../state/context'
import { IconButton } from '../ui/Button'
import { CopyButton } from '../ui/CodeBlock'
import { clockTime, count, exactTime } from '../ui/format'
import { Tooltip } from '../ui/Tooltip'
import { type LinePlace, RawLines } from './RawLines'

/** The sign on the strand that says what a turn is. */
export type Knot = 'user' | 'model' | 'tool' | 'bad' | 'none'

/** One entry of the transcript on the strand, with what can be done to it. */
export function Turn(props: {
  readonly itemKey: string
  readonly label: string
  readonly knot: Knot
  /** Who speaks and what is known of it; without it, the turn follows closely on the one before. */
  readonly head?: ReactNode
  readonly places: readonly LinePlace[]
  /** What C and the button copy. */
  readonly copyText: () => string
  readonly hasActions?: boolean
  readonly className?: string
  readonly children: ReactNode
}) {
  const { itemKey, label, knot, head, places, hasActions = true } = props
  const isRaw = useReading(({ rawShown }) => rawShown[itemKey] === true)
  const actions = hasActions && places.length > 0 && (
    <TurnActions itemKey={itemKey} places={places} copyText={props.copyText} isRaw={isRaw} />
  )
  return (
    <article
      className={`turn ${head === undefined ? 'tight' : ''} ${props.className ?? ''}`}
      aria-label={label}
      data-item={itemKey}
      tabIndex={-1}
    >
      {knot !== 'none' && <span className={`knot ${knot}`} />}
      {head === undefined ? (
        actions && <div className="turn-floating">{actions}</div>
      ) : (
        <header className="turn-head">
          {head}
          {actions}
        </header>
      )}
      {props.children}
      {isRaw && <RawLines places={places} />}
    </article>
  )
}

function TurnActions(props: {
  readonly itemKey: string
  readonly places: readonly LinePlace[]
  readonly copyText: () => string
  readonly isRaw: boolean
}) {
  const { itemKey, places, isRaw } = props
  const { reading, transcript } = useStores()

  function toggleRaw(): void {
    const { key } = transcript.getState()
    if (key !== undefined) void reading.getState().toggleRaw(itemKey, key, places)
  }
  return (
    <span className="turn-actions">
      <CopyButton label="Copy" text={props.copyText} />
      <IconButton
        label={isRaw ? 'Hide source line' : 'Show source line'}
        keys={['R']}
        icon={CodeXml}
        size="medium"
        isExpanded={isRaw}
        onClick={toggleRaw}
      />
    </span>
  )
}

/** When an entry was written; the tooltip has the exact time and the place on the disk. */
export function TurnTime(props: { readonly atMs: number | undefined; readonly place: LinePlace }) {
  const { atMs, place } = props
  if (atMs === undefined) return null
  return (
    <Tooltip text={`${exactTime(atMs)}\n${placeWords(place)}`}>
      <time className="number" dateTime={new Date(atMs).toISOString()}>
        {clockTime(atMs)}
      </time>
    </Tooltip>
  )
}

/** Where a line stands, in words. */
function placeWords(place: LinePlace): string {
  const where = place.line === undefined ? '' : `, line ${count(place.line)}`
  return `${place.file}${where}, byte ${count(place.offset)}`
}
