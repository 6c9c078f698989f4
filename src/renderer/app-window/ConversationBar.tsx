import { Archive, Ellipsis, ListTree, PanelRight, Share, SquarePen } from 'lucide-react'
import { useEffect } from 'react'
import { backupSentence } from '../../shared/model/backup/backup'
import { visibleText } from '../../shared/model/basics/visible'
import {
  type ConversationSummary,
  type LibraryKey,
  parseLibraryKey,
} from '../../shared/model/conversation/conversation'
import { sourceLabel } from '../../shared/model/conversation/sources'
import {
  useActions,
  useCompletion,
  useContexts,
  useLibraryState,
  useStores,
} from '../state/context'
import { openOutline } from '../state/landmarks/go-to'
import { isRunActive } from '../state/run-state'
import { useBarStart } from '../state/use-bar-start'
import { useCoveringView } from '../state/use-covering-view'
import type { CoveringView } from '../state/views'
import { selectedTurns } from '../ui/behaviour/selected-turns'
import { IconButton } from '../ui/controls/Button'
import { Icon } from '../ui/controls/Icon'
import { SourceMark } from '../ui/controls/SourceMark'
import { Tooltip } from '../ui/controls/Tooltip'
import { BarStart } from '../ui/panes/BarStart'
import { BackgroundSheet } from './BackgroundSheet'
import { ContextActions } from './ContextActions'

/** Titles of the window while a view covers the conversation. */
const viewTitles: Readonly<Record<CoveringView, string>> = {
  search: 'Search',
  lost: 'Problems',
  map: 'Map',
  compare: 'Compare',
  statistics: 'Statistics',
}

/**
 * Bar over the middle pane: the open conversation's title and actions, and buttons for hidden panes. Sets the
 * window's title.
 */
export function ConversationBar(props: {
  readonly contextKey: LibraryKey | undefined
  readonly summary: ConversationSummary | undefined
  readonly isDetailsOpen: boolean
}) {
  const { contextKey, summary, isDetailsOpen } = props
  const stores = useStores()
  const { layout, exporting } = stores
  const { newConversation } = useActions()
  const start = useBarStart()
  const title = contextKey === undefined ? undefined : visibleText(summary?.title ?? contextKey)
  const cover = useCoveringView()
  useEffect(() => {
    const shown = cover === undefined ? title : viewTitles[cover]
    document.title = shown === undefined ? 'Skein' : `${shown} - Skein`
  }, [title, cover])
  return (
    <>
      <div className="bar conversation-bar">
        <BarStart {...start}>
          {start.isLibraryHidden && (
            <IconButton
              label="New conversation"
              keys="new-conversation"
              icon={SquarePen}
              onClick={newConversation}
            />
          )}
        </BarStart>
        <span className="row-x grow">
          {contextKey === undefined ? (
            <h1 className="unseen">New conversation</h1>
          ) : (
            <Title contextKey={contextKey} summary={summary} />
          )}
        </span>
        {contextKey !== undefined && (
          <IconButton
            label="Outline"
            keys="outline"
            icon={ListTree}
            onClick={() => openOutline(stores)}
          />
        )}
        {contextKey !== undefined && (
          <IconButton
            label="Export"
            keys="export"
            icon={Share}
            onClick={() => exporting.getState().open(contextKey, selectedTurns())}
          />
        )}
        {contextKey !== undefined && summary?.gone !== true && (
          <MoreButton contextKey={contextKey} />
        )}
        <IconButton
          label={isDetailsOpen ? 'Hide details' : 'Show details'}
          keys="toggle-details"
          icon={PanelRight}
          isExpanded={isDetailsOpen}
          onClick={() => layout.getState().toggle('details')}
        />
      </div>
      <ContextActions />
      <BackgroundSheet />
    </>
  )
}

/** Opens the menu of the open conversation under itself. */
function MoreButton({ contextKey }: { readonly contextKey: LibraryKey }) {
  const { contexts } = useStores()
  const isOpen = useContexts(({ menu }) => menu?.key === contextKey)
  return (
    <Tooltip text="More">
      <button
        type="button"
        className={`icon-button large ${isOpen ? 'on' : ''}`}
        aria-label="More"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={({ currentTarget }) => {
          const { left, bottom } = currentTarget.getBoundingClientRect()
          contexts.getState().openMenu(contextKey, left, bottom)
        }}
      >
        <Icon of={Ellipsis} />
      </button>
    </Tooltip>
  )
}

function Title(props: {
  readonly contextKey: LibraryKey
  readonly summary: ConversationSummary | undefined
}) {
  const { contextKey, summary } = props
  const isRunning = useCompletion(({ runs }) => isRunActive(runs[contextKey]))
  const isGrowing = useLibraryState(({ live }) => live.has(contextKey))
  const isLive =
    isRunning || isGrowing || summary?.running === true || summary?.lock.state === 'ours'
  return (
    <>
      <SourceMark source={parseLibraryKey(contextKey).source} />
      <h1 className="conversation-title cut">
        {visibleText(summary?.title ?? parseLibraryKey(contextKey).key)}
      </h1>
      {summary?.titled !== undefined && summary.source === 'chibi' && (
        <span className="t3 small mono cut">{contextKey}</span>
      )}
      {summary?.project != null && <span className="t3 small cut">{summary.project}</span>}
      {isLive && <span className="live">live</span>}
      {summary?.backup !== undefined && (
        <Tooltip text={backupSentence(summary.backup, sourceLabel(summary.source))}>
          <span className="backup-chip">
            <Icon of={Archive} size={12} />
            {summary.backup === 'earlier' ? 'earlier version' : 'backup'}
            <span className="unseen">
              {backupSentence(summary.backup, sourceLabel(summary.source))}
            </span>
          </span>
        </Tooltip>
      )}
    </>
  )
}
