import { useEffect } from 'react'
import { nameOf, type PaintedHit } from '../../../shared/model/map/painted-hits'
import { useMapSearch, useStores } from '../../state/context'
import { formatCount, listTime } from '../../ui/format/format'
import { hitSpeaker } from '../../ui/format/hit-speaker'
import { MarkedSnippet } from '../../ui/text/MarkedSnippet'

/** About as many characters as fit in the card before the marked word. */
const unitsBeforeMark = 40

/** Line of a hit in the card of its node, with who said it and the words marked. */
export function HitText(props: {
  readonly hit: PaintedHit
  /** Its place among the hits of the card, from 1. */
  readonly place: number
  readonly count: number
}) {
  const { hit, place, count } = props
  const { mapSearch } = useStores()
  const line = useMapSearch(({ lines }) => lines.get(nameOf(hit)))
  useEffect(() => {
    if (line === undefined) void mapSearch.getState().loadLine(hit)
  }, [line, hit, mapSearch])
  const isCode = line?.field === 'arguments' || line?.field === 'result'
  return (
    <div className="map-hit">
      <p className="map-hit-head t3 small">
        <span className="number">
          Hit {formatCount(place)} of {formatCount(count)}
        </span>
        {line !== undefined && <span className="cut">{hitSpeaker(line)}</span>}
        {line?.timestamp != null && (
          <span className="number">{listTime(line.timestamp * 1000, Date.now())}</span>
        )}
      </p>
      <p className={`map-hit-text ${isCode ? 'mono' : ''}`} dir="auto">
        {line !== undefined && (
          <MarkedSnippet
            snippet={line.snippet}
            ranges={line.ranges}
            unitsBeforeMark={unitsBeforeMark}
          />
        )}
      </p>
    </div>
  )
}
