import { useContext } from 'react'
import { assertNever } from '../../../shared/model/basics/errors'
import { type LibraryKey, parseLibraryKey } from '../../../shared/model/conversation/conversation'
import type { Entry } from '../../../shared/model/conversation/entry'
import { sourceLabel } from '../../../shared/model/conversation/sources'
import type { PreviewedPart } from '../../../shared/model/hit-preview'
import {
  useActions,
  useApp,
  useCompletion,
  useSettings,
  useStores,
  useTranscript,
} from '../../state/context'
import { isRunActive, type LiveRun } from '../../state/run-state'
import { useNow } from '../../ui/behaviour/hooks'
import { Button } from '../../ui/controls/Button'
import { dayName, formatCount, formatQuantity } from '../../ui/format/format'
import { Note } from '../../ui/notes/Note'
import { metadataFactsOf } from '../entries/metadata'
import { personName, personOf } from '../entries/people'
import { runTracesOf } from '../entries/run-traces'
import { branchPointOf } from '../items/branch-points'
import { PreviewedParts } from '../items/previewed'
import type { ListItem } from '../items/use-items'
import { speechOf } from '../speech/speech'
import { NewsRow } from '../unread/NewsRow'
import { AgentTurn } from './AgentTurn'
import { DamagedRow } from './DamagedRow'
import { DocumentTurn } from './DocumentTurn'
import { ErrorTurn } from './ErrorTurn'
import { OtherTurn } from './OtherTurn'
import { ReactionRow } from './ReactionRow'
import { ReasoningTurn } from './ReasoningTurn'
import { SeamRow } from './SeamRow'
import { ToolTurn } from './ToolTurn'
import { UserTurn } from './UserTurn'

const dayTickMs = 60_000

/** View of an item of the transcript, by its type. */
export function ItemView(props: { readonly item: ListItem; readonly isLast: boolean }) {
  return (
    <>
      <KindOfItem {...props} />
      <ShortenedNote item={props.item} />
    </>
  )
}

/** Note on an entry that is too long to come to the window as a whole. */
function ShortenedNote(props: { readonly item: ListItem }) {
  const { item } = props
  const partOf = useContext(PreviewedParts)
  const entries = [
    'entry' in item ? item.entry : undefined,
    'call' in item ? item.call : undefined,
    'result' in item ? item.result : undefined,
  ]
  if (partOf !== undefined) {
    const parts = entries.flatMap((entry) => (entry === undefined ? [] : (partOf(entry) ?? [])))
    return parts.map((part) => (
      <p key={part.characters} className="turn-note t3 small">
        {partLabel(part)}
      </p>
    ))
  }
  return entries.flatMap((entry) =>
    entry?.wholeLength === undefined
      ? []
      : [
          <p key={entry.id} className="turn-note t3 small">
            Shows the first {formatCount(entry.content.length)} of {formatCount(entry.wholeLength)}{' '}
            characters. Export the conversation for all of them.
          </p>,
        ],
  )
}

/** Names the part of a text that a preview shows. */
function partLabel({ firstLine, lastLine, lines, characters }: PreviewedPart): string {
  if (lines === 1) return `Part of a line of ${formatQuantity(characters, 'character')}`
  const shown =
    firstLine === lastLine
      ? `Line ${formatCount(firstLine)}`
      : `Lines ${formatCount(firstLine)} to ${formatCount(lastLine)}`
  return `${shown} of ${formatCount(lines)}`
}

function KindOfItem(props: { readonly item: ListItem; readonly isLast: boolean }) {
  const { item, isLast } = props
  switch (item.type) {
    case 'day':
      return <DayRow atMs={item.atMs} />
    case 'news':
      return <NewsRow sinceMs={item.sinceMs} />
    case 'user':
      return <NamedUserTurn item={item} isLast={isLast} />
    case 'agent':
    case 'live':
      return <AnyAgentTurn item={item} isLast={isLast} />
    case 'tool':
      return <ToolTurn item={item} />
    case 'reasoning':
      return <ReasoningTurn item={item} />
    case 'seam':
      return <SeamRow item={item} />
    case 'damaged':
      return <DamagedRow item={item} />
    case 'error':
      return <ActiveErrorTurn item={item} isLast={isLast} />
    case 'unwritten':
      return <UnwrittenFailure run={item.run} />
    case 'reaction':
      return <ReactionRow item={item} />
    case 'document':
      return <DocumentTurn item={item} />
    case 'other':
      return <OtherTurn item={item} />
    default:
      return assertNever(item)
  }
}

function DayRow(props: { readonly atMs: number }) {
  const now = useNow(dayTickMs)
  return <div className="day">{dayName(props.atMs, now)}</div>
}

/** Returns the open conversation where a run may begin at its last item: it is a context, unlocked and without an active run. */
function useFreeKey(isLast: boolean): LibraryKey | undefined {
  const key = useApp(({ place }) => (place.type === 'conversation' ? place.key : undefined))
  const isRunning = useCompletion(({ runs }) => key !== undefined && isRunActive(runs[key]))
  const isLocked = useTranscript(({ lock }) => lock.state === 'held')
  if (!isLast || isRunning || isLocked || key === undefined) return undefined
  return parseLibraryKey(key).source === 'chibi' ? key : undefined
}

function NamedUserTurn(props: {
  readonly item: Extract<ListItem, { type: 'user' }>
  readonly isLast: boolean
}) {
  const { completion } = useStores()
  const freeKey = useFreeKey(props.isLast)
  const { from } = props.item.entry
  const { continuedBy } = runTracesOf(props.item.entry)
  const username = useSettings(({ view }) => view?.username.value)
  // When chibi compacts, it copies messages under the name "user".
  const person = from === username || from === 'user' ? 'You' : personName(from)
  const name = continuedBy === undefined ? person : 'The model, to itself'
  return (
    <UserTurn
      item={props.item}
      name={name}
      person={personOf(from)}
      by={continuedBy}
      end={
        freeKey !== undefined && (
          <LastAct
            words="No answer yet."
            label="Ask again"
            onClick={() => void completion.getState().retry(freeKey)}
          />
        )
      }
    />
  )
}

/** One component for a streaming answer and its entry, so that one becomes the other in place. */
function AnyAgentTurn(props: {
  readonly item: Extract<ListItem, { type: 'agent' | 'live' }>
  readonly isLast: boolean
}) {
  const { item } = props
  const { sendBeside } = useActions()
  const freeKey = useFreeKey(props.isLast)
  if (item.type === 'live') {
    const { run } = item
    return (
      <AgentTurn
        itemKey={item.key}
        isHead={item.isHead}
        text={run.content}
        model={run.model}
        reasoning={run.reasoning === '' ? undefined : run.reasoning}
        waiting={isRunActive(run) ? <Waiting run={run} /> : undefined}
      />
    )
  }
  const { reasoning, unfinished, interrupted } = metadataFactsOf(item.entry)
  const canGoOn = freeKey !== undefined && (unfinished !== undefined || interrupted !== undefined)
  return (
    <AgentTurn
      itemKey={item.key}
      isHead={item.isHead}
      text={item.text}
      model={nameOfAgent(item.entry)}
      reasoning={reasoning}
      entry={item.entry}
      reactions={item.reactions}
      point={branchPointOf(item)}
      {...(item.result === undefined ? {} : { result: item.result })}
      end={
        canGoOn && (
          <LastAct label="Continue" onClick={() => void sendBeside(freeKey, continueWords)} />
        )
      }
    />
  )
}

/** User message by which a model continues an incomplete answer. */
const continueWords = 'Continue exactly where you stopped.'

/** Button at the end of a conversation without a complete answer. */
function LastAct(props: {
  readonly words?: string
  readonly label: string
  readonly onClick: () => void
}) {
  return (
    <p className="last-act t3 small">
      {props.words}
      <Button isSmall onClick={props.onClick}>
        {props.label}
      </Button>
    </p>
  )
}

/** Returns the name of the speaker: the voice, the model, or the agent in a room. */
function nameOfAgent(entry: Entry): string | undefined {
  return speechOf(entry)?.voice ?? metadataFactsOf(entry).model ?? agentIn(entry.from)
}

/** Returns the agent's name in a room; elsewhere “Assistant” says as much. */
function agentIn(from: string): string | undefined {
  return from === 'fluux' ? sourceLabel(from) : undefined
}

/** Content in place of the first text; the status beside Stop shows the time. */
function Waiting(props: { readonly run: LiveRun }) {
  const { run } = props
  return (
    <p className="waiting t3">
      {run.phase === 'retrying'
        ? `${run.failure?.message.replace(/\.$/, '') ?? 'The provider did not answer'}; retrying.`
        : 'Waiting for the first words…'}
    </p>
  )
}

function ActiveErrorTurn(props: {
  readonly item: Extract<ListItem, { type: 'error' }>
  readonly isLast: boolean
}) {
  const { completion, app } = useStores()
  const key = useFreeKey(props.isLast)
  return (
    <ErrorTurn
      item={props.item}
      onRetry={key === undefined ? undefined : () => void completion.getState().retry(key)}
      onSettings={() => app.getState().openSettings('model')}
    />
  )
}

/** Failure that could not be written to the transcript; it stays until the next message. */
function UnwrittenFailure(props: { readonly run: LiveRun }) {
  const { completion } = useStores()
  const { failure, key } = props.run
  return (
    <div className="turn tight unwritten">
      <span className="knot bad" />
      <Note
        tone="error"
        title={failure?.message}
        actions={
          <Button isSmall onClick={() => void completion.getState().retry(key)}>
            Try again
          </Button>
        }
      >
        {failure?.advice} Not in the transcript: writing failed.
      </Note>
    </div>
  )
}
