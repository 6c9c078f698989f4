import { ChevronDown, ChevronRight, Lightbulb } from 'lucide-react'
import { memo, type ReactNode, useDeferredValue } from 'react'
import type { Entry } from '../../shared/model/entry'
import type { Interruption } from '../../shared/model/run'
import { momentOf } from '../../shared/model/time'
import { spotOf } from '../state/branching'
import { useBranching, useReading, useTranscript } from '../state/context'
import { clockTime, count } from '../ui/format'
import { Icon } from '../ui/Icon'
import { LongText } from '../ui/LongText'
import { Markdown } from '../ui/Markdown'
import { Tooltip } from '../ui/Tooltip'
import { type Item, linesOf } from './items'
import { MessageEditor } from './MessageEditor'
import { factsOf } from './metadata'
import { type BranchPoint, pointOf } from './points'
import { Turn, TurnTime } from './Turn'
import { reasoningFold } from './unfold'
import { useTurnActs } from './use-turn-acts'

type ItemOf<T extends Item['type']> = Extract<Item, { type: T }>

/** What a person wrote. */
export const UserTurn = memo(function UserTurn(props: {
  readonly item: ItemOf<'user'>
  readonly name: string
}) {
  const { item, name } = props
  const { entry, text } = item
  const key = useTranscript((state) => state.key)
  const edit = useBranching(({ edits }) => edits[spotOf(key ?? '', item.key)])
  const point = pointOf(item)
  const { sendEdit } = useTurnActs()
  return (
    <Turn
      itemKey={item.key}
      label={spoken(name, entry.timestamp)}
      knot="user"
      places={linesOf(entry)}
      copyText={() => text}
      point={point}
      head={
        <>
          <b>{name}</b>
          <TurnTime atMs={msOf(entry)} place={entry} />
          <Marks entry={entry} />
        </>
      }
    >
      {edit?.isOpen && key !== undefined && point !== undefined ? (
        <MessageEditor
          contextKey={key}
          itemKey={item.key}
          text={edit.text}
          onSend={(changed) => sendEdit(item.key, point, changed)}
        />
      ) : (
        <div className="bubble">
          <Markdown text={text} variant="light" />
        </div>
      )}
    </Turn>
  )
})

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
  /** Words in the place of the text while none has come. */
  readonly waiting?: ReactNode
  /** Where a branch can begin; absent while the answer is coming. */
  readonly point?: BranchPoint | undefined
}) {
  const { itemKey, isHead, text, entry, reasoning, waiting } = props
  // Laying out what streams in may be interrupted by what somebody types.
  const shownText = useDeferredValue(text)
  const facts = entry === undefined ? undefined : factsOf(entry)
  const name = props.model ?? 'Assistant'
  return (
    <Turn
      itemKey={itemKey}
      label={entry === undefined ? `${name}, writing now` : spoken(name, entry.timestamp)}
      knot={isHead ? 'model' : 'tool'}
      places={linesOf(entry, props.result)}
      copyText={() => text}
      point={props.point}
      {...(isHead
        ? {
            head: (
              <>
                <b className="cut">{name}</b>
                {entry === undefined ? (
                  <span className="live">live</span>
                ) : (
                  <TurnTime atMs={msOf(entry)} place={entry} />
                )}
                {facts?.tokens !== undefined && <Tokens {...facts.tokens} />}
                {entry !== undefined && <Marks entry={entry} />}
              </>
            ),
          }
        : {})}
    >
      {!isHead && facts !== undefined && (facts.isRecovered || facts.isDamaged) && entry && (
        <div className="turn-marks">
          <Marks entry={entry} />
        </div>
      )}
      {reasoning !== undefined && reasoning !== '' && (
        <Reasoning itemKey={itemKey} text={reasoning} />
      )}
      {shownText === '' ? (
        (waiting ?? (reasoning === undefined && <p className="t3 small">Empty answer</p>))
      ) : (
        <Markdown text={shownText} />
      )}
      {facts?.interrupted !== undefined && (
        <p className="interrupted">{interruptions[facts.interrupted]}</p>
      )}
      {facts?.finish !== undefined && <p className="interrupted">{finishes[facts.finish]}</p>}
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

const finishes = {
  length: 'The answer ends here: the model reached its limit.',
  filtered: 'The answer ends here: the provider held the rest back.',
} as const

/** What the model thought before it spoke; folded. */
function Reasoning(props: { readonly itemKey: string; readonly text: string }) {
  const { text } = props
  const name = reasoningFold(props.itemKey)
  const isOpen = useReading(({ folds }) => folds[name] === true)
  const setFold = useReading((state) => state.setFold)
  return (
    <div className={isOpen ? 'fold-box' : ''}>
      <button
        type="button"
        className="fold"
        aria-expanded={isOpen}
        onClick={() => setFold(name, !isOpen)}
      >
        <Icon of={isOpen ? ChevronDown : ChevronRight} size={12} className="fold-sign" />
        <Icon of={Lightbulb} />
        <b>Reasoning</b>
        {!isOpen && <span className="cut t3">{text.trimStart().slice(0, 200)}</span>}
      </button>
      {isOpen && (
        <div className="fold-body">
          <Markdown text={text} />
        </div>
      )}
    </div>
  )
}

function Tokens(props: { readonly total: number; readonly words: string }) {
  const words = <span className="number">{count(props.total)} tokens</span>
  return props.words === '' ? words : <Tooltip text={props.words}>{words}</Tooltip>
}

/** What is not whole about an entry. */
export function Marks(props: { readonly entry: Entry }) {
  const { isRecovered, isDamaged } = factsOf(props.entry)
  return (
    <>
      {isRecovered && (
        <Tooltip text="Its line as a whole could not be read; this entry in it could.">
          <span className="chip warn">recovered from a damaged line</span>
        </Tooltip>
      )}
      {isDamaged && (
        <Tooltip text="Bytes that are no text are shown as U+FFFD. The line itself is untouched.">
          <span className="chip warn">some bytes are no text</span>
        </Tooltip>
      )}
    </>
  )
}

/** A speaker and the time, as they are read out. */
export function spoken(name: string, timestamp: number | null): string {
  const atMs = momentOf(timestamp)
  return atMs === undefined ? name : `${name}, ${clockTime(atMs)}`
}

/** An entry's time in milliseconds. */
export function msOf(entry: Pick<Entry, 'timestamp'>): number | undefined {
  return momentOf(entry.timestamp)
}
