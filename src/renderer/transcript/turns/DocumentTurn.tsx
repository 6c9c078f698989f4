import { FileText } from 'lucide-react'
import { memo } from 'react'
import { Icon } from '../../ui/controls/Icon'
import { Markdown } from '../../ui/text/Markdown'
import { branchPointOf } from '../items/branch-points'
import { copyTextOf, entryLines, type ItemOf } from '../items/items'
import { EntryFlags, shownTimeMs, turnLabel } from '../parts/turn-labels'
import { TurnFrame, TurnTime } from './TurnFrame'

/** Turn of a page that the source kept whole. It is written for people, so it is shown as a page. */
export const DocumentTurn = memo(function DocumentTurn(props: {
  readonly item: ItemOf<'document'>
}) {
  const { item } = props
  const { entry } = item
  return (
    <TurnFrame
      itemKey={item.key}
      label={turnLabel('Archived page', entry.timestamp)}
      knot="tool"
      places={entryLines(entry)}
      copyText={() => copyTextOf(item)}
      point={branchPointOf(item)}
      head={
        <>
          <Icon of={FileText} />
          <b>Archived page</b>
          <span className="cut">{entry.file}</span>
          <TurnTime atMs={shownTimeMs(entry)} place={entry} />
          <EntryFlags entry={entry} />
        </>
      }
    >
      <div className="page-well">
        <Markdown text={entry.content} />
      </div>
    </TurnFrame>
  )
})
