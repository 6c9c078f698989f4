import { CodeXml, EyeOff, GitBranch, Pencil, RotateCcw } from 'lucide-react'
import { type ReactNode, useContext } from 'react'
import { useBranches, useReading } from '../../state/context'
import { IconButton } from '../../ui/controls/Button'
import { Icon } from '../../ui/controls/Icon'
import { Tooltip } from '../../ui/controls/Tooltip'
import { clockTime, exactTime, formatCount } from '../../ui/format/format'
import { CopyButton } from '../../ui/text/CodeBlock'
import type { BranchPoint } from '../items/branch-points'
import { OutsideContextWindow } from '../items/context-window-border'
import { PreviewedParts } from '../items/previewed'
import { ForkMarker } from '../parts/ForkMarker'
import { type NumberedLine, RawLines } from '../parts/RawLines'
import { SubagentLinks } from '../parts/SubagentLinks'
import { TurnCost } from '../parts/TurnCost'
import { TurnLabels, useHasLabels } from '../parts/TurnLabels'
import { TurnNotes } from '../parts/TurnNotes'
import { useTurnActions } from '../parts/use-turn-actions'

/** Sign on the strand for the kind of a turn. */
export type TurnKnot = 'user' | 'model' | 'tool' | 'bad' | 'none'

/** Source line of a turn, with the id of its entry where it has one. */
export type TurnLine = NumberedLine

/** Frame of a turn on the strand: its head, its actions, notes and source lines. */
export function TurnFrame(props: {
  readonly itemKey: string
  readonly label: string
  readonly knot: TurnKnot
  /** Speaker, time and flags; without a head the turn follows closely on the one before. */
  readonly head?: ReactNode
  readonly places: readonly TurnLine[]
  /** Returns the text that C and the button copy. */
  readonly copyText: () => string
  /** Where a branch can begin at this turn. */
  readonly point?: BranchPoint | undefined
  readonly hasActions?: boolean
  readonly className?: string
  readonly children: ReactNode
}) {
  const { itemKey, label, knot, head, places, hasActions = true } = props
  const isOut = useContext(OutsideContextWindow)
  const isPreviewed = useContext(PreviewedParts) !== undefined
  const isRaw = useReading(({ rawShown }) => rawShown[itemKey] === true)
  const fork = useBranches(({ forks }) => {
    const at = places.find(({ id }) => id !== undefined && forks.has(id))
    return at?.id === undefined ? undefined : forks.get(at.id)
  })
  const subagents = useBranches((state) => {
    const at = places.find(({ id }) => id !== undefined && state.subagents.has(id))
    return at?.id === undefined ? undefined : state.subagents.get(at.id)
  })
  const actions = hasActions && !isPreviewed && places.length > 0 && (
    <TurnActions
      itemKey={itemKey}
      places={places}
      copyText={props.copyText}
      point={props.point}
      isRaw={isRaw}
    />
  )
  const hasHead = head !== undefined || fork !== undefined
  const labels = useHasLabels(itemKey, places) && <TurnLabels itemKey={itemKey} places={places} />
  return (
    <article
      className={`turn ${hasHead ? '' : 'tight'} ${props.className ?? ''}`}
      aria-label={isOut ? `${label}, no longer sent to the model` : label}
      data-item={itemKey}
      tabIndex={-1}
    >
      {knot !== 'none' && <span className={`knot ${knot}`} />}
      {hasHead ? (
        <header className="turn-head">
          {head ?? <span>Branches here</span>}
          {labels}
          <TurnCost itemKey={itemKey} />
          {isOut && <OutMark />}
          {actions || <span className="grow" />}
          {fork !== undefined && <ForkMarker fork={fork} />}
        </header>
      ) : (
        actions && (
          <div className="turn-floating">
            <TurnCost itemKey={itemKey} />
            {actions}
          </div>
        )
      )}
      {!hasHead && labels && <div className="turn-marks">{labels}</div>}
      {props.children}
      {subagents !== undefined && <SubagentLinks subagents={subagents} />}
      <TurnNotes itemKey={itemKey} />
      {isRaw && <RawLines places={places} />}
    </article>
  )
}

/** Sign that a turn is no longer sent to the model. */
function OutMark() {
  return (
    <Tooltip text="The model no longer gets this message. It stays in the conversation.">
      <span className="out-mark">
        <Icon of={EyeOff} size={12} label="no longer sent to the model" />
      </span>
    </Tooltip>
  )
}

function TurnActions(props: {
  readonly itemKey: string
  readonly places: readonly TurnLine[]
  readonly copyText: () => string
  readonly point: BranchPoint | undefined
  readonly isRaw: boolean
}) {
  const { itemKey, places, point, isRaw } = props
  const acts = useTurnActions()
  return (
    <span className="turn-actions">
      <CopyButton label="Copy" text={props.copyText} />
      {point !== undefined && (
        <IconButton
          label="Branch here"
          keys={['B']}
          icon={GitBranch}
          size="medium"
          onClick={() => acts.branch(itemKey, point)}
        />
      )}
      {point?.speaker === 'user' && (
        <IconButton
          label="Edit"
          keys={['E']}
          icon={Pencil}
          size="medium"
          onClick={() => acts.openEdit(itemKey, point)}
        />
      )}
      {point?.speaker === 'agent' && (
        <IconButton
          label="Regenerate"
          icon={RotateCcw}
          size="medium"
          onClick={() => acts.regenerate(itemKey, point)}
        />
      )}
      <IconButton
        label={isRaw ? 'Hide source line' : 'Show source line'}
        keys={['R']}
        icon={CodeXml}
        size="medium"
        isExpanded={isRaw}
        onClick={() => acts.toggleRaw(itemKey, places)}
      />
    </span>
  )
}

/** Time of an entry, with the exact time and the line in a tooltip. */
export function TurnTime(props: {
  readonly atMs: number | undefined
  readonly place: NumberedLine
}) {
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

/** Describes the position of a line. */
function placeWords(place: NumberedLine): string {
  const where = place.line === undefined ? '' : `, line ${formatCount(place.line)}`
  return `${place.file}${where}, byte ${formatCount(place.offset)}`
}
