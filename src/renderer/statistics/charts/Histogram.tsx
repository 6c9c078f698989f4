import { scaleBand, scaleLinear } from '@visx/scale'
import { Bar } from '@visx/shape'
import { useRef } from 'react'
import type { StatisticsMark } from '../../../shared/model/statistics/marks'
import { useWidth } from '../../ui/behaviour/hooks'
import { Decoration } from '../marks/Decoration'
import { compactCount } from '../marks/labels'
import { Mark } from '../marks/Mark'
import { useShownMark } from '../marks/show-mark-context'
import { Tips } from '../marks/Tips'
import { useMarkKeys } from '../marks/use-mark-keys'

/** Bar of a histogram. */
export interface HistogramBar {
  /** In few characters, below the bar. */
  readonly tick: string
  /** In full: what it is of. */
  readonly name: string
  /** With all its numbers. */
  readonly label: string
  readonly value: number
  readonly mark: StatisticsMark
}

const height = 112
const axisHeight = 24
const topRoom = 18

/** Numbers by steps, a bar each with its number on top. Steps without a number have no bar. */
export function Histogram(props: {
  readonly label: string
  readonly bars: readonly HistogramBar[]
}) {
  const { label, bars } = props
  const frame = useRef<HTMLDivElement>(null)
  const width = useWidth(frame)
  const show = useShownMark()
  const drawn = bars.flatMap((bar, column) =>
    bar.value > 0 ? [{ bar, place: { row: 0, column } }] : [],
  )
  const { keys, markAt } = useMarkKeys(drawn.map(({ place }) => place))
  const columns = bars.map((_, at) => at)
  const x = scaleBand({ domain: columns, range: [0, width], padding: 0.16 })
  const most = bars.reduce((max, { value }) => Math.max(max, value), 1)
  const y = scaleLinear({ domain: [0, most], range: [height, topRoom] })
  return (
    <Tips>
      <div ref={frame} className="chart">
        {/* biome-ignore lint/a11y/useSemanticElements: a picture has no fieldset */}
        <svg width={width} height={height + axisHeight} role="group" aria-label={label} {...keys}>
          <line className="chart-line" x1={0} x2={width} y1={height} y2={height} />
          {bars.map(({ tick, value }, at) => (
            <Decoration key={tick}>
              <text
                className="chart-text middle"
                x={(x(at) ?? 0) + x.bandwidth() / 2}
                y={height + axisHeight / 2}
                dominantBaseline="central"
              >
                {tick}
              </text>
              {value > 0 && (
                <text
                  className="chart-text middle strong"
                  x={(x(at) ?? 0) + x.bandwidth() / 2}
                  y={y(value) - 8}
                  dominantBaseline="central"
                >
                  {compactCount(value)}
                </text>
              )}
            </Decoration>
          ))}
          {drawn.map(({ bar, place }) => (
            <Mark
              key={bar.tick}
              label={bar.label}
              place={markAt(place)}
              onShow={() => show(bar.mark, bar.name)}
            >
              {/* As wide as its step, so that a short bar is hit too. */}
              <rect
                className="hit-area"
                x={x(place.column) ?? 0}
                y={0}
                width={x.bandwidth()}
                height={height}
              />
              <Bar
                className="series-1"
                x={x(place.column) ?? 0}
                y={y(bar.value)}
                width={x.bandwidth()}
                height={height - y(bar.value)}
                rx={2}
              />
            </Mark>
          ))}
        </svg>
      </div>
    </Tips>
  )
}
