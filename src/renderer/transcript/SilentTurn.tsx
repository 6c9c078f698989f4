import { MicOff } from 'lucide-react'
import { memo } from 'react'
import { Icon } from '../ui/Icon'
import { type ItemOf, placesOf } from './items'
import { pointOf } from './points'
import { ReactionChips } from './ReactionChips'
import { SpeechLine } from './SpeechLine'
import { speechOf } from './speech'
import { Turn, TurnTime } from './Turn'
import { Marks, msOf, spoken } from './turn-words'

/** A recording in which nobody spoke: one quiet line. */
export const SilentTurn = memo(function SilentTurn(props: { readonly item: ItemOf<'user'> }) {
  const { item } = props
  const { entry, text, reactions } = item
  const speech = speechOf(entry)
  return (
    <Turn
      itemKey={item.key}
      label={spoken('Nothing heard', entry.timestamp)}
      knot="tool"
      places={placesOf(item)}
      copyText={() => text}
      point={pointOf(item)}
      className="silent-turn"
    >
      <div className="silent">
        <Icon of={MicOff} />
        <span>Nothing heard</span>
        <TurnTime atMs={msOf(entry)} place={entry} />
        <Marks entry={entry} />
        {speech !== undefined && <SpeechLine itemKey={item.key} entry={entry} speech={speech} />}
      </div>
      {reactions !== undefined && <ReactionChips entries={reactions} />}
    </Turn>
  )
})
