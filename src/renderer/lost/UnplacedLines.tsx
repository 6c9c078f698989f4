import type { DamagedLine } from '../../shared/model/conversation/transcript'
import { formatCount } from '../ui/format/format'
import { LostLine } from './LostLine'

/** List of the first lines of a file that belong to no conversation, with the number of the others. */
export function UnplacedLines(props: {
  readonly lines: readonly DamagedLine[]
  /** Number of all lines. */
  readonly total: number
  readonly title: string
}) {
  const { lines, total, title } = props
  const rest = total - lines.length
  return (
    <div className="lost-lines">
      <ul className="lost-line-list" aria-label={`Lines of ${title} outside any conversation`}>
        {lines.map((line) => (
          <LostLine
            key={`${line.file}:${line.offset}`}
            of={undefined}
            line={line}
            startsOpen={total === 1}
          />
        ))}
      </ul>
      {rest > 0 && <p className="lost-more t3 small number">and {formatCount(rest)} more</p>}
    </div>
  )
}
