import { AxisLeft } from '@visx/axis'
import { scaleBand, scaleLinear } from '@visx/scale'
import { BarStack } from '@visx/shape'
import { useId, useMemo, useRef } from 'react'
import type { CalendarStep } from '../../../shared/model/statistics/calendar'
import { useWidth } from '../../ui/behaviour/hooks'
import { formatQuantity } from '../../ui/format/format'
import { Decoration } from '../marks/Decoration'
import { compactCount, conversationsText, formatCost, stretchName, tickName } from '../marks/labels'
import { Mark } from '../marks/Mark'
import { useShownMark } from '../marks/show-mark-context'
import { Tips } from '../marks/Tips'
import { useMarkKeys } from '../marks/use-mark-keys'
import { SeriesPatterns, seriesFill } from './SeriesPatterns'
import type { UsageMeasure, UsagePicture, UsageSegment, UsageStretch } from './usage-series'

const height = 168
const axisHeight = 24
const left = 48
const topRoom = 8
/** Room of a tick's text, in pixels. */
const tickWidth = 48

/** Usage over time: a bar for each stretch of days, parted by series. */
export function UsageChart(props: {
  readonly picture: UsagePicture
  readonly measure: UsageMeasure
  readonly step: CalendarStep
  readonly nameOf: (series: number) => string
}) {
  const { picture, measure, step, nameOf } = props
  const { series, stretches } = picture
  const frame = useRef<HTMLDivElement>(null)
  const width = useWidth(frame)
  const patterns = useId()
  const show = useShownMark()
  const places = useMemo(
    () =>
      stretches.flatMap(({ segments }, column) =>
        // As they are stacked: the first one is at the foot.
        segments.map(({ series: at }) => ({ row: series.length - at, column })),
      ),
    [series.length, stretches],
  )
  const { keys, markAt } = useMarkKeys(places)
  const sumOf = ({ segments }: UsageStretch) => segments.reduce((sum, { value }) => sum + value, 0)
  const most = stretches.reduce((max, one) => Math.max(max, sumOf(one)), 0) || 1
  const x = scaleBand({
    domain: stretches.map(({ from }) => from),
    range: [left, Math.max(left, width)],
    padding: 0.24,
  })
  const y = scaleLinear({ domain: [0, most], range: [height, topRoom], nice: 4 })
  const everyTick = Math.ceil((stretches.length * tickWidth) / Math.max(1, width - left))
  const valueText = (value: number) =>
    measure === 'tokens' ? formatQuantity(Math.round(value), 'token') : formatCost(value)
  const segmentAt = (column: number, at: number): UsageSegment | undefined =>
    stretches[column]?.segments.find((segment) => segment.series === at)
  return (
    <Tips>
      <div ref={frame} className="chart">
        {/* biome-ignore lint/a11y/useSemanticElements: a picture has no fieldset */}
        <svg
          width={width}
          height={height + axisHeight}
          role="group"
          aria-label={measure === 'tokens' ? 'Tokens over time' : 'Cost over time'}
          {...keys}
        >
          <SeriesPatterns id={patterns} />
          <Decoration>
            {y.ticks(4).map((tick) => (
              <line
                key={tick}
                className="chart-line"
                x1={left}
                x2={width}
                y1={y(tick)}
                y2={y(tick)}
              />
            ))}
            <AxisLeft
              scale={y}
              left={left}
              numTicks={4}
              hideAxisLine
              hideTicks
              tickFormat={(value) =>
                measure === 'tokens' ? compactCount(Number(value)) : formatCost(Number(value))
              }
              tickLabelProps={{ className: 'chart-text end', dx: -4, dy: 3 }}
            />
            {stretches.map(({ from }, at) =>
              at % everyTick === 0 ? (
                <text
                  key={from}
                  className="chart-text middle"
                  x={(x(from) ?? 0) + x.bandwidth() / 2}
                  y={height + axisHeight / 2}
                  dominantBaseline="central"
                >
                  {tickName(from, step)}
                </text>
              ) : null,
            )}
          </Decoration>
          <BarStack
            data={[...stretches]}
            keys={series.map((_, at) => String(at))}
            value={({ segments }, key) =>
              segments.find((segment) => segment.series === Number(key))?.value ?? 0
            }
            x={({ from }: UsageStretch) => from}
            xScale={x}
            yScale={y}
            color={(key) => seriesFill(patterns, Number(key), series[Number(key)]?.name)}
          >
            {(stacks) =>
              stacks.flatMap(({ key, bars }) =>
                bars.flatMap((bar) => {
                  const at = Number(key)
                  const segment = segmentAt(bar.index, at)
                  const stretch = stretches[bar.index]
                  if (segment === undefined || stretch === undefined) return []
                  const name = `${nameOf(at)}, ${stretchName(stretch.from, stretch.until, step)}`
                  const where =
                    segment.conversations === undefined
                      ? ''
                      : ` in ${conversationsText(segment.conversations)}`
                  return [
                    <Mark
                      key={`${key} ${stretch.from}`}
                      label={`${name}: ${valueText(segment.value)}${where}`}
                      place={markAt({ row: series.length - at, column: bar.index })}
                      onShow={() => show(segment.mark, name)}
                    >
                      <rect
                        x={bar.x}
                        // A gap of a pixel parts it from the one above.
                        y={bar.y + (bar.height > 3 ? 1 : 0)}
                        width={bar.width}
                        height={Math.max(1, bar.height - 1)}
                        fill={bar.color}
                      />
                    </Mark>,
                  ]
                }),
              )
            }
          </BarStack>
        </svg>
      </div>
    </Tips>
  )
}
