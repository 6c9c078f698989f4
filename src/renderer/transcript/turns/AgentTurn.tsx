import { memo, type ReactNode, useDeferredValue } from 'react'
import { visibleText } from '../../../shared/model/basics/visible'
import type { Entry } from '../../../shared/model/conversation/entry'
import type { Interruption } from '../../../shared/model/run/run'
import { Markdown } from '../../ui/text/Markdown'
import { hasAttachedFiles } from '../entries/attachments'
import { metadataFactsOf } from '../entries/metadata'
import type { BranchPoint } from '../items/branch-points'
import { entryLines } from '../items/items'
import { AnswerNotes } from '../parts/AnswerNotes'
import { AttachmentList } from '../parts/AttachmentList'
import { CitationList } from '../parts/CitationList'
import { MessageImages } from '../parts/MessageImages'
import { ReactionChips } from '../parts/ReactionChips'
import { ReasoningFold } from '../parts/ReasoningFold'
import { EntryFlags, HeadlessEntryFlags, shownTimeMs, turnLabel } from '../parts/turn-labels'
import { SpeechLine } from '../speech/SpeechLine'
import { SpeechSign } from '../speech/SpeechSign'
import { speechOf } from '../speech/speech'
import { TurnFrame, TurnTime } from './TurnFrame'

/** Turn of a model: an entry, or an answer that is streaming in. */
export const AgentTurn = memo(function AgentTurn(props: {
  readonly itemKey: string
  readonly isHead: boolean
  readonly text: string
  readonly model: string | undefined
  readonly reasoning: string | undefined
  /** Absent while the answer is streaming in. */
  readonly entry?: Entry
  /** chibi's result of `call_user`, which belongs to the same message. */
  readonly result?: Entry
  /** Reactions under it. */
  readonly reactions?: readonly Entry[] | undefined
  /** Content in place of the text before any has come. */
  readonly waiting?: ReactNode
  /** Where a branch can begin; absent while the answer is streaming in. */
  readonly point?: BranchPoint | undefined
  /** Actions below it, where the conversation ends with it. */
  readonly end?: ReactNode
}) {
  const { itemKey, isHead, text, entry, reasoning, waiting, reactions } = props
  // Layout of streaming text gives way to typing.
  const shownText = useDeferredValue(text)
  const facts = entry === undefined ? undefined : metadataFactsOf(entry)
  const speech = entry === undefined ? undefined : speechOf(entry)
  const name = props.model ?? 'Assistant'
  return (
    <TurnFrame
      itemKey={itemKey}
      label={entry === undefined ? `${name}, writing now` : turnLabel(name, entry.timestamp)}
      knot={isHead ? 'model' : 'tool'}
      places={entryLines(entry, props.result, ...(reactions ?? []))}
      copyText={() => text}
      point={props.point}
      {...(isHead
        ? {
            head: (
              <>
                <b className="cut">{name}</b>
                {speech !== undefined && <SpeechSign speech={speech} />}
                {entry === undefined ? (
                  <span className="live">live</span>
                ) : (
                  <TurnTime atMs={shownTimeMs(entry)} place={entry} />
                )}
                {entry !== undefined && <EntryFlags entry={entry} />}
              </>
            ),
          }
        : {})}
    >
      {!isHead && entry !== undefined && <HeadlessEntryFlags entry={entry} />}
      {speech !== undefined && entry !== undefined && (
        <SpeechLine itemKey={itemKey} entry={entry} speech={speech} />
      )}
      {reasoning !== undefined && reasoning !== '' && (
        <ReasoningFold itemKey={itemKey} text={reasoning} />
      )}
      {shownText === '' ? (
        (waiting ??
        (reasoning === undefined && !(entry !== undefined && hasAttachedFiles(entry)) && (
          <p className="t3 small">Empty answer</p>
        )))
      ) : (
        <Markdown text={shownText} />
      )}
      {facts?.interrupted !== undefined && (
        <p className="interrupted">{interruptions[facts.interrupted]}</p>
      )}
      {facts?.unfinished !== undefined && (
        <p className="interrupted">{visibleText(facts.unfinished)}</p>
      )}
      {entry !== undefined && <MessageImages entry={entry} />}
      {entry !== undefined && <AttachmentList entry={entry} />}
      {entry !== undefined && <CitationList entry={entry} />}
      {entry !== undefined && <AnswerNotes entry={entry} />}
      {reactions !== undefined && <ReactionChips entries={reactions} />}
      {props.end}
    </TurnFrame>
  )
})

const interruptions: Readonly<Record<Interruption, string>> = {
  stopped: 'Stopped by you. The partial answer is kept.',
  failed: 'The answer broke off here. The partial answer is kept.',
  crashed: 'Skein closed during this answer. The partial answer is kept.',
}
