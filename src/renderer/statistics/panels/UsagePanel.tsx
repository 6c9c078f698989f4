import { useMemo, useState } from 'react'
import type { Statistics } from '../../../shared/model/statistics/statistics-shape'
import { useStatistics } from '../../state/context'
import { SegmentedControl } from '../../ui/controls/SegmentedControl'
import { formatCount } from '../../ui/format/format'
import { SeriesSwatch } from '../charts/SeriesPatterns'
import { UsageChart } from '../charts/UsageChart'
import { type UsageGrouping, type UsageMeasure, usagePicture } from '../charts/usage-series'
import {
  compactCount,
  conversationsText,
  formatCost,
  modelName,
  projectName,
  stretchName,
} from '../marks/labels'
import { useShownMark } from '../marks/show-mark-context'
import { DataTable } from './DataTable'
import { Panel } from './Panel'

/** Tokens or cost over time, by model or by project. */
export function UsagePanel(props: { readonly usage: Statistics['usage'] }) {
  const { usage } = props
  const [measure, setMeasure] = useState<UsageMeasure>('tokens')
  const [by, setBy] = useState<UsageGrouping>('model')
  const filter = useStatistics(({ question }) => question?.filter)
  const rows = by === 'model' ? usage.byModel : usage.byProject
  const picture = useMemo(
    () => usagePicture(rows, { measure, by, step: usage.step, days: filter ?? {} }),
    [rows, measure, by, usage.step, filter],
  )
  const nameOf = (at: number) => seriesName(picture.series[at]?.name, by)
  const isEmpty = usage.byModel.length === 0
  return (
    <Panel
      title="Usage"
      about={`${measure === 'tokens' ? 'tokens' : 'US dollars'} by ${usage.step} and ${by}`}
      empty={isEmpty ? 'No answer here tells what it used.' : undefined}
      controls={
        <>
          <SegmentedControl
            label="Measure"
            value={measure}
            options={{ tokens: 'Tokens', cost: 'Cost' }}
            onChoose={setMeasure}
          />
          <SegmentedControl
            label="Grouped by"
            value={by}
            options={{ model: 'Model', project: 'Project' }}
            onChoose={setBy}
          />
        </>
      }
      picture={
        picture.series.length === 0 ? (
          <p className="t3 small">No answer here has a cost.</p>
        ) : (
          <>
            <UsageChart picture={picture} measure={measure} step={usage.step} nameOf={nameOf} />
            <ul className="legend" aria-label="Series">
              {picture.series.map(({ name, sum }, at) => (
                <li key={nameOf(at)}>
                  <SeriesSwatch at={at} name={name} />
                  <span className="cut">{nameOf(at)}</span>{' '}
                  <span className="number t2">
                    {measure === 'tokens' ? compactCount(sum) : formatCost(sum)}
                  </span>
                </li>
              ))}
            </ul>
          </>
        )
      }
      table={<UsageTable usage={usage} by={by} />}
    />
  )
}

function UsageTable(props: { readonly usage: Statistics['usage']; readonly by: UsageGrouping }) {
  const { usage, by } = props
  const show = useShownMark()
  return (
    <DataTable
      label={`Usage by ${usage.step} and ${by}`}
      most={12}
      columns={[
        { name: 'Time' },
        { name: by === 'model' ? 'Model' : 'Project' },
        { name: 'Read', isNumber: true },
        { name: 'Written', isNumber: true },
        { name: 'Cost', isNumber: true },
      ]}
      rows={(by === 'model' ? usage.byModel : usage.byProject).map((row) => {
        const { from, until, name, input, output, total, cost, conversations } = row
        const time = stretchName(from, until, usage.step)
        const of = seriesName(name, by)
        return {
          id: JSON.stringify([from, name]),
          name: time,
          cells: [of, formatCount(input), formatCount(output), formatCost(cost)],
          label: `${of}, ${time}: ${formatCount(total)} tokens in ${conversationsText(conversations)}`,
          onShow: () =>
            show(
              {
                type: 'usage',
                from,
                until,
                ...(by === 'model' ? { models: [name] } : { projects: [name] }),
              },
              `${of}, ${time}`,
            ),
        }
      })}
    />
  )
}

function seriesName(name: string | null | undefined, by: UsageGrouping): string {
  if (name === undefined) return 'Other'
  return by === 'model' ? modelName(name) : projectName(name)
}
