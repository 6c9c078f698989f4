import type { Statistics } from '../../../shared/model/statistics/statistics-shape'
import { isInStep, type StepRange } from '../../../shared/model/statistics/steps'
import { formatCount, formatQuantity } from '../../ui/format/format'
import { Histogram, type HistogramBar } from '../charts/Histogram'
import { conversationsText, countRange, secondsRange, secondsText } from '../marks/labels'
import { useShownMark } from '../marks/show-mark-context'
import { DataTable } from './DataTable'
import { Panel } from './Panel'

/** Conversations by their length. */
export function LengthsPanel(props: {
  readonly lengths: Statistics['lengths']
  readonly averageEntries: number
}) {
  const bars = props.lengths.map(({ conversations, ...range }, step): HistogramBar => {
    const name = countRange(range, 'entry', 'entries')
    return {
      tick: tickOf(range),
      name,
      label: `${name}: ${conversationsText(conversations)}`,
      value: conversations,
      mark: { type: 'length', step },
    }
  })
  return (
    <StepPanel
      title="Lengths"
      about={`conversations by entries, shared ones included; ${formatCount(props.averageEntries)} own on average`}
      label="Conversations by length"
      first="Length"
      second="Conversations"
      bars={bars}
      empty="There is no conversation here."
    />
  )
}

/** Families by their branches. */
export function BranchesPanel(props: { readonly branches: Statistics['branches'] }) {
  const { forked, leaves, steps } = props.branches
  const bars = steps.map(({ families, conversations, ...range }, step): HistogramBar => {
    const name = countRange(range, 'branch', 'branches')
    return {
      tick: tickOf(range),
      name: `Families with ${name.toLowerCase()}`,
      label: `${name}: ${formatQuantity(families, 'family', 'families')}, ${conversationsText(conversations)}`,
      value: families,
      mark: { type: 'branches', step },
    }
  })
  return (
    <StepPanel
      title="Branches"
      about={`families by branches; ${formatCount(forked)} forked, ${formatQuantity(leaves, 'branch', 'branches')} in all`}
      label="Families by branches"
      first="Branches"
      second="Families"
      bars={bars}
      empty="There is no conversation here."
    />
  )
}

/** Turn-around times of voices. */
export function VoicePanel(props: { readonly speech: NonNullable<Statistics['speech']> }) {
  const { turnaround, turnarounds } = props.speech
  const bars = turnarounds.map(({ turns, conversations, ...range }, step): HistogramBar => {
    const name = secondsRange(range)
    return {
      tick: range.until === null ? `${range.from}+ s` : `${range.from}–${range.until}`,
      name: `Turnaround of ${name}`,
      label: `${name}: ${formatQuantity(turns, 'turn')} in ${conversationsText(conversations)}`,
      value: turns,
      mark: { type: 'turnaround', step },
    }
  })
  return (
    <StepPanel
      title="Voice"
      about={
        turnaround === null
          ? 'from one side to the other'
          : `from one side to the other; ${secondsText(turnaround.average)} on average, ${secondsText(turnaround.min)} to ${secondsText(turnaround.max)}`
      }
      label="Turns by seconds"
      first="Seconds"
      second="Turns"
      bars={bars}
      empty="Nobody answered anybody here."
    />
  )
}

function StepPanel(props: {
  readonly title: string
  readonly about: string
  readonly label: string
  readonly first: string
  readonly second: string
  readonly bars: readonly HistogramBar[]
  readonly empty: string
}) {
  const { title, about, label, first, second, bars } = props
  const show = useShownMark()
  return (
    <Panel
      title={title}
      about={about}
      empty={bars.every(({ value }) => value === 0) ? props.empty : undefined}
      picture={<Histogram label={label} bars={bars} />}
      table={
        <DataTable
          label={label}
          most={bars.length}
          columns={[{ name: first }, { name: second, isNumber: true }]}
          rows={bars
            .filter(({ value }) => value > 0)
            .map((bar) => ({
              id: bar.tick,
              name: bar.label.slice(0, bar.label.indexOf(':')),
              cells: [formatCount(bar.value)],
              label: bar.label,
              onShow: () => show(bar.mark, bar.name),
            }))}
        />
      }
    />
  )
}

/** A step in few characters: its first number, with a plus where it has no end, and a dash where it has several. */
function tickOf(range: StepRange): string {
  const { from, until } = range
  if (until === null) return `${formatCount(from)}+`
  return isInStep(from + 1, range)
    ? `${formatCount(from)}–${formatCount(until - 1)}`
    : formatCount(from)
}
