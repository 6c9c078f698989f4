import type { Statistics } from '../../../shared/model/statistics/statistics-shape'
import { formatCount, formatQuantity } from '../../ui/format/format'
import { HeatMap } from '../charts/HeatMap'
import { conversationsText, hourName, weekdayName } from '../marks/labels'
import { useShownMark } from '../marks/show-mark-context'
import { DataTable } from './DataTable'
import { Panel } from './Panel'

/** Entries by weekday and hour. */
export function WhenPanel(props: { readonly rows: Statistics['hours'] }) {
  const { rows } = props
  const show = useShownMark()
  return (
    <Panel
      title="When"
      about="entries by weekday and hour, local time"
      empty={rows.length === 0 ? 'No entry here has a time of its own.' : undefined}
      picture={<HeatMap rows={rows} />}
      table={
        <DataTable
          label="Entries by weekday and hour"
          most={12}
          columns={[
            { name: 'Hour' },
            { name: 'Entries', isNumber: true },
            { name: 'Conversations', isNumber: true },
          ]}
          rows={rows.map(({ weekday, hour, entries, conversations }) => {
            const name = `${weekdayName(weekday, true)}, ${hourName(hour)}`
            return {
              id: name,
              name,
              cells: [formatCount(entries), formatCount(conversations)],
              label: `${name}: ${formatQuantity(entries, 'entry', 'entries')} in ${conversationsText(conversations)}`,
              onShow: () => show({ type: 'entries', weekday, hour }, name),
            }
          })}
        />
      }
    />
  )
}
