import { FileText } from 'lucide-react'
import { memo } from 'react'
import { Icon } from '../ui/Icon'
import { Markdown } from '../ui/Markdown'
import { copyTextOf, type ItemOf, linesOf } from './items'
import { pointOf } from './points'
import { Turn, TurnTime } from './Turn'
import { Marks, msOf, spoken } from './turn-words'

/** A page that the source kept whole: who says what in it was written for people, so it is shown as a page. */
export const DocumentTurn = memo(function DocumentTurn(props: {
  readonly item: ItemOf<'document'>
}) {
  const { item } = props
  const { entry } = item
  return (
    <Turn
      itemKey={item.key}
      label={spoken('Archived page', entry.timestamp)}
      knot="tool"
      places={linesOf(entry)}
      copyText={() => copyTextOf(item)}
      point={pointOf(item)}
      head={
        <>
          <Icon of={FileText} />
          <b>Archived page</b>
          <span className="cut">{entry.file}</span>
          <TurnTime atMs={msOf(entry)} place={entry} />
          <Marks entry={entry} />
        </>
      }
    >
      <div className="page-well">
        <Markdown text={entry.content} />
      </div>
    </Turn>
  )
})
