import { memo } from 'react'
import { LongText } from '../../ui/text/LongText'
import { branchPointOf } from '../items/branch-points'
import { entryLines, type ItemOf } from '../items/items'
import { EntryFlags, shownTimeMs, turnLabel } from '../parts/turn-labels'
import { TurnFrame, TurnTime } from './TurnFrame'

/** Turn of an entry of an unknown type or without a speaker: its content, with its type. */
export const OtherTurn = memo(function OtherTurn(props: { readonly item: ItemOf<'other'> }) {
  const { item } = props
  const { entry } = item
  return (
    <TurnFrame
      itemKey={item.key}
      label={turnLabel(`Entry of type ${entry.entry_type}`, entry.timestamp)}
      knot="tool"
      places={entryLines(entry)}
      copyText={() => entry.content}
      point={branchPointOf(item)}
      head={
        <>
          <span className="chip line mono">{entry.entry_type}</span>
          <span className="cut">
            {entry.from} → {entry.to}
          </span>
          <TurnTime atMs={shownTimeMs(entry)} place={entry} />
          <EntryFlags entry={entry} />
        </>
      }
    >
      <div className="block-well">
        {entry.content === '' ? (
          <span className="t3 small">No content</span>
        ) : (
          <LongText text={entry.content} firstLines={12} label="Content" />
        )}
      </div>
    </TurnFrame>
  )
})
