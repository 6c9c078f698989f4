import { visibleText } from '../../../shared/model/basics/visible'
import { sourceLabel } from '../../../shared/model/conversation/sources'
import type { DriftPlace, SourceDrift } from '../../../shared/model/drift/drift'
import { driftWords } from '../../../shared/model/drift/drift-words'
import { useActions, useStores } from '../../state/context'
import { Button } from '../../ui/controls/Button'
import { formatCount, formatQuantity } from '../../ui/format/format'
import { PathText } from '../../ui/text/PathText'

/** Returns true where there is something new to look at. */
function hasNews({ names, newer }: SourceDrift): boolean {
  return names.length > 0 || newer !== null
}

/** Sentence on what is new in a source's histories, with a button that shows the names where there are any. */
export function SourceDriftWords(props: {
  readonly drift: SourceDrift
  readonly isOpen: boolean
  /** The id of the list. */
  readonly listId: string
  readonly onToggle: () => void
}) {
  const { drift, isOpen, listId, onToggle } = props
  const isNew = hasNews(drift)
  return (
    <span className="source-drift-words">
      <span className={isNew ? undefined : 't3'}>
        {visibleText(driftWords(drift, formatQuantity))}
      </span>
      {isNew && (
        <button
          type="button"
          className="button small"
          aria-expanded={isOpen}
          aria-controls={listId}
          onClick={onToggle}
        >
          {isOpen ? 'Hide' : 'Show'}
          <span className="unseen"> what is new in {sourceLabel(drift.source)}</span>
        </button>
      )}
    </span>
  )
}

/** List of the types, fields and versions that are new in a source's histories, each with a line to open. */
export function SourceDriftList(props: { readonly drift: SourceDrift }) {
  const { source, names, newer, isCut } = props.drift
  return (
    <>
      <ul className="source-drift-list" aria-label={`New in ${sourceLabel(source)}`}>
        {newer !== null && (
          <DriftItem
            what="Version"
            name={newer.version}
            conversations={newer.conversations}
            place={newer.place}
          />
        )}
        {names.map(({ what, name, conversations, place }) => (
          <DriftItem
            key={`${what} ${name}`}
            what={what === 'type' ? 'Type' : 'Field'}
            name={name}
            conversations={conversations}
            place={place}
          />
        ))}
      </ul>
      {isCut && <p className="t3 small">There are more names than are listed here.</p>}
    </>
  )
}

/** Name that is new, with the line that has it first. */
function DriftItem(props: {
  readonly what: string
  readonly name: string
  readonly conversations: number
  readonly place: DriftPlace
}) {
  const { what, conversations, place } = props
  const { key, file, line, shownAt, shown, unit } = place
  const { openAt, openConversation } = useActions()
  const { app } = useStores()
  const name = visibleText(props.name)
  return (
    <li className="source-drift-item small">
      <span className="t3">{what}</span>
      <span className="mono source-drift-name">{name}</span>
      <span className="t3 number">{formatQuantity(conversations, 'conversation')}</span>
      <Button
        isSmall
        kind="ghost"
        onClick={() => {
          app.getState().closeSettings()
          if (shownAt === null) openConversation(key)
          else void openAt(key, { file, offset: shownAt })
        }}
      >
        Open
        <span className="unseen">
          {' '}
          {unit} {formatCount(line)} with {what.toLowerCase()} {name}
        </span>
      </Button>
      <span className="source-drift-place t3">
        {unit} {formatCount(line)} of <PathText path={visibleText(shown)} />
      </span>
    </li>
  )
}
