import { PanelLeft, Search, SlidersHorizontal, SquarePen, TextSearch, X } from 'lucide-react'
import { type KeyboardEvent, useMemo } from 'react'
import {
  useActions,
  useApp,
  useLibraryState,
  useReadList,
  useSettings,
  useStores,
} from '../state/context'
import { focusOn, focusSoon, focusTarget } from '../ui/behaviour/focus'
import { useDelayedFlag, useNow } from '../ui/behaviour/hooks'
import { hasCommandModifier, isComposing } from '../ui/behaviour/keys'
import { IconButton, KeyHint } from '../ui/controls/Button'
import { Icon, Logo } from '../ui/controls/Icon'
import { formatCount, formatQuantity } from '../ui/format/format'
import { FailureNote } from '../ui/notes/FailureNote'
import { PathText } from '../ui/text/PathText'
import { BackgroundButton } from './BackgroundButton'
import { ConversationList } from './ConversationList'
import { ChosenBar } from './chosen/ChosenBar'
import { useChosenRows } from './chosen/use-chosen-rows'
import { ArchivedButton } from './filters/ArchivedButton'
import { ColorFilter } from './filters/ColorFilter'
import { FilterChips } from './filters/FilterChips'
import { ListMenu } from './filters/ListMenu'
import { SourceFilter } from './filters/SourceFilter'
import { TagFilter } from './filters/TagFilter'
import {
  useFilteredConversations,
  useIsNarrowed,
  useListedConversations,
} from './filters/use-filtered'
import { LostButton } from './LostButton'
import { NoRows, UnreadList } from './NoRows'
import { GroupMenu } from './order/GroupMenu'
import { StatisticsButton } from './StatisticsButton'
import { useLibraryRows } from './use-library-rows'

const minuteMs = 60_000

/** Left pane with every conversation of the library. */
export function LibraryPane(props: { readonly onHide: () => void }) {
  const { app, layout, search } = useStores()
  const { newConversation } = useActions()
  return (
    <section className="pane library" aria-label="Library" data-pane="library">
      <div className="bar chrome">
        <Logo />
        <IconButton
          label="Hide library"
          keys="toggle-library"
          icon={PanelLeft}
          onClick={props.onHide}
        />
        <span className="grow" />
        <IconButton
          label="Search everything"
          keys="search"
          icon={TextSearch}
          onClick={() => {
            layout.getState().closeOverlay()
            search.getState().open('query')
            focusSoon('search')
          }}
        />
        <StatisticsButton />
        <IconButton
          label="Settings"
          keys="settings"
          icon={SlidersHorizontal}
          onClick={() => app.getState().openSettings('model')}
        />
        <IconButton
          label="New conversation"
          keys="new-conversation"
          icon={SquarePen}
          onClick={newConversation}
        />
      </div>
      <Filter />
      <Conversations />
      <ChosenBar />
      <Foot />
    </section>
  )
}

/** Returns the act that searches the contents of all conversations for the words of the filter. */
function useContentSearch(): (words: string) => void {
  const { layout, search } = useStores()
  return (words) => {
    layout.getState().closeOverlay()
    search.getState().open('query')
    search.getState().setText(words)
    search.getState().searchNow()
    focusSoon('search')
  }
}

function Filter() {
  const searchContents = useContentSearch()
  const filter = useLibraryState((state) => state.filter)
  const total = useLibraryState((state) => state.total)
  const isCounted = useLibraryState(({ phase }) => phase === 'loading' || phase === 'ready')
  const isReady = useLibraryState(({ phase }) => phase === 'ready')
  const setFilter = useLibraryState((state) => state.setFilter)

  function onKeyDown(event: KeyboardEvent): void {
    // While an input method composes, its keys are its own.
    if (isComposing(event.nativeEvent)) return
    const isDown = event.key === 'ArrowDown' && !hasCommandModifier(event)
    if (isDown || event.key === 'Enter') {
      event.preventDefault()
      // Without a row there is no list to go to: all titles were looked at.
      if (!focusOn('library') && event.key === 'Enter' && isReady && filter.trim() !== '')
        searchContents(filter)
    }
    // Esc clears the filter first, then goes one level out.
    if (event.key === 'Escape' && filter !== '') {
      event.stopPropagation()
      setFilter('')
    }
  }
  return (
    <div className="library-filter">
      <div className="field">
        <Icon of={Search} />
        <input
          type="search"
          aria-label="Filter conversations"
          placeholder={
            isCounted && total > 0
              ? `Filter ${formatQuantity(total, 'conversation')}`
              : 'Filter conversations'
          }
          value={filter}
          spellCheck={false}
          onChange={(event) => setFilter(event.target.value)}
          onKeyDown={onKeyDown}
          {...focusTarget('filter')}
        />
        {filter === '' ? (
          <KeyHint keys="filter" />
        ) : (
          <IconButton
            label="Clear the filter"
            icon={X}
            size="small"
            onClick={() => setFilter('')}
          />
        )}
      </div>
      <FilterChips />
      <div className="library-view">
        <SourceFilter />
        <ArchivedButton />
        <TagFilter />
        <ColorFilter />
        <ListMenu />
        <GroupMenu />
      </div>
    </div>
  )
}

function Conversations() {
  const conversations = useLibraryState((state) => state.conversations)
  const phase = useLibraryState((state) => state.phase)
  const failure = useLibraryState((state) => state.failure)
  const load = useLibraryState((state) => state.load)
  const density = useSettings(({ view }) => view?.preferences.density ?? 'comfortable')
  const textZoom = useSettings(({ view }) => view?.preferences.textZoom ?? 1)
  const now = useNow(minuteMs)
  const isSlow = useDelayedFlag(phase === 'loading', 120)
  const rows = useLibraryRows(now)
  const searchContents = useContentSearch()

  if (phase === 'failed' && failure !== undefined)
    return (
      <div className="library-words">
        <FailureNote
          title="The conversations could not be listed."
          failure={failure}
          onAgain={() => void load()}
        />
      </div>
    )
  if (conversations.length === 0 && phase !== 'ready')
    return <div className="scroll">{isSlow && <GhostRows />}</div>
  if (rows.length === 0) return <NoRows searchContents={searchContents} />
  return (
    <>
      <UnreadList />
      <ConversationList rows={rows} nowMs={now} density={density} textZoom={textZoom} />
    </>
  )
}

function GhostRows() {
  return (
    <div role="status" aria-label="Loading conversations">
      {['62%', '48%', '71%', '55%', '66%', '40%', '58%'].map((width) => (
        <div key={width} className="ghost-row">
          <span className="ghost-line" style={{ width }} />
        </div>
      ))}
    </div>
  )
}

function Foot() {
  const isCovered = useChosenRows().length > 0
  const total = useLibraryState((state) => state.total)
  const here = useLibraryState((state) => state.conversations)
  const phase = useLibraryState((state) => state.phase)
  const listing = useLibraryState((state) => state.listing)
  const listedInParts = useLibraryState((state) => state.listedInParts)
  const home = useApp(({ status }) => status?.home)
  const isNarrowed = useIsNarrowed()
  const reading = useReadList((state) => state.reading)
  const shown = useFilteredConversations(useNow(minuteMs)).length
  const listed = useListedConversations()
  const read = useMemo(() => here.filter(({ provisional }) => !provisional).length, [here])
  const words =
    phase === 'failed'
      ? 'Not listed'
      : phase === 'loading'
        ? listing === undefined
          ? `${formatCount(here.length)} of ${formatCount(total)} read`
          : `${formatCount(read)} of ${formatCount(total)} read${listing === 'finding' ? ', looking for more' : ''}`
        : !isNarrowed && listed === here
          ? formatQuantity(total, 'conversation')
          : reading === undefined
            ? `${formatCount(shown)} of ${formatQuantity(total, 'conversation')}`
            : `${formatCount(shown)} so far, ${formatCount(reading.read)} of ${formatCount(reading.total)} read`
  if (isCovered) return null
  return (
    <div className="library-foot">
      <span className="number">{words}</span>
      {/* Said once, when all is there: what comes meanwhile is not announced row by row. */}
      <span className="unseen" role="status">
        {phase === 'ready' && listedInParts !== undefined
          ? `${formatQuantity(listedInParts, 'conversation')} listed`
          : ''}
      </span>
      <LostButton />
      <BackgroundButton />
      <span className="grow" />
      {home?.sample ? (
        <span className="chip accent">Sample library</span>
      ) : (
        home !== undefined && <PathText path={home.shown} />
      )}
    </div>
  )
}
