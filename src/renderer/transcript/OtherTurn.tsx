import { memo } from 'react'
import { LongText } from '../ui/LongText'
import { type ItemOf, linesOf } from './items'
import { pointOf } from './points'
import { Turn, TurnTime } from './Turn'
import { Marks, msOf, spoken } from './turn-words'

/** An entry of a type that Skein does not know, or that nobody speaks: as it is, with its type. */
export const OtherTurn = memo(function OtherTurn(props: { readonly item: ItemOf<'other'> }) {
  const { item } = props
  const { entry } = item
  return (
    <Turn
      itemKey={item.key}
      label={spoken(`Entry of type ${entry.entry_type}`, entry.timestamp)}
      knot="tool"
      places={linesOf(entry)}
      copyText={() => entry.content}
      point={pointOf(item)}
      head={
        <>
          <span className="chip line mono">{entry.entry_type}</span>
          <span className="cut">
            {entry.from} → {entry.to}
          </span>
          <TurnTime atMs={msOf(entry)} place={entry} />
          <Marks entry={entry} />
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
    </Turn>
  )
})
