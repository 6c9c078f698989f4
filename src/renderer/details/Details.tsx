import { FolderOpen, FolderPen, X } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { backupSentence } from '../../shared/model/backup/backup'
import { isoMs } from '../../shared/model/basics/time'
import {
  type ConversationDetails,
  type LibraryKey,
  parseLibraryKey,
} from '../../shared/model/conversation/conversation'
import { sourceLabel } from '../../shared/model/conversation/sources'
import { useApp, useDetails, useStores } from '../state/context'
import { focusTarget } from '../ui/behaviour/focus'
import { useDelayedFlag } from '../ui/behaviour/hooks'
import { IconButton } from '../ui/controls/Button'
import { SourceMark } from '../ui/controls/SourceMark'
import {
  dateWithYear,
  exactTime,
  formatByteSize,
  formatCount,
  formatQuantity,
} from '../ui/format/format'
import { FailureNote } from '../ui/notes/FailureNote'
import { Note } from '../ui/notes/Note'
import { Markdown } from '../ui/text/Markdown'
import { PathText } from '../ui/text/PathText'
import { DetailsSection } from './facts/DetailsSection'
import { ModelView } from './facts/ModelView'
import { ExpiryNote, SideFileFacts } from './facts/SideFileFacts'
import { TitleFacts } from './facts/TitleFacts'
import { UsageFacts } from './facts/UsageFacts'
import { LabelFacts } from './LabelFacts'
import { TagFacts } from './TagFacts'
import { InboxPart } from './upkeep/InboxPart'
import { MakeCurrentButton } from './upkeep/MakeCurrentButton'
import { PagePart } from './upkeep/PagePart'
import { PartitionsPart } from './upkeep/PartitionsPart'
import { SummaryPart } from './upkeep/SummaryPart'

/** Pause after a change before the conversation is read again. */
const restMs = 800

/**
 * Right pane with the facts of the open conversation. It loads them only while it is open, since that reads the
 * whole conversation.
 */
export function Details(props: {
  readonly onHide: () => void
  /** Content above the facts: the tree of branches. */
  readonly children?: ReactNode
}) {
  const key = useApp(({ place }) => (place.type === 'conversation' ? place.key : undefined))
  return (
    <section
      className="pane details"
      aria-label="Details"
      data-pane="details"
      tabIndex={-1}
      {...focusTarget('details')}
    >
      <div className="bar chrome">
        <h2 className="details-title">Details</h2>
        <span className="grow" />
        <IconButton label="Close details" keys="toggle-details" icon={X} onClick={props.onHide} />
      </div>
      {key === undefined ? (
        <p className="details-words t3">Nothing is open.</p>
      ) : (
        <DetailsOf contextKey={key}>{props.children}</DetailsOf>
      )}
    </section>
  )
}

function DetailsOf(props: { readonly contextKey: LibraryKey; readonly children: ReactNode }) {
  const { contextKey } = props
  const load = useDetails((state) => state.load)
  const details = useDetails((state) => (state.key === contextKey ? state.details : undefined))
  const failure = useDetails((state) => (state.key === contextKey ? state.failure : undefined))
  const isLoading = useDetails((state) => state.isLoading)
  const isStale = useDetails((state) => state.isStale && state.key === contextKey)
  const isLong = useDelayedFlag(isLoading, 1000)

  useEffect(() => void load(contextKey), [load, contextKey])
  useEffect(() => {
    if (!isStale) return
    const timer = setTimeout(() => void load(contextKey), restMs)
    return () => clearTimeout(timer)
  }, [isStale, load, contextKey])

  return (
    <div className="scroll">
      {props.children}
      {failure !== undefined && (
        <div className="details-note">
          <FailureNote
            title="Not counted."
            failure={failure}
            onAgain={() => void load(contextKey)}
          />
        </div>
      )}
      {isLong && <p className="details-words t3 small">Counting the whole conversation…</p>}
      {details !== undefined && <Facts details={details} contextKey={contextKey} />}
    </div>
  )
}

function Facts(props: { readonly details: ConversationDetails; readonly contextKey: LibraryKey }) {
  const { details, contextKey } = props
  const { summary, contextSummary, beside } = details
  const { app, contexts } = useStores()
  const modelView = useDetails((state) => state.modelView)
  const notices = [...details.notices, ...(beside?.notices ?? [])]
  return (
    <>
      {beside !== undefined && <ExpiryNote beside={beside} />}
      {summary.backup !== undefined && (
        <div className="details-note">
          <Note tone="info">{backupSentence(summary.backup, sourceLabel(summary.source))}</Note>
        </div>
      )}
      <DetailsSection title="About">
        <dl className="details-list">
          <dt>Source</dt>
          <dd>
            <SourceMark source={summary.source} />
            <span className="cut">
              {sourceLabel(summary.source)}
              {summary.source === 'chibi' ? ', context ' : ', '}
              <span className="mono">{parseLibraryKey(contextKey).key}</span>
            </span>
          </dd>
          <TitleFacts contextKey={contextKey} />
          <TagFacts contextKey={contextKey} />
          <LabelFacts contextKey={contextKey} />
          <dt>Folder</dt>
          <dd>
            <PathText path={details.folder} />
            <IconButton
              label="Show the folder"
              icon={FolderOpen}
              size="medium"
              onClick={() => void app.getState().reveal(contextKey, '')}
            />
            {summary.source === 'chibi' && (
              <IconButton
                label="Rename folder…"
                icon={FolderPen}
                size="medium"
                onClick={() => contexts.getState().ask('rename', contextKey)}
              />
            )}
          </dd>
          {summary.project !== null && (
            <>
              <dt>Project</dt>
              <dd className="cut">{summary.project}</dd>
            </>
          )}
          <dt>Entries</dt>
          <dd>{summary.entries === undefined ? 'Not counted' : formatCount(summary.entries)}</dd>
          <dt>Lines</dt>
          <dd>
            <span>
              {formatCount(details.lines)}
              {details.blank > 0 && `, ${formatCount(details.blank)} blank`}
              {details.damaged > 0 && (
                <>
                  , <span className="err-t">{formatCount(details.damaged)} damaged</span>
                </>
              )}
            </span>
          </dd>
          <dt>Models</dt>
          <dd>
            <span>{details.models.length === 0 ? 'None' : details.models.join(', ')}</span>
          </dd>
          <UsageFacts contextKey={contextKey} details={details} />
          <dt>On disk</dt>
          <dd>
            {formatByteSize(summary.bytes)}
            {details.partitions === 0
              ? ' in one file'
              : ` with ${formatQuantity(details.partitions, 'archived partition')}`}
          </dd>
          <dt>Created</dt>
          <dd>
            <When iso={summary.created} />
          </dd>
          <dt>Updated</dt>
          <dd>
            <When iso={summary.updated} />
          </dd>
          {beside !== undefined && (
            <SideFileFacts beside={beside} makeCurrent={<MakeCurrentButton />} />
          )}
        </dl>
      </DetailsSection>
      {notices.length > 0 && (
        <DetailsSection title="Warnings" count={notices.length}>
          <ul className="details-notices">
            {notices.map((notice) => (
              <li key={notice}>{notice}</li>
            ))}
          </ul>
        </DetailsSection>
      )}
      {beside !== undefined && <InboxPart beside={beside} />}
      {modelView !== null && modelView.length > 0 && <ModelView messages={modelView} />}
      {beside === undefined ? (
        contextSummary !== undefined && <Summary text={contextSummary} />
      ) : (
        <>
          <SummaryPart text={contextSummary} />
          <PagePart contextKey={contextKey} messages={beside.pageMessages} />
          <PartitionsPart contextKey={contextKey} details={details} />
        </>
      )}
    </>
  )
}

function Summary({ text }: { readonly text: string }) {
  return (
    <DetailsSection title="Summary">
      <div className="details-text">
        {text.trim() === '' ? <p className="t3 small">Empty</p> : <Markdown text={text} />}
      </div>
    </DetailsSection>
  )
}

function When(props: { readonly iso: string | null }) {
  const { iso } = props
  const ms = isoMs(iso)
  if (iso === null || ms === undefined) return <span className="t3">Unknown</span>
  return (
    <time dateTime={iso} title={exactTime(ms)}>
      {dateWithYear(ms)}
    </time>
  )
}
