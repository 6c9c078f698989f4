import { Undo2 } from 'lucide-react'
import { memo, useMemo } from 'react'
import { entryTimeMs } from '../../../shared/model/basics/time'
import type { Entry } from '../../../shared/model/conversation/entry'
import { Icon } from '../../ui/controls/Icon'
import { Tooltip } from '../../ui/controls/Tooltip'
import { clockTime, formatCount, formatQuantity } from '../../ui/format/format'
import { personName, personNames } from '../entries/people'
import { type RemovedReaction, summaryOfReactions } from '../entries/reactions'

/** Chips of the reactions to a message, each with its count and senders, and the removed ones. */
export const ReactionChips = memo(function ReactionChips(props: {
  readonly entries: readonly Entry[]
}) {
  const { chips, more, removed } = useMemo(() => summaryOfReactions(props.entries), [props.entries])
  return (
    <ul className="reactions" aria-label="Reactions">
      {chips.map(({ emoji, from }) => (
        <li key={emoji}>
          <Tooltip text={personNames(from, 20)}>
            <span className="reaction" role="img" aria-label={`${emoji} from ${personNames(from)}`}>
              <bdi className="emoji">{emoji}</bdi>
              <span className="number">{formatCount(from.length)}</span>
            </span>
          </Tooltip>
        </li>
      ))}
      {more > 0 && <li className="t3 small">and {formatCount(more)} more</li>}
      {removed.length > 0 && (
        <li>
          <Tooltip text={<RemovedList removed={removed} />}>
            <span className="reaction removed">
              <Icon of={Undo2} size={12} />
              {formatQuantity(removed.length, 'removed', 'removed')}
              <span className="unseen">: {removed.map(removalWords).join('; ')}</span>
            </span>
          </Tooltip>
        </li>
      )}
    </ul>
  )
})

function RemovedList(props: { readonly removed: readonly RemovedReaction[] }) {
  return (
    <>
      {props.removed.map((one, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they never move
        <div key={index}>{removalWords(one)}</div>
      ))}
    </>
  )
}

function removalWords({ from, emojis, timestamp }: RemovedReaction): string {
  const atMs = entryTimeMs(timestamp)
  const when = atMs === undefined ? '' : ` at ${clockTime(atMs)}`
  const what = emojis.length === 0 ? 'a reaction' : emojis.join(' ')
  return `${personName(from)} removed ${what}${when}`
}
