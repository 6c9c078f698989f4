import { ChartColumn, Table } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { useStatistics, useStores } from '../../state/context'
import { IconButton } from '../../ui/controls/Button'

/** Part of the view: a heading, what it shows, and either a picture or the same numbers as a table. */
export function Panel(props: {
  readonly title: string
  readonly about: string
  readonly picture: ReactNode
  /** Absent where the picture is a table. */
  readonly table?: ReactNode
  readonly controls?: ReactNode
  /** True where there is nothing to show; `empty` says so. */
  readonly empty?: string | undefined
}) {
  const { title, about, picture, table, controls, empty } = props
  const { statistics } = useStores()
  const isTable = useStatistics(({ tables }) => tables.has(title))
  const heading = useId()
  return (
    <section className="panel" aria-labelledby={heading}>
      <div className="panel-head">
        <h2 id={heading} className="panel-title">
          {title}
        </h2>
        <span className="t3 small cut grow">{about}</span>
        {empty === undefined && controls}
        {empty === undefined && table !== undefined && (
          <IconButton
            label={isTable ? `${title}: show as a picture` : `${title}: show as a table`}
            icon={isTable ? ChartColumn : Table}
            size="medium"
            onClick={() => statistics.getState().toggleTable(title)}
          />
        )}
      </div>
      {empty !== undefined ? <p className="t3 small">{empty}</p> : isTable ? table : picture}
    </section>
  )
}
