import { memo } from 'react'
import { Tooltip } from '../ui/Tooltip'
import { copyTextOf, type ItemOf, linesOf } from './items'
import { nameOf } from './people'
import { pointOf } from './points'
import { emojiText, reactionOf } from './reactions'
import { Turn, TurnTime } from './Turn'
import { Marks, msOf, spoken } from './turn-words'

/** A reaction whose message stands elsewhere, or is not kept. */
export const ReactionRow = memo(function ReactionRow(props: { readonly item: ItemOf<'reaction'> }) {
  const { item } = props
  const { entry, isTargetHere } = item
  const { messageId = '', emojis = [] } = reactionOf(entry) ?? {}
  const name = nameOf(entry.from)
  const where = isTargetHere
    ? 'to a message in another part of this conversation'
    : 'to a message that is not here'
  return (
    <Turn
      itemKey={item.key}
      label={spoken(`Reaction of ${name}`, entry.timestamp)}
      knot="tool"
      places={linesOf(entry)}
      copyText={() => copyTextOf(item)}
      point={pointOf(item)}
      className="reaction-turn"
    >
      <div className="reaction-row">
        <b className="cut">{name}</b>
        {emojis.length === 0 ? (
          <span>removed a reaction</span>
        ) : (
          <>
            <span>reacted</span>
            <bdi className="emoji cut">{emojis.slice(0, 8).map(emojiText).join(' ')}</bdi>
          </>
        )}
        <Tooltip text={`The message's id is ${emojiText(messageId)}`}>
          <span className="cut">{where}</span>
        </Tooltip>
        <TurnTime atMs={msOf(entry)} place={entry} />
        <Marks entry={entry} />
      </div>
    </Turn>
  )
})
