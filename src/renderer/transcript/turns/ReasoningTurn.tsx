import { memo } from 'react'
import { metadataFactsOf } from '../entries/metadata'
import { branchPointOf } from '../items/branch-points'
import { copyTextOf, entryLines, type ItemOf } from '../items/items'
import { ReasoningFold } from '../parts/ReasoningFold'
import { EntryFlags, HeadlessEntryFlags, shownTimeMs, turnLabel } from '../parts/turn-labels'
import { TurnFrame, TurnTime } from './TurnFrame'

/** Turn of reasoning that its source wrote as an entry of its own, folded. */
export const ReasoningTurn = memo(function ReasoningTurn(props: {
  readonly item: ItemOf<'reasoning'>
}) {
  const { item } = props
  const { entry, isHead } = item
  return (
    <TurnFrame
      itemKey={item.key}
      label={turnLabel('Reasoning', entry.timestamp)}
      knot={isHead ? 'model' : 'tool'}
      places={entryLines(entry)}
      copyText={() => copyTextOf(item)}
      point={branchPointOf(item)}
      hasActions={isHead}
      {...(isHead
        ? {
            head: (
              <>
                <b className="cut">{metadataFactsOf(entry).model ?? 'Assistant'}</b>
                <TurnTime atMs={shownTimeMs(entry)} place={entry} />
                <EntryFlags entry={entry} />
              </>
            ),
          }
        : {})}
    >
      {!isHead && <HeadlessEntryFlags entry={entry} />}
      {entry.content.trim() === '' ? (
        <p className="t3 small">Reasoning without text</p>
      ) : (
        <ReasoningFold itemKey={item.key} text={entry.content} />
      )}
    </TurnFrame>
  )
})
