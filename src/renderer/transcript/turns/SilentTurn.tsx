import { MicOff } from 'lucide-react'
import { memo } from 'react'
import { Icon } from '../../ui/controls/Icon'
import { branchPointOf } from '../items/branch-points'
import { type ItemOf, sourceLinesOf } from '../items/items'
import { ReactionChips } from '../parts/ReactionChips'
import { EntryFlags, shownTimeMs, turnLabel } from '../parts/turn-labels'
import { SpeechLine } from '../speech/SpeechLine'
import { speechOf } from '../speech/speech'
import { TurnFrame, TurnTime } from './TurnFrame'

/** Turn of a recording without speech, in one line. */
export const SilentTurn = memo(function SilentTurn(props: { readonly item: ItemOf<'user'> }) {
  const { item } = props
  const { entry, text, reactions } = item
  const speech = speechOf(entry)
  return (
    <TurnFrame
      itemKey={item.key}
      label={turnLabel('Nothing heard', entry.timestamp)}
      knot="tool"
      places={sourceLinesOf(item)}
      copyText={() => text}
      point={branchPointOf(item)}
      className="silent-turn"
    >
      <div className="silent">
        <Icon of={MicOff} />
        <span>Nothing heard</span>
        <TurnTime atMs={shownTimeMs(entry)} place={entry} />
        <EntryFlags entry={entry} />
        {speech !== undefined && <SpeechLine itemKey={item.key} entry={entry} speech={speech} />}
      </div>
      {reactions !== undefined && <ReactionChips entries={reactions} />}
    </TurnFrame>
  )
})
