import { scaleBand, scaleQuantize } from '@visx/scale'
import { useRef } from 'react'
import type { Statistics } from '../../../shared/model/statistics/statistics-shape'
import { useWidth } from '../../ui/behaviour/hooks'
import { formatQuantity } from '../../ui/format/format'
import { Decoration } from '../marks/Decoration'
import { conversationsText, hourName, weekdayName } from '../marks/labels'
import { Mark } from '../marks/Mark'
import { useShownMark } from '../marks/show-mark-context'
import { Tips } from '../marks/Tips'
import { useMarkKeys } from '../marks/use-mark-keys'

const weekdays = [1, 2, 3, 4, 5, 6, 7]
const hours = Array.from({ length: 24 }, (_, hour) => hour)
const left = 40
const rowHeight = 26
const axisHeight = 24
const levels = [1, 2, 3, 4] as const

/** Entries by weekday and hour: darker is more. */
export function HeatMap(props: { readonly rows: Statistics['hours'] }) {
  const { rows } = props
  const frame = useRef<HTMLDivElement>(null)
  const width = useWidth(frame)
  const show = useShownMark()
  const places = rows.map(({ weekday, hour }) => ({ row: weekday, column: hour }))
  const { keys, markAt } = useMarkKeys(places)
  const most = rows.reduce((max, { entries }) => Math.max(max, entries), 0)
  const level = scaleQuantize({ domain: [0, most], range: [...levels] })
  const x = scaleBand({ domain: hours, range: [left, Math.max(left, width)], paddingInner: 0.12 })
  const y = scaleBand({
    domain: weekdays,
    range: [0, rowHeight * weekdays.length],
    paddingInner: 0.12,
  })
  const cell = (weekday: number, hour: number) => ({
    x: x(hour) ?? 0,
    y: y(weekday) ?? 0,
    width: x.bandwidth(),
    height: y.bandwidth(),
    rx: 3,
  })
  return (
    <Tips>
      <div ref={frame} className="chart">
        {/* biome-ignore lint/a11y/useSemanticElements: a picture has no fieldset */}
        <svg
          width={width}
          height={rowHeight * weekdays.length + axisHeight}
          role="group"
          aria-label="Entries by weekday and hour"
          {...keys}
        >
          <Decoration>
            {weekdays.map((weekday) => (
              <text
                key={weekday}
                className="chart-text"
                x={0}
                y={(y(weekday) ?? 0) + y.bandwidth() / 2}
                dominantBaseline="central"
              >
                {weekdayName(weekday)}
              </text>
            ))}
            {hours
              .filter((hour) => hour % 3 === 0)
              .map((hour) => (
                <text
                  key={hour}
                  className="chart-text"
                  x={x(hour) ?? 0}
                  y={rowHeight * weekdays.length + axisHeight / 2}
                  dominantBaseline="central"
                >
                  {String(hour).padStart(2, '0')}
                </text>
              ))}
            {weekdays.flatMap((weekday) =>
              hours.map((hour) => (
                <rect key={`${weekday} ${hour}`} className="heat heat-0" {...cell(weekday, hour)} />
              )),
            )}
          </Decoration>
          {rows.map(({ weekday, hour, entries, conversations }, at) => {
            const name = `${weekdayName(weekday, true)}, ${hourName(hour)}`
            return (
              <Mark
                key={`${weekday} ${hour}`}
                label={`${name}: ${formatQuantity(entries, 'entry', 'entries')} in ${conversationsText(conversations)}`}
                place={markAt(places[at] ?? { row: weekday, column: hour })}
                onShow={() => show({ type: 'entries', weekday, hour }, name)}
              >
                <rect className={`heat heat-${level(entries)}`} {...cell(weekday, hour)} />
              </Mark>
            )
          })}
        </svg>
        <div className="heat-legend" aria-hidden="true">
          fewer
          {[0, ...levels].map((one) => (
            <span key={one} className={`heat-swatch heat-${one}`} />
          ))}
          more
        </div>
      </div>
    </Tips>
  )
}
