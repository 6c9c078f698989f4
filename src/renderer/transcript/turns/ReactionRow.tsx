import { memo } from 'react'
import { Tooltip } from '../../ui/controls/Tooltip'
import { personName } from '../entries/people'
import { emojiText, reactionOf } from '../entries/reactions'
import { branchPointOf } from '../items/branch-points'
import { copyTextOf, entryLines, type ItemOf } from '../items/items'
import { EntryFlags, shownTimeMs, turnLabel } from '../parts/turn-labels'
import { TurnFrame, TurnTime } from './TurnFrame'

/** Row of a reaction whose message is in another part of the conversation, or is not in it. */
export const ReactionRow = memo(function ReactionRow(props: { readonly item: ItemOf<'reaction'> }) {
  const { item } = props
  const { entry, isTargetHere } = item
  const { messageId = '', emojis = [] } = reactionOf(entry) ?? {}
  const name = personName(entry.from)
  const where = isTargetHere
    ? 'to a message in another part of this conversation'
    : 'to a message that is not here'
  return (
    <TurnFrame
      itemKey={item.key}
      label={turnLabel(`Reaction of ${name}`, entry.timestamp)}
      knot="tool"
      places={entryLines(entry)}
      copyText={() => copyTextOf(item)}
      point={branchPointOf(item)}
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
        <TurnTime atMs={shownTimeMs(entry)} place={entry} />
        <EntryFlags entry={entry} />
      </div>
    </TurnFrame>
  )
})
