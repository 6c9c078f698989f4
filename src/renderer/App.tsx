import { type ComponentType, lazy, Suspense, useEffect, useMemo } from 'react'
import { parseLibraryKey } from '../shared/model/conversation/conversation'
import { ConversationBar } from './app-window/ConversationBar'
import { DropImport } from './app-window/DropImport'
import { HistoryNote } from './app-window/history/HistoryNote'
import { WindowKeys } from './app-window/keys/WindowKeys'
import { NothingOpen } from './app-window/NothingOpen'
import { OpenFailureNote } from './app-window/OpenFailureNote'
import { Palette } from './app-window/palette/Palette'
import { useComposerCommands } from './app-window/palette/use-composer-commands'
import { UndoToast } from './app-window/undo/UndoToast'
import { useAppearance, useAppWindowWidth } from './app-window/use-appearance'
import { useCommands } from './app-window/use-commands'
import { Branches } from './branches/Branches'
import { ComparePane } from './compare/ComparePane'
import { ForeignBar } from './composer/ForeignBar'
import { NewConversation } from './composer/NewConversation'
import { OpenComposer } from './composer/OpenComposer'
import { SavePrompt } from './composer/SavePrompt'
import { ConsentElsewhere } from './consent/ConsentElsewhere'
import { PendingConsent } from './consent/PendingConsent'
import { LibraryPane } from './conversations/LibraryPane'
import { Details } from './details/Details'
import { ExportDialog } from './export/ExportDialog'
import { FirstRun } from './first-run/FirstRun'
import { HomeProblem } from './first-run/HomeProblem'
import { LostView } from './lost/LostView'
import { MapView } from './map/MapView'
import { Notes } from './notes/Notes'
import { ResultsBar } from './search/ResultsBar'
import { SearchView } from './search/SearchView'
import { SentView } from './sent/SentView'
import { SettingsPane } from './settings/SettingsPane'
import { isPaneOpen, paneWidth, type SidePane } from './state/app/layout'
import {
  AppWindowProvider,
  type AppWindowState,
  useApp,
  useLabels,
  useLayout,
  useLibraryState,
  useStores,
  useTranscript,
} from './state/context'
import { useCoveringView } from './state/use-covering-view'
import { type CoveringView, coveringView } from './state/views'
import { PreviewedRows } from './transcript/PreviewedRows'
import { TranscriptPane } from './transcript/TranscriptPane'
import { dropEarlyTyping } from './ui/behaviour/early-typing'
import { focusSoon } from './ui/behaviour/focus'
import { TooltipDelay } from './ui/controls/Tooltip'
import { ErrorBoundary } from './ui/notes/ErrorBoundary'
import { LiveRegion } from './ui/notes/LiveRegion'
import { OverlayPane, Panes, type SidePaneView } from './ui/panes/Panes'
import type { Highlighter } from './ui/text/highlighter'
import type { Formulas } from './ui/text/math/formulas'
import { type TextServices, TextServicesProvider } from './ui/text/text-services'

// Its charts are loaded with the view: the window's start does not wait for them.
const StatisticsView = lazy(async () => {
  const { StatisticsView: view } = await import('./statistics/StatisticsView')
  return { default: view }
})

/** Views over the middle pane, with what a note calls one that failed. */
const covers: Readonly<
  Record<CoveringView, { readonly what: string; readonly View: ComponentType }>
> = {
  search: { what: 'The search', View: SearchWithPreview },
  lost: { what: 'The list of problems', View: LostView },
  map: { what: 'The map', View: MapView },
  compare: { what: 'The comparison', View: ComparePane },
  statistics: { what: 'The statistics', View: StatisticsView },
}

/** The search, whose preview is drawn by the transcript's pieces. */
function SearchWithPreview() {
  return <SearchView Rows={PreviewedRows} />
}

/** The app window over given stores and workers for texts; it asks nothing of Electron, so any page can show it. */
export function App(props: {
  readonly state: AppWindowState
  readonly highlighter: Highlighter
  readonly formulas: Formulas
}) {
  const { state, highlighter, formulas } = props
  const services = useMemo<TextServices>(
    () => ({
      highlighter,
      formulas,
      openLink: (url) => void state.stores.app.getState().openLink(url),
    }),
    [state, highlighter, formulas],
  )
  return (
    <AppWindowProvider value={state}>
      <TextServicesProvider value={services}>
        <TooltipDelay>
          <WindowKeys>
            <Window />
          </WindowKeys>
        </TooltipDelay>
      </TextServicesProvider>
    </AppWindowProvider>
  )
}

function Window() {
  const status = useApp((app) => app.status)
  const failure = useApp((app) => app.failure)
  const settings = useApp((app) => app.settings)
  useAppearance()
  useCommands()
  const hasNoComposer = failure !== undefined || (status !== undefined && status.phase !== 'ready')
  useEffect(() => {
    if (hasNoComposer) dropEarlyTyping()
  }, [hasNoComposer])
  return (
    <div className="window">
      <DropImport />
      {/* The view under Settings keeps its scroll position and takes no focus. */}
      <div className="window" inert={settings !== undefined}>
        {status?.phase === 'ready' ? (
          <Workspace />
        ) : status?.phase === 'first-run' ? (
          <FirstRun status={status} />
        ) : status !== undefined || failure !== undefined ? (
          <HomeProblem status={status} />
        ) : null}
      </div>
      <HistoryNote />
      <UndoToast />
      <LabelNews />
      {settings !== undefined && (
        <ErrorBoundary what="Settings" of={settings}>
          <SettingsPane section={settings} />
        </ErrorBoundary>
      )}
      {status?.phase === 'ready' && <Palette />}
    </div>
  )
}

/** Outcome of labelling, spoken: outside of the transcript, since a map that covers it gives labels too. */
function LabelNews() {
  const told = useLabels((state) => state.told)
  return <LiveRegion label="Label">{told}</LiveRegion>
}

function Workspace() {
  const stores = useStores()
  const { layout } = stores
  const widths = useLayout((state) => state.widths)
  const overlays = useLayout((state) => state.overlays)
  const isLibraryOpen = useLayout((state) => isPaneOpen(state, 'library'))
  const isDetailsOpen = useLayout((state) => isPaneOpen(state, 'details'))
  const cover = useCoveringView()
  const isCovered = cover !== undefined
  useAppWindowWidth()

  const hide = (pane: SidePane) => {
    layout.getState().toggle(pane)
    focusSoon(coveringView(stores) ?? 'composer')
  }
  const views = {
    library: (
      <ErrorBoundary what="The library" className="pane">
        <LibraryPane onHide={() => hide('library')} />
      </ErrorBoundary>
    ),
    details: (
      <ErrorBoundary what="The details" className="pane">
        <Details onHide={() => hide('details')}>
          <ErrorBoundary what="The tree of branches">
            <Branches />
          </ErrorBoundary>
          <ErrorBoundary what="Tasks and goals">
            <Notes />
          </ErrorBoundary>
        </Details>
      </ErrorBoundary>
    ),
  }
  const docked = (pane: SidePane, isOpen: boolean): SidePaneView | undefined =>
    isOpen && !overlays[pane]
      ? {
          name: pane,
          content: views[pane],
          width: widths[pane],
          onResize: (width) => layout.getState().setWidth(pane, width),
        }
      : undefined
  const overlay = (pane: SidePane, isOpen: boolean, side: 'left' | 'right') =>
    isOpen &&
    overlays[pane] && (
      <OverlayPane side={side} width={widths[pane]} onClose={() => hide(pane)}>
        {views[pane]}
      </OverlayPane>
    )
  return (
    <>
      <Panes
        left={docked('library', isLibraryOpen)}
        middle={
          <div className="middle">
            <Middle isDetailsOpen={isDetailsOpen} isCovered={isCovered} />
            {cover !== undefined && <Cover key={cover} name={cover} />}
          </div>
        }
        // The details are of the conversation that the view covers.
        right={docked('details', isDetailsOpen && !isCovered)}
        bounds={paneWidth}
      />
      {overlay('library', isLibraryOpen, 'left')}
      {overlay('details', isDetailsOpen, 'right')}
      <ErrorBoundary what="The export">
        <ExportDialog />
      </ErrorBoundary>
      <ErrorBoundary what="Sent to the model">
        <SentView />
      </ErrorBoundary>
      {/* It stays when its composer goes. */}
      <ErrorBoundary what="Saving a prompt">
        <SavePrompt />
      </ErrorBoundary>
    </>
  )
}

/** View over the middle pane, or a note in its place where it failed. */
function Cover({ name }: { readonly name: CoveringView }) {
  const { what, View } = covers[name]
  return (
    <ErrorBoundary what={what} className={`page view ${name}`}>
      <Suspense>
        <View />
      </Suspense>
    </ErrorBoundary>
  )
}

function Middle(props: {
  readonly isDetailsOpen: boolean
  /** True under a view that covers it: it keeps its scroll position and takes no focus. */
  readonly isCovered: boolean
}) {
  const place = useApp((state) => state.place)
  const phase = useTranscript((state) => state.phase)
  const commands = useComposerCommands()
  const key = place.type === 'conversation' ? place.key : undefined
  const summary = useLibraryState(({ conversations }) =>
    conversations.find((known) => known.key === key),
  )
  return (
    <main
      className={`page ${props.isCovered ? 'covered' : ''}`}
      aria-label="Conversation"
      inert={props.isCovered}
    >
      <ConversationBar contextKey={key} summary={summary} {...props} />
      <ResultsBar />
      <OpenFailureNote />
      <ConsentElsewhere contextKey={key} />
      {place.type === 'none' && <NothingOpen />}
      {place.type === 'draft' && <NewConversation commands={commands} />}
      {place.type === 'conversation' && (
        <>
          <ErrorBoundary what="The transcript" of={place.key}>
            <TranscriptPane sizeBytes={summary?.bytes} />
          </ErrorBoundary>
          <ErrorBoundary what="What a tool asks" of={place.key}>
            <PendingConsent key={place.key} contextKey={place.key} />
          </ErrorBoundary>
          {phase !== 'failed' && (
            <ErrorBoundary what="The composer" of={place.key}>
              {parseLibraryKey(place.key).source === 'chibi' ? (
                <OpenComposer key={place.key} contextKey={place.key} commands={commands} />
              ) : (
                <ForeignBar key={place.key} contextKey={place.key} />
              )}
            </ErrorBoundary>
          )}
        </>
      )}
    </main>
  )
}
