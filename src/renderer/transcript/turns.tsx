import { Lightbulb, Mic, Volume2 } from 'lucide-react'
import { memo, type ReactNode, useDeferredValue, useMemo } from 'react'
import type { Entry } from '../../shared/model/entry'
import { keptImages } from '../../shared/model/images'
import type { Interruption } from '../../shared/model/run'
import { spotOf } from '../state/branching'
import { useBranching, useTranscript } from '../state/context'
import { Icon } from '../ui/Icon'
import { LongText } from '../ui/LongText'
import { Markdown } from '../ui/Markdown'
import { visibleText } from '../ui/visible-text'
import { AnswerNotes } from './AnswerNotes'
import { AttachmentList } from './AttachmentList'
import { CitationList } from './CitationList'
import { DeliveredMessages } from './DeliveredMessages'
import { deliveredIn } from './delivered'
import { Fold } from './Fold'
import { type Item, linesOf, placesOf } from './items'
import { MessageEditor } from './MessageEditor'
import { MessageImages } from './MessageImages'
import { factsOf } from './metadata'
import { PersonName } from './PersonName'
import type { Person } from './people'
import { type BranchPoint, pointOf } from './points'
import { ReactionChips } from './ReactionChips'
import { SilentTurn } from './SilentTurn'
import { SpeechLine } from './SpeechLine'
import { isSilence, type SpeechFacts, speechOf } from './speech'
import { Turn, TurnTime } from './Turn'
import { Marks, msOf, QuietMarks, spoken } from './turn-words'
import { reasoningFold } from './unfold'
import { useTurnActs } from './use-turn-acts'

type ItemOf<T extends Item['type']> = Extract<Item, { type: T }>

/** What a person wrote, or what a model told itself to go on with. */
export const UserTurn = memo(function UserTurn(props: {
  readonly item: ItemOf<'user'>
  readonly name: string
  /** Who it is, in a room. */
  readonly person: Person | undefined
  /** The tool by which the model began the turn itself. */
  readonly by?: string | undefined
  /** What can be done where the conversation ends with it. */
  readonly end?: ReactNode
}) {
  const { item, name, person, by } = props
  const { entry, text, reactions } = item
  const key = useTranscript((state) => state.key)
  const edit = useBranching(({ edits }) => edits[spotOf(key ?? '', item.key)])
  const point = pointOf(item)
  const { sendEdit } = useTurnActs()
  const delivered = useMemo(() => deliveredIn(text), [text])
  const words = delivered?.rest ?? text
  const speech = speechOf(entry)
  if (isSilence(entry) && edit?.isOpen !== true) return <SilentTurn item={item} />
  return (
    <Turn
      itemKey={item.key}
      label={spoken(name, entry.timestamp)}
      knot={by !== undefined ? 'model' : person === undefined ? 'user' : 'none'}
      places={placesOf(item)}
      copyText={() => text}
      point={point}
      className={person === undefined ? '' : `person-turn ${item.isHead ? '' : 'goes-on'}`}
      {...(item.isHead
        ? {
            head: (
              <>
                {person === undefined ? (
                  <b className="cut">{name}</b>
                ) : (
                  <PersonName person={person} />
                )}
                {by !== undefined && <span className="chip line mono">{by}</span>}
                {speech !== undefined && <SpeechSign speech={speech} />}
                <TurnTime atMs={msOf(entry)} place={entry} />
                <Marks entry={entry} />
              </>
            ),
          }
        : {})}
    >
      {!item.isHead && <QuietMarks entry={entry} />}
      {speech !== undefined && <SpeechLine itemKey={item.key} entry={entry} speech={speech} />}
      {delivered !== undefined && <DeliveredMessages itemKey={item.key} delivered={delivered} />}
      {edit?.isOpen && key !== undefined && point !== undefined ? (
        <MessageEditor
          contextKey={key}
          itemKey={item.key}
          text={edit.text}
          hasImages={keptImages(entry.metadata).length > 0}
          onSend={(changed) => sendEdit(item.key, point, changed)}
        />
      ) : (
        words !== '' && (
          <div className={person === undefined ? 'bubble' : ''}>
            <Markdown text={words} variant="light" />
          </div>
        )
      )}
      <MessageImages entry={entry} />
      <AttachmentList entry={entry} />
      {text === '' && !hasFiles(entry) && <p className="t3 small">No words</p>}
      {reactions !== undefined && <ReactionChips entries={reactions} />}
      {props.end}
    </Turn>
  )
})

function hasFiles({ metadata }: Entry): boolean {
  return metadata?.attachments !== undefined || metadata?.images !== undefined
}

/** That it was said aloud: heard, or spoken. */
function SpeechSign(props: { readonly speech: SpeechFacts }) {
  const isHeard = props.speech.kind === 'heard'
  return <Icon of={isHeard ? Mic : Volume2} size={12} label={isHeard ? 'heard' : 'spoken'} />
}

/** What a model wrote: an entry, or an answer that is still coming. */
export const AgentTurn = memo(function AgentTurn(props: {
  readonly itemKey: string
  readonly isHead: boolean
  readonly text: string
  readonly model: string | undefined
  readonly reasoning: string | undefined
  /** Absent while the answer is coming. */
  readonly entry?: Entry
  /** Belongs to the same words: chibi's result of `call_user`. */
  readonly result?: Entry
  /** That sit on it. */
  readonly reactions?: readonly Entry[] | undefined
  /** Words in the place of the text while none has come. */
  readonly waiting?: ReactNode
  /** Where a branch can begin; absent while the answer is coming. */
  readonly point?: BranchPoint | undefined
  /** What can be done where the conversation ends with it. */
  readonly end?: ReactNode
}) {
  const { itemKey, isHead, text, entry, reasoning, waiting, reactions } = props
  // Laying out what streams in may be interrupted by what somebody types.
  const shownText = useDeferredValue(text)
  const facts = entry === undefined ? undefined : factsOf(entry)
  const speech = entry === undefined ? undefined : speechOf(entry)
  const name = props.model ?? 'Assistant'
  return (
    <Turn
      itemKey={itemKey}
      label={entry === undefined ? `${name}, writing now` : spoken(name, entry.timestamp)}
      knot={isHead ? 'model' : 'tool'}
      places={linesOf(entry, props.result, ...(reactions ?? []))}
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
                  <TurnTime atMs={msOf(entry)} place={entry} />
                )}
                {entry !== undefined && <Marks entry={entry} />}
              </>
            ),
          }
        : {})}
    >
      {!isHead && entry !== undefined && <QuietMarks entry={entry} />}
      {speech !== undefined && entry !== undefined && (
        <SpeechLine itemKey={itemKey} entry={entry} speech={speech} />
      )}
      {reasoning !== undefined && reasoning !== '' && (
        <Reasoning itemKey={itemKey} text={reasoning} />
      )}
      {shownText === '' ? (
        (waiting ??
        (reasoning === undefined && !(entry !== undefined && hasFiles(entry)) && (
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
    </Turn>
  )
})

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

const interruptions: Readonly<Record<Interruption, string>> = {
  stopped: 'Stopped by you. What came is kept.',
  failed: 'The answer broke off here. What came is kept.',
  crashed: 'Skein ended while this was being written. What had come is kept.',
}

/** What the model thought before it spoke; folded. */
function Reasoning(props: { readonly itemKey: string; readonly text: string }) {
  const { text } = props
  return (
    <Fold
      name={reasoningFold(props.itemKey)}
      icon={Lightbulb}
      head={(isOpen) => (
        <>
          <b>Reasoning</b>
          {!isOpen && <span className="cut t3">{text.trimStart().slice(0, 200)}</span>}
        </>
      )}
    >
      <Markdown text={text} />
    </Fold>
  )
}
